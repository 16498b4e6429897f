/**
 * Owns which SQLite is used: Node's own before the package.
 * Leaves loading them to their files. Rule: where there is none the error says both ways out, and nothing falls back
 * to memory by itself: a ledger that silently forgets is worse than none.
 */
import type { OpenDatabase } from "./driver.ts";
import { LedgerError } from "./ledger-error.ts";
import { findNodeDriver } from "./node-driver.ts";
import { DRIVER_PACKAGE, findPackagedDriver } from "./packaged-driver.ts";

export type FindDriver = () => OpenDatabase | undefined;

/** The drivers in the order in which they are tried. */
const DRIVERS: readonly FindDriver[] = [findNodeDriver, findPackagedDriver];

export function findDriver(drivers: readonly FindDriver[] = DRIVERS): OpenDatabase {
  for (const find of drivers) {
    const open = find();
    if (open !== undefined) return open;
  }
  throw new LedgerError({
    code: "driver-missing",
    what: `there is no SQLite for the ledger: Node ${process.versions.node} brings none, and the package ${DRIVER_PACKAGE} is not installed`,
    wayOut: `keep the ledger in memory with the option ledger: "memory", run npm install ${DRIVER_PACKAGE}, or use Node 22.13 or later`,
  });
}
