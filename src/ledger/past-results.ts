/**
 * Owns the view of a ledger that `recall` is given: what ended, by short id in this session, by full id in others.
 * Leaves the words to the tool. Rule: a session sees its own results and those of earlier sessions of the same root;
 * a ledger that several roots share shows nothing of one to the other.
 */
import type { PastResult, PastResultSummary, PastResults } from "../contract/results.ts";
import { readEndedBody, readName } from "./entry-body.ts";
import { getBlob, readBlobCharacters, readBlobLines, readBlobText } from "./read-blob.ts";
import type { EntryRow, SessionRow, Store } from "./store.ts";

/** `since` is the number of the last entry before the session was opened: what had not ended by then never will. */
export function openPastResults(
  store: Store,
  { session, since }: { readonly session: SessionRow; readonly since: number },
): PastResults {
  let interrupted: readonly EntryRow[] | undefined;
  const findInterrupted = () => {
    // The list of a resumed session: it cannot change, and to find it every call is looked at.
    interrupted ??= store.listUnended({ sessionId: session.id, upToSeq: since, limit: MOST_INTERRUPTED });
    return interrupted;
  };
  return {
    find(id) {
      const ended = findPast(store, session, id);
      return ended === undefined ? undefined : openResult(store, id, ended);
    },
    list: (limit) =>
      [...store.listEnded({ sessionId: session.id, limit }), ...findInterrupted()]
        .sort((one, other) => other.seq - one.seq)
        .slice(0, limit)
        .map((entry) => (entry.kind === "ended" ? summarise(store, entry) : nameInterrupted(entry))),
  };
}

/** The end of a call of this session by its short id, or of one of the same root by its full id. */
export function findPast(store: Store, session: SessionRow, id: string): EntryRow | undefined {
  const own = findEnded(store, session.id, id);
  if (own !== undefined) return own;
  const full = splitFullId(id);
  if (full === undefined || store.findSession(full.sessionId)?.root !== session.root) return undefined;
  return findEnded(store, full.sessionId, full.callId);
}

/** A session's id has no slash in it; a call's id may have. */
export function splitFullId(id: string): { readonly sessionId: string; readonly callId: string } | undefined {
  const slash = id.indexOf("/");
  return slash < 0 ? undefined : { sessionId: id.slice(0, slash), callId: id.slice(slash + 1) };
}

export function findEnded(store: Store, sessionId: string, callId: string): EntryRow | undefined {
  return store.findEntry({ sessionId, callId, kind: "ended" });
}

export function openResult(store: Store, id: string, ended: EntryRow): PastResult {
  const body = readEndedBody(ended.body);
  const blob = getBlob(body.content, store);
  return {
    id,
    tool: nameOf(store, ended),
    isError: body.isError,
    characters: blob.characters,
    lines: blob.lines,
    get content() {
      return readBlobText(store, blob);
    },
    readLines: (start, end) => readBlobLines(store, blob, start, end),
    readCharacters: (start, end) => readBlobCharacters(store, blob, start, end),
  };
}

/** More than anybody is shown. */
const MOST_INTERRUPTED = 100;

function nameInterrupted({ callId, body }: EntryRow): PastResultSummary {
  const nothing = { isError: false, characters: 0, lines: 0, head: "" };
  return { id: callId, tool: readName(body), ...nothing, isInterrupted: true };
}

function summarise(store: Store, ended: EntryRow): PastResultSummary {
  const { isError, content, head } = readEndedBody(ended.body);
  const { characters, lines } = getBlob(content, store);
  return { id: ended.callId, tool: nameOf(store, ended), isError, characters, lines, head };
}

function nameOf(store: Store, { sessionId, callId }: EntryRow): string {
  const started = store.findEntry({ sessionId, callId, kind: "started" });
  return started === undefined ? "" : readName(started.body);
}
