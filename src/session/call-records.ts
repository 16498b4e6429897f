/**
 * Owns what is known of each call of a session while it is on its way, for all stations alike.
 * Leaves the stations to their files. Rule: a station finds the record by the call's id, which travels with it; where
 * a host's wrapper made a call anew and left the id away, by the asynchronous context in which it runs.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Call } from "../contract/call.ts";
import type { Decision } from "../contract/decision.ts";
import type { Sight } from "../contract/output.ts";
import type { OldBytes } from "../ledger/entry-body.ts";
import type { PreparedCall } from "../toolset/mounted.ts";
import type { CarryPlan } from "./plan-carry.ts";
import type { Turn } from "./turns.ts";

export interface CallRecord {
  readonly id: string;
  /** As it arrived. */
  readonly call: Call;
  readonly turn: Turn;
  readonly startedAtMs: number;
  /** For which its turn was taken, where nothing had to be waited for since it was prepared. */
  claimed: PreparedCall | undefined;
  /** What the gate made of it, and what was decided. */
  prepared: PreparedCall | undefined;
  decision: Decision | undefined;
  /** Whether it has gone on from the host's wrappers. */
  hasPassed: boolean;
  /** Its entry in the ledger: what it was when it began. */
  entry: "none" | "started" | "failed";
  /** What the tool itself gave, each time that it ran. */
  readonly given: { readonly content: string; readonly sights: readonly Sight[] }[];
  readonly oldBytes: OldBytes[];
  /** Why the old bytes of a file could not be kept. */
  unkept: string | undefined;
  plan: CarryPlan | undefined;
}

export interface CallRecords {
  open(of: { id: string; call: Call; turn: Turn }): CallRecord;
  /** The record of a call at a station. */
  get(call: Call): CallRecord;
  /** The record in whose call this code runs. */
  current(): CallRecord | undefined;
  /** Runs `act` as part of a call. */
  within<T>(record: CallRecord, act: () => T): T;
  close(record: CallRecord): void;
}

export function openCallRecords(): CallRecords {
  const context = new AsyncLocalStorage<CallRecord>();
  const active = new Map<string, CallRecord>();
  return {
    open({ id, call, turn }) {
      const record: CallRecord = {
        id,
        call,
        turn,
        startedAtMs: Date.now(),
        claimed: undefined,
        prepared: undefined,
        decision: undefined,
        hasPassed: false,
        entry: "none",
        given: [],
        oldBytes: [],
        unkept: undefined,
        plan: undefined,
      };
      active.set(id, record);
      return record;
    },
    get(call) {
      const record = active.get(call.id ?? "") ?? context.getStore();
      if (record === undefined) throw new Error("a call has lost its id on the way through a host's wrapper");
      return record;
    },
    current: () => context.getStore(),
    within: (record, act) => context.run(record, act),
    close: (record) => void active.delete(record.id),
  };
}
