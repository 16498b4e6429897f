/**
 * Owns finding under which other names a file is in the root: its hard links.
 * Leaves which names matter to permission/. Rule: no link is followed, nothing is opened but folders, shallow folders
 * come first, and the search ends at a bound. The attack: `ln secrets/key open`, and a rule about `secrets/**` is asked
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

/** Entries that are looked at: some 100 ms where a rule speaks of the whole tree, 2 ms where it names a folder. */
const MAX_ENTRIES = 20_000;

/** Paths are relative to the root, with `/`. */
export interface NameSearch {
  readonly root: Root;
  readonly signal: AbortSignal;
  /** Names that matter may lie below this folder. */
  readonly mayEnter: (folder: string) => boolean;
  readonly isMeant: (path: string) => boolean;
  readonly maxEntries?: number;
}

/** Device and inode of files with several names, and those of their names that matter. */
export type LinkedNames = ReadonlyMap<string, readonly string[]>;

/** The names that matter of files that have more than one name. */
export async function gatherLinkedNames(search: NameSearch): Promise<LinkedNames> {
  const found = new Map<string, string[]>();
  await finishIn(makeSlices(search.signal), look(search, found));
  return found;
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

function* look(search: NameSearch, found: Map<string, string[]>): Generator<undefined, void> {
  const folders: Folder[] = [{ real: binaryOfText(search.root.path), path: "" }];
  let left = search.maxEntries ?? MAX_ENTRIES;
  // Those that are found meanwhile are looked into after those that lie above them.
  for (const folder of folders) {
    for (const entries of readPieces(folder)) {
      for (const entry of entries) {
        if (left-- <= 0) return;
        const name = bytesOfBinary(entry.name).toString("utf8");
        const path = folder.path === "" ? name : `${folder.path}/${name}`;
        const real = `${folder.real === "/" ? "" : folder.real}/${entry.name}`;
        if (entry.kind === "directory" && search.mayEnter(path)) folders.push({ real, path });
        if (entry.kind === "file" && search.isMeant(path)) keepName(found, { real, path });
      }
      yield undefined;
    }
  }
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
