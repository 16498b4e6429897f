/**
 * Owns the rows of a ledger in a SQLite file.
 * Leaves the tables to sqlite-schema.ts and opening to open-database.ts. Rule: the same answers as memory-store.ts,
 * by the same tests (ledger.test.ts).
 */
import type { Database, SqlRow } from "./driver.ts";
import { LedgerError } from "./ledger-error.ts";
import { type DatabaseRequest, openDatabase } from "./open-database.ts";
import { blobRows, removeSessions } from "./sqlite-blobs.ts";
import { commitmentRows } from "./sqlite-commitments.ts";
import { entryRows } from "./sqlite-entries.ts";
import { explainSqliteError } from "./sqlite-error.ts";
import { openQuery, type Query } from "./sqlite-query.ts";
import type { Store } from "./store.ts";
import { letOthersWrite } from "./wait-for-ledger.ts";

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
    ...blobRows(query, request.path),
    ...commitmentRows(query),
    ...holderRows(query),
    removeSessions: (ids) => removeSessions(query, ids),
    giveBackSpace() {
      const countFree = () => Number(query.one("PRAGMA freelist_count")?.freelist_count ?? 0);
      let free = countFree();
      for (let before = free + 1; free > 0 && free < before; ) {
        guard(() => database.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`));
        [before, free] = [free, countFree()];
        letOthersWrite();
      }
      guard(() => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    },
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}

/** 16 MB: some tens of milliseconds for which nobody else can write. */
const PAGES_AT_ONCE = 4_096;

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
