/**
 * Owns reading sessions and calls back out of a ledger.
 * Leaves searching and exporting to their files. Rule: a call that started and never ended is `interrupted`, unless
 * the process that holds its session still runs.
 */
import type { ToolOutput } from "../contract/output.ts";
import {
  loadOldBytes,
  loadOutput,
  loadStarted,
  type OldBytes,
  readEndedBody,
  readName,
  type StartedEntry,
} from "./entry-body.ts";
import { loadValue } from "./kept-value.ts";
import { findHeldSince, findHolderLife } from "./ledger-session.ts";
import { splitFullId } from "./past-results.ts";
import { getBlob } from "./read-blob.ts";
import type { EntryRow, Store } from "./store.ts";

/** One session of a ledger. */
export interface SessionSummary {
  /** By which it is resumed. */
  readonly id: string;
  /** Whose it is. */
  readonly agentId: string;
  /** The real path. */
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly openedAtMs: number;
  /** Of its last entry; of its opening where it has none. */
  readonly lastAtMs: number;
  /** Calls that started. */
  readonly calls: number;
  /** Calls that started and never ended; 0 while the session is open. */
  readonly interrupted: number;
  /** A process holds it, or it cannot be told whether one does. */
  readonly isOpen: boolean;
}

/** `interrupted`: it started and never ended, and the process that made it is gone. */
export type CallState = "done" | "refused" | "running" | "interrupted";

/** One call of a session, in short. */
export interface CallSummary {
  /** `<sessionId>/<callId>`. */
  readonly id: string;
  /** Its id in the session. */
  readonly callId: string;
  /** The mounted name. */
  readonly tool: string;
  /** How it stands. */
  readonly state: CallState;
  /** The refusal's code. */
  readonly code?: string;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Milliseconds; absent where it has not ended. */
  readonly durationMs?: number;
  /** Of the content; 0 where there is none. */
  readonly characters: number;
  /** Of the content; 0 where there is none. */
  readonly lines: number;
  /** The first line of the content, at most 120 characters. */
  readonly head: string;
}

/** One call whole. */
export interface CallRecord extends StartedEntry {
  /** `<sessionId>/<callId>`. */
  readonly id: string;
  /** Of its session. */
  readonly sessionId: string;
  /** How it stands. */
  readonly state: CallState;
  /** Absent where it has not ended. */
  readonly ended?: {
    /** Milliseconds since 1970. */
    readonly atMs: number;
    /** Milliseconds. */
    readonly durationMs: number;
    /** Whole, before any window. */
    readonly output: ToolOutput;
    /** What the request carried of it, where that was not all. */
    readonly window?: unknown;
    /** Of the files that it changed. */
    readonly oldBytes: readonly OldBytes[];
  };
}

/** Entries that are read at once. */
const BATCH = 256;

export function listSessions(store: Store): readonly SessionSummary[] {
  const counts = new Map(store.countEntries().map((count) => [count.sessionId, count]));
  return store.listSessions().map((session) => {
    const { started = 0, ended = 0, lastAtMs = session.openedAtMs } = counts.get(session.id) ?? {};
    const isOpen = findHolderLife(store, session.id) !== "gone";
    return { ...session, lastAtMs, calls: started, interrupted: isOpen ? 0 : started - ended, isOpen };
  });
}

/** All entries, or those of one session, in order, up to the last one that is there now. */
export function* eachEntry(store: Store, sessionId?: string): Generator<EntryRow> {
  const last = store.lastSeq();
  let afterSeq = 0;
  for (;;) {
    const batch = store.listEntries({
      ...(sessionId === undefined ? {} : { sessionId }),
      afterSeq,
      limit: BATCH,
    });
    for (const entry of batch) {
      if (entry.seq > last) return;
      yield entry;
      afterSeq = entry.seq;
    }
    if (batch.length < BATCH) return;
  }
}

export function listCalls(store: Store, sessionId: string): readonly CallSummary[] | undefined {
  if (store.findSession(sessionId) === undefined) return undefined;
  const unfinished = stateWithoutEnd(store, sessionId);
  const calls = new Map<string, CallSummary>();
  for (const entry of eachEntry(store, sessionId)) {
    const started = calls.get(entry.callId);
    if (entry.kind === "started") calls.set(entry.callId, summariseStarted(entry, unfinished(entry)));
    else if (started !== undefined) calls.set(entry.callId, { ...started, ...summariseEnded(store, entry) });
  }
  return [...calls.values()];
}

/** The state of calls that never ended: running since the process that holds the session took it, interrupted before. */
function stateWithoutEnd(store: Store, sessionId: string): (entry: EntryRow) => "running" | "interrupted" {
  const since = findHeldSince(store, sessionId);
  return ({ seq }) => (since !== undefined && seq > since ? "running" : "interrupted");
}

function summariseStarted(entry: EntryRow, state: CallState): CallSummary {
  return {
    id: `${entry.sessionId}/${entry.callId}`,
    callId: entry.callId,
    tool: readName(entry.body),
    state,
    startedAtMs: entry.atMs,
    characters: 0,
    lines: 0,
    head: "",
  };
}

function summariseEnded(store: Store, entry: EntryRow): Partial<CallSummary> {
  const body = readEndedBody(entry.body);
  const { characters, lines } = getBlob(body.content, store);
  return {
    state: body.isError ? "refused" : "done",
    ...(body.code === undefined ? {} : { code: body.code }),
    durationMs: body.durationMs,
    characters,
    lines,
    head: body.head,
  };
}

export function findCall(store: Store, fullId: string): CallRecord | undefined {
  const of = splitFullId(fullId);
  if (of === undefined) return undefined;
  const started = store.findEntry({ ...of, kind: "started" });
  if (started === undefined) return undefined;
  const ended = store.findEntry({ ...of, kind: "ended" });
  const record = { id: fullId, ...of, ...loadStarted(started.body, store), atMs: started.atMs };
  if (ended === undefined) return { ...record, state: stateWithoutEnd(store, of.sessionId)(started) };
  const body = readEndedBody(ended.body);
  return {
    ...record,
    state: body.isError ? "refused" : "done",
    ended: {
      atMs: ended.atMs,
      durationMs: body.durationMs,
      output: loadOutput(body, store),
      window: loadValue(body.window, store),
      oldBytes: loadOldBytes(body, store),
    },
  };
}
