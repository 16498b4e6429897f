/**
 * Owns the rows of a ledger in a SQLite file.
 * Leaves the tables to sqlite-schema.ts and opening to open-database.ts. Rule: the same answers as memory-store.ts.
 * Text that came from outside goes in as JSON or as bytes, never bare: drivers cut text at a NUL.
 */
import { cutBlob, type EncodedBlob } from "./blob.ts";
import type { Database, SqlRow, SqlValue, Statement } from "./driver.ts";
import { LedgerError } from "./ledger-error.ts";
import { type DatabaseRequest, openDatabase } from "./open-database.ts";
import { explainSqliteError } from "./sqlite-error.ts";
import type { BlobRow, EntryKind, EntryRow, Store } from "./store.ts";

const ENTRY = "seq, session, kind, call, at_ms, body, sights";

interface Query {
  run(sql: string, ...values: SqlValue[]): void;
  one(sql: string, ...values: SqlValue[]): SqlRow | undefined;
  all(sql: string, ...values: SqlValue[]): readonly SqlRow[];
}

export function openSqliteStore(request: DatabaseRequest): Store {
  const database = openDatabase(request);
  let isOpen = true;
  const guard = <T>(act: () => T): T => {
    if (!isOpen)
      throw new LedgerError({ code: "closed", what: "this ledger is closed", wayOut: "open it again" });
    try {
      return act();
    } catch (error) {
      throw explainSqliteError(error, request.path);
    }
  };
  const query = openQuery(database, guard);
  const transact: Store["transact"] = (act) => {
    query.run("BEGIN IMMEDIATE");
    try {
      const done = act();
      query.run("COMMIT");
      return done;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  };
  return {
    shown: request.path,
    transact,
    ...sessionRows(query),
    ...entryRows(query),
    ...blobRows(query),
    ...holderRows(query),
    removeSessions: (ids) => removeSessions(query, ids),
    giveBackSpace() {
      guard(() => database.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)"));
    },
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}

/** Statements are prepared once each: preparing costs more than most of them do. */
function openQuery(database: Database, guard: <T>(act: () => T) => T): Query {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, ...values) => void guard(() => prepare(sql).run(...values)),
    one: (sql, ...values) => guard(() => prepare(sql).get(...values)) as SqlRow | undefined,
    all: (sql, ...values) => guard(() => prepare(sql).all(...values)) as readonly SqlRow[],
  };
}

function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, as it does where the disk is full; the first error is the one to tell.
  }
}

function sessionRows({
  run,
  one,
  all,
}: Query): Pick<Store, "addSession" | "findSession" | "listSessions" | "countEntries"> {
  const toSession = (row: SqlRow) => ({
    id: row.id as string,
    agentId: row.agent as string,
    root: JSON.parse(row.root as string) as string,
    openedAtMs: row.opened_at_ms as number,
  });
  return {
    addSession: ({ id, agentId, root, openedAtMs }) =>
      run(
        "INSERT INTO sessions (id, agent, root, opened_at_ms) VALUES (?, ?, ?, ?)",
        id,
        agentId,
        JSON.stringify(root),
        openedAtMs,
      ),
    findSession(id) {
      const row = one("SELECT id, agent, root, opened_at_ms FROM sessions WHERE id = ?", id);
      return row === undefined ? undefined : toSession(row);
    },
    listSessions: () =>
      all("SELECT id, agent, root, opened_at_ms FROM sessions ORDER BY ordinal").map(toSession),
    countEntries: () =>
      all(
        `SELECT session, sum(kind = 'started') AS started, sum(kind = 'ended') AS ended, max(at_ms) AS last
         FROM entries GROUP BY session`,
      ).map((row) => ({
        sessionId: row.session as string,
        started: row.started as number,
        ended: row.ended as number,
        lastAtMs: row.last as number,
      })),
  };
}

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

