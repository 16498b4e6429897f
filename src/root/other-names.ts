/**
 * Owns finding under which other names a file is in the root: its hard links.
 * Leaves which names matter to permission/. Rule: no link is followed, nothing is opened but folders, shallow folders
 * come first, and the search ends at a bound. The attack: `ln secrets/key open`, and a rule about `secrets/**` is asked
 * of `open`.
 */
import { lstatSync } from "node:fs";
import { sep } from "node:path";
import type { Place } from "../contract/access.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { type Directory, openDirectory } from "./directory.ts";
import { inspect } from "./inspect.ts";
import { errorCode } from "./system-error.ts";

/** Entries that are looked at: some 100 ms where a rule speaks of the whole tree. */
const MAX_ENTRIES = 20_000;

/** Paths are relative to the root, with `/`. */
export interface NameSearch {
  readonly root: Root;
  readonly signal: AbortSignal;
  /** Names that matter may lie below this folder. */
  readonly mayEnter: (folder: string) => boolean;
  readonly isMeant: (path: string) => boolean;
}

/** Device and inode of files with several names, and those of their names that matter. */
export type LinkedNames = ReadonlyMap<string, readonly string[]>;

/** The names that matter of files that have more than one name. */
export async function gatherLinkedNames(search: NameSearch): Promise<LinkedNames> {
  const found = new Map<string, string[]>();
  const folders: Folder[] = [{ bytes: Buffer.from(search.root.path), path: "" }];
  let left = MAX_ENTRIES;
  for (let folder = folders.shift(); folder !== undefined && left > 0; folder = folders.shift())
    left = await lookInto(search, { folder, folders, found, left });
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
  /** Its real path: not every name is UTF-8. */
  readonly bytes: Buffer;
  /** Relative to the root; empty for the root. */
  readonly path: string;
}

interface Looking {
  readonly folder: Folder;
  readonly folders: Folder[];
  readonly found: Map<string, string[]>;
  readonly left: number;
}

/** How many entries may still be looked at. */
async function lookInto(search: NameSearch, { folder, folders, found, left }: Looking): Promise<number> {
  let rest = left;
  let directory: Directory | undefined;
  try {
    directory = await openDirectory(search.root.disk, folder.bytes);
    if (directory === undefined) return rest;
    for await (const entry of search.root.disk.entries(directory.self)) {
      search.signal.throwIfAborted();
      if (rest-- <= 0) return 0;
      const name = entry.name.toString("utf8");
      const path = folder.path === "" ? name : `${folder.path}/${name}`;
      if (entry.isDirectory() && search.mayEnter(path))
        folders.push({ bytes: joinBytes(folder.bytes, entry.name), path });
      if (!entry.isFile() || !search.isMeant(path)) continue;
      const stats = await search.root.disk.lstat(directory.child(entry.name));
      if (!stats.isFile() || stats.nlink < 2n) continue;
      const names = found.get(identityOf(stats)) ?? [];
      found.set(identityOf(stats), [...names, path]);
    }
    return rest;
  } catch (error) {
    // What went or was closed meanwhile has no names that could be found. Anything else fails the call, and so closed.
    if (!GONE.has(errorCode(error))) throw error;
    return rest;
  } finally {
    await directory?.close();
  }
}

function joinBytes(folder: Buffer, name: Buffer): Buffer {
  const between = folder.at(-1) === SEPARATOR[0] ? [] : [SEPARATOR];
  return Buffer.concat([folder, ...between, name]);
}

const SEPARATOR = Buffer.from(sep);
const GONE = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"]);
