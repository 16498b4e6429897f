/**
 * Owns finding under which other names a file is in the root: its hard links.
 * Leaves which names matter to permission/. Rule: no link is followed, nothing is opened but folders, shallow folders
 * come first, and a search that ends at its bound says so. The attack: `ln secrets/key open`, and a rule about `secrets/**` is asked
 * of `open`.
 */
import { type BigIntStats, lstatSync } from "node:fs";
import type { Place } from "../contract/access.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { binaryOfText, bytesOfBinary } from "../text/path-text.ts";
import { inspect } from "./inspect.ts";
import type { FolderEntry } from "./read-entries.ts";
import { finishIn, makeSlices } from "./search-pump.ts";
import { walkDisk } from "./walk-disk.ts";

/** Entries that are looked at: 2 ms where a rule names a folder, some 100 ms for each 20,000 of a whole tree. */
const MAX_ENTRIES = 100_000;

/** Paths are relative to the root, with `/`. */
export interface NameSearch {
  readonly root: Root;
  readonly signal: AbortSignal;
  /** Names that matter may lie below this folder. */
  readonly mayEnter: (folder: string) => boolean;
  readonly isMeant: (path: string) => boolean;
  /** Where to begin: folders or files, each with the name by which rules know it. The root alone where it is absent. */
  readonly bases?: readonly Base[];
  readonly maxEntries?: number;
}

export interface Base {
  /** Where it is, without a link; `.` for the root. */
  readonly at: string;
  readonly name: string;
}

export interface FoundNames {
  readonly names: LinkedNames;
  /** False where the search ended at its bound: there may be more. */
  readonly isWhole: boolean;
}

/** Device and inode of files with several names, and those of their names that matter. */
export type LinkedNames = ReadonlyMap<string, readonly string[]>;

/** The names that matter of files that have more than one name. */
export async function gatherLinkedNames(search: NameSearch): Promise<FoundNames> {
  const names = new Map<string, string[]>();
  const isWhole = await finishIn(makeSlices(search.signal), look(search, names));
  return { names, isWhole };
}

/** What tells a regular file with several names from all others; undefined where there is no such file. */
export async function findIdentity(root: Root, place: Place): Promise<string | undefined> {
  const state = await inspect(root, place);
  if (isRefusal(state) || state.kind !== "file" || state.stats === undefined || state.stats.nlink < 2n)
    return undefined;
  return identityOf(state.stats);
}

/** The same of what is at a real path now. `unseen` where the path cannot be looked at, as one that is not UTF-8. */
export function identifyNow(real: string): string | "unseen" | undefined {
  try {
    const stats = lstatSync(real, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return real.includes("\uFFFD") ? "unseen" : undefined;
    return stats.isFile() && stats.nlink > 1n ? identityOf(stats) : undefined;
  } catch {
    return "unseen";
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

interface Folder {
  /** Its real path, a binary string: not every name is UTF-8. */
  readonly real: string;
  /** Relative to the root; empty for the root. */
  readonly path: string;
}

function* look(search: NameSearch, found: Map<string, string[]>): Generator<undefined, boolean> {
  const folders = startIn(search, found);
  let left = search.maxEntries ?? MAX_ENTRIES;
  // Those that are found meanwhile are looked into after those that lie above them.
  for (const folder of folders) {
    for (const entries of readPieces(folder)) {
      for (const entry of entries) {
        if (left-- <= 0) return false;
        const name = bytesOfBinary(entry.name).toString("utf8");
        const path = folder.path === "" ? name : `${folder.path}/${name}`;
        const real = `${folder.real === "/" ? "" : folder.real}/${entry.name}`;
        if (entry.kind === "directory" && search.mayEnter(path)) folders.push({ real, path });
        if (entry.kind === "file" && search.isMeant(path)) keepName(found, { real, path });
      }
      yield undefined;
    }
  }
  return true;
}

/** Bases that are files are told at once. */
function startIn({ root, bases, isMeant }: NameSearch, found: Map<string, string[]>): Folder[] {
  const top = binaryOfText(root.path);
  return (bases ?? [{ at: ".", name: "" }]).map(({ at, name }) => {
    const path = name === "." ? "" : name;
    const base = { real: at === "." ? top : `${top === "/" ? "" : top}/${binaryOfText(at)}`, path };
    if (path !== "" && isMeant(path)) keepName(found, base);
    return base;
  });
}

/** What cannot be looked into, or leads elsewhere by now, has no names that could be found. */
function* readPieces({ real }: Folder): Generator<readonly FolderEntry[], void> {
  const read = walkDisk.readFolder(real);
  if ("error" in read) return;
  if ("entries" in read) yield read.entries;
  else for (const piece of read.pieces) if (!("error" in piece)) yield piece;
}

function keepName(found: Map<string, string[]>, { real, path }: Folder): void {
  let stats: BigIntStats | undefined;
  try {
    stats = lstatSync(bytesOfBinary(real), { bigint: true, throwIfNoEntry: false });
  } catch {
    // The folder may be listed and not entered: then this is no name by which the file is reached.
    return;
  }
  if (stats?.isFile() !== true || stats.nlink < 2n) return;
  const identity = identityOf(stats);
  found.set(identity, [...(found.get(identity) ?? []), path]);
}
