/**
 * Owns waiting for one's turn, at two stations: when a call arrives, and again where a host's wrapper made it one
 * that touches more. Leaves the order to turns.ts. Rule: what a call claims is looked for again once it is claimed, and
 * after waiting for what may have changed where its paths lead; where that differs it claims that too and waits again.
 *
 * The first station stands before the gate and permission, so that both look at the tree as the calls before have
 * left it: a person who is asked about the second of two edits sees the first one done.
 */
import type { Call, CallOptions } from "../contract/call.ts";
import type { ToolOutput } from "../contract/output.ts";
import { isRefusal, refuse } from "../contract/refusal.ts";
import type { Gate, Wrapper } from "../toolset/dispatch.ts";
import type { Mounted, PreparedCall } from "../toolset/mounted.ts";
import { prepareCall } from "../toolset/prepare.ts";
import { renderRefusal } from "../toolset/render-output.ts";
import type { CallRecords } from "./call-records.ts";
import { type Claims, EVERYTHING, findClaims, NOTHING } from "./claims.ts";
import type { Turn } from "./turns.ts";

export interface TurnTaking {
  readonly mounted: Mounted;
  readonly gate: Gate;
  readonly records: CallRecords;
}

/** Where paths go on leading elsewhere after so many looks, only running alone is safe. */
const MOST_ROUNDS = 8;

/** The station before the gate. A call that came when nothing else was at work need not be prepared twice. */
export function takeTurns({ mounted, gate, records }: TurnTaking): Wrapper {
  return (next) => async (call, options) => {
    const record = records.get(call);
    const { refused, prepared } = await waitTurn({ mounted, turn: record.turn, call, options });
    if (refused !== undefined) return refused;
    record.claimed = prepared;
    return next(prepared === undefined ? call : gate.admit(call, prepared), options);
  };
}

/** The station behind the host's wrappers. A call that had to wait here goes through the gate again. */
export function retakeTurns({ mounted, gate, records }: TurnTaking): Wrapper {
  return (next) => async (call, options) => {
    const { turn, claimed } = records.get(call);
    const prepared = gate.find(call);
    if (prepared !== undefined && prepared === claimed) return next(call, options);
    if (prepared !== undefined && turn.covers(await findClaims(mounted.root, prepared)))
      return next(call, options);
    const { refused } = await waitTurn({ mounted, turn, call, options });
    return refused ?? next({ ...call }, options);
  };
}

interface Waiting {
  readonly mounted: Mounted;
  readonly turn: Turn;
  readonly call: Call;
  readonly options: CallOptions | undefined;
}

interface Waited {
  /** The refusal of a call that was cancelled while it waited. */
  readonly refused?: ToolOutput;
  /** What the gate would make of the call; absent where anything may have changed since it was looked at. */
  readonly prepared?: PreparedCall | undefined;
}

async function waitTurn({ mounted, turn, call, options }: Waiting): Promise<Waited> {
  const signal = options?.signal ?? new AbortController().signal;
  try {
    const first = await claimsNow(mounted, call);
    turn.claim(first.claims);
    let isCertain = turn.isFirst;
    for (let round = 1; ; round += 1) {
      if (!isCertain) {
        const claims = round < MOST_ROUNDS ? (await claimsNow(mounted, call)).claims : EVERYTHING;
        if (!turn.covers(claims)) {
          turn.claim(claims);
          continue;
        }
      }
      if ((await turn.start(signal)) === "running") return isCertain ? { prepared: first.prepared } : {};
      isCertain = false;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const refusal = refuse("call-cancelled", { tool: String(call.name) });
    return { refused: renderRefusal({ refusal, mounted }) };
  }
}

async function claimsNow(
  mounted: Mounted,
  call: Call,
): Promise<{ readonly claims: Claims; readonly prepared?: PreparedCall }> {
  const prepared = await prepareCall(mounted, call);
  if (!isRefusal(prepared)) return { claims: await findClaims(mounted.root, prepared), prepared };
  // What is wrong with a path may be put right by a call before; what is wrong with the arguments may not.
  return { claims: prepared.code.startsWith("path-") ? EVERYTHING : NOTHING };
}
