/**
 * Owns reading folders for hints: what is in a real directory, each read once for one question.
 * Leaves what a hint is made of to suggest.ts and meant-path.ts. Rule: a hint that cannot be had is none; ours are
 * left out. A folder of 100,000 entries takes 0.2 s to read, so it is read once and not four times.
 */
import type { Dirent } from "node:fs";
import type { Root } from "../contract/root.ts";
import { openDirectory } from "./directory.ts";
import { errorCode } from "./system-error.ts";
import { isTemporaryName } from "./temporary-name.ts";

/** More are in no order: sorting them would take longer than all else. */
const MOST_SORTED = 20_000;

/** The entries of a real directory; undefined where it is none or cannot be read. */
export type ReadFolder = (path: string) => Promise<readonly Dirent<Buffer>[] | undefined>;

export function readFoldersOnce(root: Root): ReadFolder {
  const known = new Map<string, readonly Dirent<Buffer>[] | undefined>();
  return async (path) => {
    if (!known.has(path)) known.set(path, await readEntries(root, path));
    return known.get(path);
  };
}

/** By bytes of the name, up to a bound. */
async function readEntries(root: Root, path: string): Promise<Dirent<Buffer>[] | undefined> {
  try {
    const directory = await openDirectory(root.disk, path);
    if (directory === undefined) return undefined;
    try {
      const all = await root.disk.readdir(directory.self);
      const entries = all.filter((entry) => !isTemporaryName(entry.name));
      return entries.length > MOST_SORTED ? entries : entries.sort(compareEntries);
    } finally {
      await directory.close();
    }
  } catch (error) {
    // A hint that fails is no hint; only a bug of ours goes on.
    if (errorCode(error) === "") throw error;
    return undefined;
  }
}

/** The first few by bytes, whatever the order. */
export function firstEntries(entries: readonly Dirent<Buffer>[], most: number): Dirent<Buffer>[] {
  if (entries.length <= MOST_SORTED) return entries.slice(0, most);
  const first: Dirent<Buffer>[] = [];
  for (const entry of entries) {
    const last = first.at(most - 1);
    if (last !== undefined && compareEntries(last, entry) <= 0) continue;
    const at = first.findIndex((one) => compareEntries(entry, one) < 0);
    first.splice(at === -1 ? first.length : at, 0, entry);
    first.length = Math.min(first.length, most);
  }
  return first;
}

function compareEntries(a: Dirent<Buffer>, b: Dirent<Buffer>): number {
  return Buffer.compare(a.name, b.name);
}
