/**
 * Owns what an error of SQLite means for whoever opened the ledger.
 * Leaves the rest to ledger-error.ts. Rule: every failure of the database names the file and a way out.
 */

import { LedgerError, type LedgerErrorCode } from "./ledger-error.ts";
import { tellFullDisk } from "./ledger-file.ts";

/** https://www.sqlite.org/rescode.html: the low eight bits of an error's number. */
const MEANINGS: ReadonlyMap<number, { code: LedgerErrorCode; what: string; wayOut: string }> = new Map([
  [3, denied("may not be opened")],
  [5, busy()],
  [6, busy()],
  [8, denied("cannot be written")],
  [10, denied("cannot be read or written")],
  [11, damaged()],
  [13, { code: "full", what: "has no room left on its disk", wayOut: "make room there" }],
  [14, denied("cannot be opened")],
  [26, { code: "foreign", what: "is no SQLite database, so no ledger of haft", wayOut: otherPath() }],
]);

const MAY_BE_FULL = new Set([8, 10, 14]);

function otherPath(): string {
  return "move it away, or name another path with the option ledger";
}

function denied(what: string): { code: LedgerErrorCode; what: string; wayOut: string } {
  return {
    code: "unwritable",
    what,
    wayOut:
      'make it and its directory writable, name another path with the option ledger, or keep it in memory with ledger: "memory"',
  };
}

function damaged(): { code: LedgerErrorCode; what: string; wayOut: string } {
  return {
    code: "damaged",
    what: "is damaged",
    wayOut: `${otherPath()}; sqlite3 FILE .recover reads what is left of it`,
  };
}

function busy(): { code: LedgerErrorCode; what: string; wayOut: string } {
  return {
    code: "busy",
    what: "is held by another process that does not let go of it",
    wayOut: "end that process, or name another path with the option ledger",
  };
}

export function damagedFile(path: string): LedgerError {
  return new LedgerError({ ...damaged(), what: `the ledger ${path} is damaged` });
}

/** SQLite's number of an error, without its extension; undefined where it is no error of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

export function explainSqliteError(error: unknown, path: string): unknown {
  if (error instanceof LedgerError) return error;
  const meaning = MEANINGS.get(sqliteCode(error) ?? -1);
  if (meaning === undefined) return error;
  // Without room for the files that it makes beside the database, SQLite says only that it could not.
  const told = MAY_BE_FULL.has(sqliteCode(error) ?? -1) ? { ...meaning, ...tellFullDisk(path) } : meaning;
  return new LedgerError({ ...told, what: `the ledger ${path} ${told.what}`, cause: error });
}
