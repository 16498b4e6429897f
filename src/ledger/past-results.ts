/**
 * Owns the view of a ledger that `recall` is given: what ended, by short id in this session, by full id in others.
 * Leaves the words to the tool. Rule: a session sees its own results and those of earlier sessions of the same root;
 * a ledger that several roots share shows nothing of one to the other.
 */
import type { PastResult, PastResultSummary, PastResults } from "../contract/results.ts";
import { getBlob, readEndedBody, readName } from "./entry-body.ts";
import { readBlobCharacters, readBlobLines, readBlobText } from "./read-blob.ts";
import type { EntryRow, SessionRow, Store } from "./store.ts";

export function openPastResults(store: Store, session: SessionRow): PastResults {
  return {
    find(id) {
      const own = findEnded(store, session.id, id);
      if (own !== undefined) return openResult(store, id, own);
      const full = splitFullId(id);
      if (full === undefined || store.findSession(full.sessionId)?.root !== session.root) return undefined;
      const ended = findEnded(store, full.sessionId, full.callId);
      return ended === undefined ? undefined : openResult(store, id, ended);
    },
    list: (limit) =>
      store.listEnded({ sessionId: session.id, limit }).map((ended) => summarise(store, ended.callId, ended)),
  };
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

function summarise(store: Store, id: string, ended: EntryRow): PastResultSummary {
  const { isError, content, head } = readEndedBody(ended.body);
  const { characters, lines } = getBlob(content, store);
  return { id, tool: nameOf(store, ended), isError, characters, lines, head };
}

function nameOf(store: Store, { sessionId, callId }: EntryRow): string {
  const started = store.findEntry({ sessionId, callId, kind: "started" });
  return started === undefined ? "" : readName(started.body);
}
