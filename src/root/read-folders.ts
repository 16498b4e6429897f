/**
 * Owns reading folders for hints: what is in a real directory, each read once for one question.
 * Leaves what a hint is made of to suggest.ts and meant-path.ts. Rule: a hint that cannot be had is none; ours are
 * left out; of a huge folder a bounded part is read, and that is told.
 */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { Root } from "../contract/root.ts";
import { openDirectory } from "./directory.ts";
import { errorCode } from "./system-error.ts";
import { isTemporaryName } from "./temporary-name.ts";

/** Entries read of one folder: some 0.2 s. A refusal is no reason to read a million names. */
const MOST_READ = 50_000;
/** More are in no order: sorting them would take longer than all else. */
const MOST_SORTED = 20_000;

const STATE = Buffer.from(".haft");

export interface FolderNames {
  readonly entries: readonly Dirent<Buffer>[];
  /** There are more entries than were read. */
  readonly isCut: boolean;
}

/** What is in a real directory; undefined where it is none or cannot be read. */
export type ReadFolder = (path: string) => Promise<FolderNames | undefined>;

export function readFoldersOnce(root: Root): ReadFolder {
  const known = new Map<string, FolderNames | undefined>();
  return async (path) => {
    if (!known.has(path)) known.set(path, await readNames(root, path));
    return known.get(path);
  };
}

/** By bytes of the name, up to a bound. */
async function readNames(root: Root, path: string): Promise<FolderNames | undefined> {
  try {
    const directory = await openDirectory(root.disk, path);
    if (directory === undefined) return undefined;
    try {
      const entries: Dirent<Buffer>[] = [];
      let isCut = false;
      for await (const entry of root.disk.entries(directory.self)) {
        isCut = entries.length >= MOST_READ;
        if (isCut) break;
        if (!isOurs(entry) && !isWithheld(root, path, entry)) entries.push(entry);
      }
      if (entries.length <= MOST_SORTED) entries.sort(compareEntries);
      return { entries, isCut };
    } finally {
      await directory.close();
    }
  } catch (error) {
    // A hint that fails is no hint; only a bug of ours goes on.
    if (errorCode(error) === "") throw error;
    return undefined;
  }
}

/** As walks leave it out: nothing that is asked for is meant to be there. */
function isOurs(entry: Dirent<Buffer>): boolean {
  return isTemporaryName(entry.name) || (entry.isDirectory() && STATE.equals(entry.name));
}

/** The attack: a path that is missing on purpose, to be told what lies beside it. */
function isWithheld(root: Root, path: string, { name }: Dirent<Buffer>): boolean {
  return root.withholds !== undefined && root.withholds(join(path, name.toString("utf8"))) !== undefined;
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
