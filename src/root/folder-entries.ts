/**
 * Owns reading one folder of a walk into the order of paths, in pieces.
 * Leaves which entries count to walk.ts. Rule: it pauses often, so that a folder of a hundred thousand entries
 * holds up the event loop no longer than any other.
 */
import { compareBinary } from "../text/path-text.ts";
import type { FolderEntry } from "./read-entries.ts";
import type { WalkDisk } from "./walk-disk.ts";

/** Entries that are sorted in one go: about a millisecond. */
const RUN = 1000;

interface Keyed {
  readonly entry: FolderEntry;
  readonly key: string;
}

/** The entries in the order of whole paths. Yields undefined for a pause. */
export function* readSorted(
  disk: WalkDisk,
  real: string,
): Generator<undefined, { readonly entries: readonly FolderEntry[] } | { readonly error: string }> {
  const read = disk.readFolder(real);
  if ("error" in read) return read;
  if ("entries" in read && read.entries.length <= RUN) return { entries: sortSmall(read.entries) };
  const entries: FolderEntry[] = [];
  if ("entries" in read) entries.push(...read.entries);
  else {
    for (const piece of read.pieces) {
      if ("error" in piece) return piece;
      for (const entry of piece) entries.push(entry);
      yield undefined;
    }
  }
  return { entries: yield* sortInRuns(entries) };
}

/** Most folders are read in the order of names already, and few have a name that goes on from a folder's. */
function sortSmall(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  for (let i = 1; i < entries.length; i++) {
    if (!isInOrder(entries[i - 1] as FolderEntry, entries[i] as FolderEntry))
      return sortRun(entries).map(entryOf);
  }
  return entries;
}

function isInOrder(a: FolderEntry, b: FolderEntry): boolean {
  if (a.name >= b.name) return false;
  // What goes on from a folder's name may belong in front of what lies in the folder: `a`, then `a.ts`.
  return a.kind !== "directory" || !b.name.startsWith(a.name) || keyOf(a) < keyOf(b);
}

function keyOf({ name, kind }: FolderEntry): string {
  return kind === "directory" ? `${name}/` : name;
}

/** The order of whole paths: a folder stands where its entries do, `a.ts` before `a/b`. */
function sortRun(entries: readonly FolderEntry[]): Keyed[] {
  return entries.map((entry) => ({ entry, key: keyOf(entry) })).sort((a, b) => compareBinary(a.key, b.key));
}

function entryOf({ entry }: Keyed): FolderEntry {
  return entry;
}

function* sortInRuns(entries: readonly FolderEntry[]): Generator<undefined, FolderEntry[]> {
  let runs: Keyed[][] = [];
  for (let at = 0; at < entries.length; at += RUN) {
    runs.push(sortRun(entries.slice(at, at + RUN)));
    yield undefined;
  }
  while (runs.length > 1) {
    const merged: Keyed[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(yield* mergeRuns(runs[i] as Keyed[], runs[i + 1] ?? []));
    }
    runs = merged;
  }
  return (runs[0] ?? []).map(entryOf);
}

function* mergeRuns(left: readonly Keyed[], right: readonly Keyed[]): Generator<undefined, Keyed[]> {
  const merged: Keyed[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const a = left[l];
    const b = right[r];
    if (b === undefined || (a !== undefined && compareBinary(a.key, b.key) <= 0)) {
      merged.push(a as Keyed);
      l++;
    } else {
      merged.push(b);
      r++;
    }
    if (merged.length % RUN === 0) yield undefined;
  }
  return merged;
}
