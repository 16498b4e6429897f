/**
 * Owns what a fence shows of haft's own state.
 * Leaves the layout around it to fence-layout.ts. Rule: the scratch folder, what keeps git out of it, and nothing else.
 */
import { join } from "node:path";
import { isInAny, keepTopmost } from "../process/confine/path-order.ts";
import type { FencedPaths } from "../root/fenced-paths.ts";
import { findReal, isFile, isFolder } from "../root/look-quietly.ts";
import { findTracked } from "../root/tracked-names.ts";

export interface StateRequest {
  readonly found: Pick<FencedPaths, "gits" | "hafts">;
  /** Beside every `.haft`: ledgers and folders of state. */
  readonly kept: readonly string[];
  /** Scratch is among it. */
  readonly writable: readonly string[];
}

/** Beside a ledger, which is a file. */
const LEDGER_FILES = ["", "-wal", "-shm", "-journal"];

/**
 * Of haft's own state a command finds the scratch folder alone, and what keeps git out of it: a ledger holds what was
 * read before a rule withheld it, and what other commands have printed. What of it git tracks cannot be opened, as
 * elsewhere: else it would be recorded as deleted.
 */
export function layState(
  { found, kept, writable }: StateRequest,
  seen: (paths: readonly string[]) => readonly string[],
) {
  const places = kept.flatMap((path) => findReal(path) ?? []);
  const folders = keepTopmost(seen([...found.hafts, ...places].filter(isFolder)));
  const shown = folders.map((folder) => join(folder, ".gitignore")).filter(isFile);
  const files = places.flatMap((path) => LEDGER_FILES.map((end) => `${path}${end}`)).filter(isFile);
  const apart = seen(files).filter((path) => !isInAny(folders, path));
  const tracked = findTracked(found.gits, folders).filter((path) => !shown.includes(path) && isFile(path));
  return {
    folders,
    files: [...apart, ...tracked],
    shown,
    writable: writable.filter((path) => isInAny(folders, path)),
  };
}
