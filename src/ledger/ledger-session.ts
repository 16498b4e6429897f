/**
 * Owns one session's side of a ledger: its calls go in here, and what it needs of them comes out.
 * Leaves permission, windows and times to the session. Rule: a call is in the ledger before its tool runs and whole
 * when it has ended; each entry is one transaction, with all the bytes that it speaks of.
 */
import type { Sight } from "../contract/output.ts";
import type { PastResults } from "../contract/results.ts";
import { findWriter, newTemporaryName } from "../root/temporary-name.ts";
import { encodeBytes } from "./blob.ts";
import { type Draft, draftEnded, draftStarted, type EndedEntry, type StartedEntry } from "./entry-body.ts";
import { LedgerError, misuse } from "./ledger-error.ts";
import { findPastCall, type PastCall } from "./past-calls.ts";
import { openPastResults } from "./past-results.ts";
import type { NewEntry, SessionRow, Store } from "./store.ts";
import { whenFreeBlocking } from "./wait-for-ledger.ts";

export interface SessionRequest {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly id: string;
  readonly agentId: string;
  /** Real path. */
  readonly root: string;
  /** Whether a session of this id that is there already may go on. A new one is made either way where there is none. */
  readonly resume: boolean;
}

export interface LedgerSession {
  readonly id: string;
  /** Whether there was one of this id before. */
  readonly isResumed: boolean;
  /** To be called before the tool runs, and for calls that are refused or denied too. */
  started(entry: StartedEntry): void;
  /** Once for each call that was started. */
  ended(entry: EndedEntry): void;
  /** Keeps bytes and gives their address. Above 10 MiB they have an address and are not kept. */
  keepBytes(bytes: Uint8Array): string;
  readonly results: PastResults;
  /** What a call touched whose result `results` has. */
  past(id: string): PastCall | undefined;
  /** Of all ended calls, in order: what a resumed session has been shown. */
  sights(): readonly Sight[];
  /** Of all started calls. */
  callIds(): ReadonlySet<string>;
  /** Takes no more entries, and lets go of the session, so that another process can resume it. Idempotent; to be tried again where it throws. */
  close(): void;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Of one file: what an undo can bring back. Larger ones are data, and would make the ledger larger than the tree. */
const OLD_BYTES_MAX = 10_485_760;

export function openLedgerSession(store: Store, request: SessionRequest): LedgerSession {
  if (!ID.test(request.id)) throw misuse(`a session's id is ${ID.source}, not ${JSON.stringify(request.id)}`);
  // Named as temporary files are: by the process, when it started and which namespace of which boot it runs in.
  const process = newTemporaryName();
  const { row, isResumed, holder, since } = store.transact(() => take(store, request, process));
  let isOpen = true;
  let isHeld = true;
  /** Of the calls on their way: to find a call's entry costs as much as to add one. */
  const running = new Set<string>();
  const hasStarted = (callId: string) =>
    store.findEntry({ sessionId: row.id, callId, kind: "started" }) !== undefined;
  const add = (
    kind: NewEntry["kind"],
    call: { callId: string; atMs: number },
    draft: Draft<object>,
    sights?: string,
  ) => {
    if (!isOpen)
      throw new LedgerError({
        code: "closed",
        what: `the session ${row.id} is closed`,
        wayOut: "open it again",
      });
    store.transact(() => {
      for (const blob of draft.blobs) store.keepBlob(blob, row.id);
      const { callId, atMs } = call;
      store.addEntry({ sessionId: row.id, kind, callId, atMs, body: JSON.stringify(draft.body), sights });
    });
  };
  return {
    id: row.id,
    isResumed,
    started(entry) {
      add("started", entry, draftStarted(entry));
      running.add(entry.callId);
    },
    ended(entry) {
      if (!running.has(entry.callId) && !hasStarted(entry.callId))
        throw misuse(`the call ${entry.callId} ended and never started`);
      const sights = entry.sights.length === 0 ? undefined : JSON.stringify(entry.sights);
      add("ended", entry, draftEnded(entry), sights);
      running.delete(entry.callId);
    },
    keepBytes(bytes) {
      const blob = encodeBytes(bytes);
      if (bytes.length <= OLD_BYTES_MAX)
        whenFreeBlocking(() => store.transact(() => store.keepBlob(blob, row.id)));
      return blob.hash;
    },
    results: openPastResults(store, { session: row, since }),
    past: (id) => findPastCall(store, { session: row, since }, id),
    sights: () => store.listSights(row.id).flatMap((json) => JSON.parse(json) as Sight[]),
    callIds: () => new Set(store.listCallIds(row.id)),
    close() {
      isOpen = false;
      if (isHeld) store.transact(() => store.dropHolder(row.id, holder));
      isHeld = false;
    },
  };
}

function take(
  store: Store,
  request: SessionRequest,
  process: string,
): { row: SessionRow; isResumed: boolean; holder: string; since: number } {
  const { id, agentId, root, resume } = request;
  const there = store.findSession(id);
  if (there !== undefined) checkResumable(store, there, { root, resume });
  const row = there ?? { id, agentId, root, openedAtMs: Date.now() };
  if (there === undefined) store.addSession(row);
  // What stands in the ledger by now and has not ended was interrupted: no process works on it any more.
  const since = store.lastSeq();
  const holder = `${process} ${since}`;
  store.setHolder(id, holder);
  return { row, isResumed: there !== undefined, holder, since };
}

function checkResumable(store: Store, there: SessionRow, of: { root: string; resume: boolean }): void {
  const wayOut = "open a session of another id";
  const session = `the session ${there.id} of the ledger ${store.shown}`;
  if (!of.resume)
    throw new LedgerError({ code: "session-exists", what: `${session} is there already`, wayOut });
  if (there.root !== of.root)
    throw new LedgerError({ code: "session-elsewhere", what: `${session} worked in ${there.root}`, wayOut });
  const life = findHolderLife(store, there.id);
  if (life === "alive")
    throw new LedgerError({
      code: "session-held",
      what: `${session} is open already, in a process that runs`,
      wayOut: `close it there, or ${wayOut}`,
    });
  if (life === "unknown")
    throw new LedgerError({
      code: "session-held",
      what: `${session} was opened where it cannot be told from here whether its process still runs`,
      wayOut,
    });
}

/** Whether the process that holds a session lives; `gone` where none holds it. */
export function findHolderLife(store: Store, sessionId: string): "alive" | "gone" | "unknown" {
  const [process] = readHolder(store, sessionId);
  return process === undefined ? "gone" : findWriter(process);
}

/** The number of the last entry before the process that holds a session took it; undefined where none holds it. */
export function findHeldSince(store: Store, sessionId: string): number | undefined {
  if (findHolderLife(store, sessionId) === "gone") return undefined;
  return Number(readHolder(store, sessionId)[1] ?? 0);
}

function readHolder(store: Store, sessionId: string): readonly string[] {
  return store.findHolder(sessionId)?.split(" ") ?? [];
}
