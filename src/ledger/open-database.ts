/**
 * Owns the way from a path to an open database that is a ledger of the present version.
 * Leaves the file itself to ledger-file.ts and the rows to sqlite-store.ts. Rule: a file is first asked what it is,
 * through a connection that cannot write; what is not ours, damaged or newer is refused with not a byte changed.
 */
import type { Database, OpenDatabase } from "./driver.ts";
import { findDriver } from "./find-driver.ts";
import { LedgerError } from "./ledger-error.ts";
import { closeToOthers, type LedgerFile, settleLedgerFile } from "./ledger-file.ts";
import { damagedFile, explainSqliteError, sqliteCode } from "./sqlite-error.ts";
import { APPLICATION_ID, type FileIdentity, identify, migrate, SCHEMA_VERSION } from "./sqlite-schema.ts";
import { PATIENCE_MS } from "./wait-for-ledger.ts";

/** WAL beyond this is cut back once it has been copied: one large result must not leave a large file for ever. */
const WAL_BYTES = 16_777_216;
const READONLY = 8;
const CANNOT_OPEN = 14;
const BUSY = 5;

export interface DatabaseRequest {
  readonly path: string;
  /** Makes the file where it is missing. */
  readonly create: boolean;
  readonly inState?: boolean;
  readonly driver?: OpenDatabase;
  /** How long whatever is done may wait for the transaction of another process. The waiting blocks the thread. */
  readonly blockMs?: number;
}

export function openDatabase(request: DatabaseRequest): Database {
  const { path, create, inState = false, driver = findDriver(), blockMs = PATIENCE_MS } = request;
  const file = settleLedgerFile(path, { create, inState });
  try {
    const isKnown = file.size === 0 || probe({ path, driver, blockMs }, file);
    // Before SQLite makes files beside it, which get its mode.
    if (isKnown) closeToOthers(path);
    const database = openForWriting({ path, driver, blockMs });
    if (!isKnown) closeToOthers(path);
    return database;
  } catch (error) {
    throw explainSqliteError(error, path);
  }
}

type Opening = Required<Pick<DatabaseRequest, "path" | "driver" | "blockMs">>;

/** Looks at a file that is there already, and says whether it could be looked at. */
function probe({ path, driver, blockMs }: Opening, { size, logSize }: LedgerFile): boolean {
  try {
    withDatabase(driver(path, { readOnly: true }), (database) => {
      database.exec(`PRAGMA busy_timeout = ${blockMs}`);
      const found = identify(database);
      judge(path, found);
      // SQLite tells a file that lost whole pages, and reads the rest of a torn one as zeros. With a log beside it, a
      // torn page is what a killed process leaves, and the log has it whole.
      if (logSize === 0 && size % found.pageBytes !== 0) throw damagedFile(path);
    });
    return true;
  } catch (error) {
    // The journal of a process that was killed while it made this very file has to be rolled back first.
    const code = sqliteCode(error);
    if (code !== READONLY && code !== CANNOT_OPEN) throw error;
    return false;
  }
}

function withDatabase(database: Database, act: (database: Database) => void): void {
  try {
    act(database);
  } finally {
    database.close();
  }
}

/** Refuses what is not ours. An empty database, of which nothing says whose it is, becomes ours. */
function judge(path: string, { applicationId, version, tables }: FileIdentity): void {
  if (applicationId === 0 && version === 0 && tables === 0) return;
  if (applicationId !== APPLICATION_ID)
    throw new LedgerError({
      code: "foreign",
      what: `${path} is a database of another program, and no ledger of haft`,
      wayOut: "name another path with the option ledger",
    });
  if (version > SCHEMA_VERSION)
    throw new LedgerError({
      code: "newer",
      what: `the ledger ${path} was written by a later version of haft (its format is ${version}, this one knows ${SCHEMA_VERSION})`,
      wayOut: "use that version, or name another path with the option ledger",
    });
}

function openForWriting({ path, driver, blockMs }: Opening): Database {
  const database = driver(path, { readOnly: false });
  try {
    database.exec(`PRAGMA busy_timeout = ${blockMs}`);
    settleSchema(path, database);
    enterWal(database, blockMs);
    // NORMAL in WAL: a commit is in the system's hands when it returns, so a killed process loses nothing. It is not
    // flushed to the device each time, which costs milliseconds: the loss of power may cost the last calls, in order,
    // and never damages the file.
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA foreign_keys = ON");
    database.exec(`PRAGMA journal_size_limit = ${WAL_BYTES}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Makes or migrates the tables, unless another process has done so. */
function settleSchema(path: string, database: Database): void {
  const found = identify(database);
  judge(path, found);
  if (found.version === SCHEMA_VERSION) return;
  // Of effect on an empty database alone: what pruning frees can then be given back to the disk.
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("BEGIN IMMEDIATE");
  try {
    const present = identify(database);
    judge(path, present);
    if (present.version < SCHEMA_VERSION) migrate(database, present.version);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** The change of mode does not wait as transactions do where two processes make it at once. */
function enterWal(database: Database, blockMs: number): void {
  const deadline = Date.now() + blockMs;
  for (;;) {
    try {
      // A file system without shared memory keeps the rollback journal: slower, and as safe.
      database.prepare("PRAGMA journal_mode = WAL").get();
      return;
    } catch (error) {
      if (sqliteCode(error) !== BUSY || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
