/**
 * Owns the SQLite that Node brings, from 22.13 on.
 * Leaves choosing it to find-driver.ts. Rule: nothing is loaded before it is asked for.
 */
import { createRequire } from "node:module";
import type { OpenDatabase, SqliteModule } from "./driver.ts";

/** Undefined where this Node has none, or hides it behind a flag. */
export function findNodeDriver(): OpenDatabase | undefined {
  try {
    const { DatabaseSync } = requireQuietly();
    return (path, options) => new DatabaseSync(path, options);
  } catch {
    return undefined;
  }
}

/** Node calls the module experimental on standard error, which a person at a command line can do nothing about. */
function requireQuietly(): SqliteModule {
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return createRequire(import.meta.url)("node:sqlite") as SqliteModule;
  } finally {
    process.emitWarning = warn;
  }
}
