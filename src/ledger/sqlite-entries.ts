/**
 * Owns the entries of calls as rows.
 * Leaves what they say to entry-body.ts. Rule: text that came from outside goes in as JSON, never bare: drivers cut
 * text at a NUL.
 */
import type { SqlRow } from "./driver.ts";
import type { Query } from "./sqlite-query.ts";
import type { EntryKind, EntryRow, Store } from "./store.ts";

const ENTRY = "seq, session, kind, call, at_ms, body, sights";

function toEntry(row: SqlRow): EntryRow {
  return {
    seq: row.seq as number,
    sessionId: row.session as string,
    kind: row.kind as EntryKind,
    callId: fromKey(row.call as string),
    atMs: row.at_ms as number,
    body: row.body as string,
    sights: (row.sights as string | null) ?? undefined,
  };
}

/** A call's id is a provider's word and may hold anything. */
function toKey(callId: string): string {
  return JSON.stringify(callId);
}

function fromKey(key: string): string {
  return JSON.parse(key) as string;
}

export function entryRows({
  run,
  one,
  all,
}: Query): Pick<
  Store,
  | "addEntry"
  | "findEntry"
  | "listEntries"
  | "listEnded"
  | "listUnended"
  | "listCallIds"
  | "listSights"
  | "lastSeq"
> {
  return {
    addEntry: ({ sessionId, kind, callId, atMs, body, sights }) =>
      run(
        "INSERT INTO entries (session, kind, call, at_ms, body, sights) VALUES (?, ?, ?, ?, ?, ?)",
        sessionId,
        kind,
        toKey(callId),
        Math.round(atMs),
        body,
        sights ?? null,
      ),
    findEntry({ sessionId, callId, kind }) {
      const sql = `SELECT ${ENTRY} FROM entries WHERE session = ? AND call = ? AND kind = ?`;
      const row = one(sql, sessionId, toKey(callId), kind);
      return row === undefined ? undefined : toEntry(row);
    },
    listEntries({ sessionId, afterSeq, limit }) {
      const rest = "seq > ? ORDER BY seq LIMIT ?";
      const rows =
        sessionId === undefined
          ? all(`SELECT ${ENTRY} FROM entries WHERE ${rest}`, afterSeq, limit)
          : all(`SELECT ${ENTRY} FROM entries WHERE session = ? AND ${rest}`, sessionId, afterSeq, limit);
      return rows.map(toEntry);
    },
    listEnded: ({ sessionId, limit }) =>
      all(
        `SELECT ${ENTRY} FROM entries WHERE session = ? AND kind = 'ended' ORDER BY seq DESC LIMIT ?`,
        sessionId,
        limit,
      ).map(toEntry),
    listUnended: ({ sessionId, upToSeq, limit }) =>
      all(
        `SELECT ${ENTRY} FROM entries AS entry WHERE session = ? AND kind = 'started' AND seq <= ? AND NOT EXISTS (
           SELECT 1 FROM entries WHERE session = entry.session AND call = entry.call AND kind = 'ended'
         ) ORDER BY seq DESC LIMIT ?`,
        sessionId,
        upToSeq,
        limit,
      ).map(toEntry),
    listCallIds: (sessionId) =>
      all("SELECT call FROM entries WHERE session = ? AND kind = 'started' ORDER BY seq", sessionId).map(
        (row) => fromKey(row.call as string),
      ),
    listSights: (sessionId) =>
      all(
        "SELECT sights FROM entries WHERE session = ? AND kind = 'ended' AND sights IS NOT NULL ORDER BY seq",
        sessionId,
      ).map((row) => row.sights as string),
    lastSeq: () => Number(one("SELECT max(seq) AS last FROM entries")?.last ?? 0),
  };
}
