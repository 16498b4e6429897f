/**
 * Owns the SQLite of the optional package, for a Node that has none of its own.
 * Leaves choosing it to find-driver.ts. Rule: nothing is loaded before it is asked for.
 */
import { createRequire } from "node:module";
import type { Database, OpenDatabase, SqliteModule } from "./driver.ts";

export const DRIVER_PACKAGE = "@photostructure/sqlite";

/** Undefined where the package was not installed, or has no build for this platform. */
export function findPackagedDriver(): OpenDatabase | undefined {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)(DRIVER_PACKAGE) as SqliteModule;
    return (path, options) => closeWhole(new DatabaseSync(path, options));
  } catch {
    return undefined;
  }
}

/**
 * Closing this driver leaves the file open behind the scenes until its statements have been collected as garbage, and
 * there is no way to end a statement. Until then the last calls would stand in the write-ahead log alone.
 */
function closeWhole(database: Database): Database {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close() {
      try {
        // Waits for nobody.
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      } catch {
        // Opened for reading alone, or no database at all: there is nothing of ours in its log.
      }
      database.close();
    },
  };
}
