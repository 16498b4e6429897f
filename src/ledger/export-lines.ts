/**
 * Owns the form in which a ledger leaves: JSON Lines, one object a line, in the order in which things happened.
 * Leaves writing them to the surfaces. Rule: everything that is in the ledger is in the export, each kept file once,
 * and one line at a time is in memory.
 */
import type { CommitmentRow } from "../contract/commitment.ts";
import { loadOldBytes, loadOutput, loadStarted, readEndedBody } from "./entry-body.ts";
import { loadValue } from "./kept-value.ts";
import { readBlobBytes } from "./read-blob.ts";
import { eachEntry } from "./read-calls.ts";
import type { EntryRow, SessionRow, Store } from "./store.ts";

/** What to export. */
export interface ExportRequest {
  /** Only these sessions. */
  readonly sessionIds?: readonly string[];
  /** After each entry. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Kinds of line: `session`, `call-started`, `call-ended`, in an export of all sessions `commitment-event`, and before a `call-ended` that names old bytes for the
 * first time `bytes`: `{ hash, utf8 }` where they are UTF-8 text, else `{ hash, base64 }`.
 */
export function* exportLines(store: Store, { sessionIds, onProgress }: ExportRequest): Generator<string> {
  const wanted = sessionIds === undefined ? undefined : new Set(sessionIds);
  const sessions = store.listSessions().filter(({ id }) => wanted?.has(id) ?? true);
  const counts = store.countEntries().filter(({ sessionId }) => wanted?.has(sessionId) ?? true);
  const total = counts.reduce((sum, { started, ended }) => sum + started + ended, 0);
  const given = new Set<string>();
  let done = 0;
  for (const session of sessions) {
    yield JSON.stringify(describeSession(session));
    for (const entry of eachEntry(store, session.id)) {
      yield* exportEntry(store, entry, given);
      done += 1;
      onProgress?.({ done, total: Math.max(done, total) });
    }
  }
  // They belong to no session: they outlive it.
  if (wanted === undefined) yield* exportCommitments(store);
}

function* exportCommitments(store: Store): Generator<string> {
  for (const { seq, commitment, kind, atMs, body } of eachCommitmentEvent(store))
    yield JSON.stringify({
      kind: "commitment-event",
      seq,
      commitment,
      event: kind,
      atMs,
      body: JSON.parse(body),
    });
}

/** Rows that are in memory at once. */
const BATCH = 1_000;

function* eachCommitmentEvent(store: Store): Generator<CommitmentRow> {
  for (let afterSeq = 0; ; ) {
    const rows = store.listCommitmentEvents(afterSeq, BATCH);
    yield* rows;
    if (rows.length < BATCH) return;
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
  }
}

function describeSession({ id, agentId, root, openedAtMs }: SessionRow): object {
  return { kind: "session", id, agentId, root, openedAtMs };
}

function* exportEntry(store: Store, entry: EntryRow, given: Set<string>): Generator<string> {
  const { seq, sessionId, callId, atMs } = entry;
  const head = { kind: `call-${entry.kind}`, seq, sessionId, callId, atMs };
  if (entry.kind === "started") {
    yield JSON.stringify({ ...head, ...loadStarted(entry.body, store) });
    return;
  }
  const body = readEndedBody(entry.body);
  const oldBytes = loadOldBytes(body, store);
  for (const { hash } of oldBytes) {
    const line = given.has(hash) ? undefined : describeBytes(store, hash);
    given.add(hash);
    if (line !== undefined) yield JSON.stringify(line);
  }
  yield JSON.stringify({
    ...head,
    durationMs: body.durationMs,
    output: loadOutput(body, store),
    window: loadValue(body.window, store),
    sights: entry.sights === undefined ? [] : JSON.parse(entry.sights),
    oldBytes,
  });
}

/** Undefined where they were too large to be kept. */
function describeBytes(store: Store, hash: string): object | undefined {
  const blob = store.findBlob(hash);
  if (blob === undefined) return undefined;
  const bytes = readBlobBytes(store, blob);
  try {
    return {
      kind: "bytes",
      hash,
      utf8: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return { kind: "bytes", hash, base64: Buffer.from(bytes).toString("base64") };
  }
}
