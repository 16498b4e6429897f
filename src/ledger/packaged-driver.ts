/**
 * Owns the SQLite of the optional package, for a Node that has none of its own.
 * Leaves choosing it to find-driver.ts. Rule: nothing is loaded before it is asked for.
 */
import { createRequire } from "node:module";
import type { OpenDatabase, SqliteModule } from "./driver.ts";

export const DRIVER_PACKAGE = "@photostructure/sqlite";

/** Undefined where the package was not installed, or has no build for this platform. */
export function findPackagedDriver(): OpenDatabase | undefined {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)(DRIVER_PACKAGE) as SqliteModule;
    return (path, options) => new DatabaseSync(path, options);
  } catch {
    return undefined;
  }
}