function entryRows({
  run,
  one,
  all,
}: Query): Pick<
  Store,
  "addEntry" | "findEntry" | "listEntries" | "listEnded" | "listCallIds" | "listSights" | "lastSeq"
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

function toBlob(row: SqlRow, hash: string): BlobRow {
  return {
    key: row.key as number,
    hash,
    bytes: row.bytes as number,
    characters: row.characters as number,
    lines: row.lines as number,
    marks: row.marks as Uint8Array,
  };
}

function blobRows(query: Query): Pick<Store, "keepBlob" | "findBlob" | "readPieces"> {
  const { run, all, one } = query;
  const findBlob: Store["findBlob"] = (hash) => {
    const sql = "SELECT key, bytes, characters, lines, marks FROM blobs WHERE hash = ?";
    const row = one(sql, Buffer.from(hash, "hex"));
    return row === undefined ? undefined : toBlob(row, hash);
  };
  return {
    findBlob,
    keepBlob(blob, sessionId) {
      const kept = findBlob(blob.hash) ?? addBlob(query, blob);
      run("INSERT INTO uses (session, blob) VALUES (?, ?) ON CONFLICT DO NOTHING", sessionId, kept.key);
      return kept;
    },
    readPieces({ key }, first, last) {
      const rows = all(
        "SELECT data FROM pieces WHERE blob = ? AND number BETWEEN ? AND ? ORDER BY number",
        key,
        first,
        last,
      );
      const pieces = rows.map((row) => row.data as Uint8Array);
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    },
  };
}

function addBlob({ run, one }: Query, { hash, bytes }: EncodedBlob): BlobRow {
  const { pieces, characters, lines, marks } = cutBlob(bytes);
  const row = one(
    "INSERT INTO blobs (hash, bytes, characters, lines, marks) VALUES (?, ?, ?, ?, ?) RETURNING key",
    Buffer.from(hash, "hex"),
    bytes.length,
    characters,
    lines,
    marks,
  );
  const key = row?.key as number;
  for (const [number, piece] of pieces.entries())
    run("INSERT INTO pieces (blob, number, data) VALUES (?, ?, ?)", key, number, piece);
  return { key, hash, bytes: bytes.length, characters, lines, marks };
}

function holderRows({ run, one }: Query): Pick<Store, "findHolder" | "setHolder" | "dropHolder"> {
  return {
    findHolder: (sessionId) =>
      one("SELECT holder FROM holders WHERE session = ?", sessionId)?.holder as string | undefined,
    setHolder: (sessionId, holder) =>
      run("INSERT OR REPLACE INTO holders (session, holder) VALUES (?, ?)", sessionId, holder),
    dropHolder: (sessionId, holder) =>
      run("DELETE FROM holders WHERE session = ? AND holder = ?", sessionId, holder),
  };
}

/** Within a transaction: `pruning` is empty again before anybody else sees it. */
function removeSessions({ run, one }: Query, ids: readonly string[]): number {
  for (const id of ids) run("INSERT INTO pruning (session) VALUES (?) ON CONFLICT DO NOTHING", id);
  const pruned = "IN (SELECT session FROM pruning)";
  const unused = "NOT EXISTS (SELECT 1 FROM uses WHERE uses.blob = blobs.key)";
  run(`DELETE FROM uses WHERE session ${pruned}`);
  run(`DELETE FROM entries WHERE session ${pruned}`);
  run(`DELETE FROM holders WHERE session ${pruned}`);
  const freed = Number(one(`SELECT coalesce(sum(bytes), 0) AS freed FROM blobs WHERE ${unused}`)?.freed);
  run(`DELETE FROM pieces WHERE blob IN (SELECT key FROM blobs WHERE ${unused})`);
  run(`DELETE FROM blobs WHERE ${unused}`);
  run(`DELETE FROM sessions WHERE id ${pruned}`);
  run("DELETE FROM pruning");
  return freed;
}
