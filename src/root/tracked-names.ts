/**
 * Owns finding one file that git tracks in each folder below those that a fence empties.
 * Leaves laying something in its place to the fence. Rule: a bound, and git's index is only looked through, never
 * believed: a name that is found wrongly is one more that cannot be opened. The harm: in an empty folder git takes what
 * it tracks for deleted, and `git commit -a` would say so to everybody. Of what is neither a file nor gone it adds nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isInside } from "./containment.ts";
import { readPointer } from "./git-parts.ts";

const MAX_FOLDERS = 40;
const MAX_NAMES = 20_000;
/** From here on names are written as what they differ in from the one before. */
const SHORTENED = 4;

/** `gits` are the paths of all that is called `.git`. */
export function findTracked(gits: readonly string[], folders: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const git of folders.length === 0 ? [] : gits) {
    const tree = dirname(git);
    const below = folders.filter((folder) => isInside(tree, folder));
    const index = below.length === 0 ? undefined : readIndex(git);
    if (index === undefined) continue;
    for (const folder of below) searchIndex(index, { tree, folder }, found);
  }
  return [...found.values()];
}

function searchIndex(
  index: Buffer,
  { tree, folder }: { readonly tree: string; readonly folder: string },
  found: Map<string, string>,
): void {
  if (index.readUInt32BE(4) >= SHORTENED) {
    for (const name of listFiles(folder).slice(0, 1)) found.set(folder, join(folder, name));
    return;
  }
  const wanted = Buffer.from(`${relative(tree, folder)}/`);
  let at = index.indexOf(wanted);
  for (let count = 0; at >= 0 && count < MAX_NAMES && found.size < MAX_FOLDERS; count++) {
    const end = index.indexOf(0, at);
    if (end < 0) return;
    const path = join(tree, index.toString("utf8", at, end));
    if (isInside(folder, path) && !found.has(dirname(path))) found.set(dirname(path), path);
    at = index.indexOf(wanted, end);
  }
}

function readIndex(git: string): Buffer | undefined {
  try {
    const directory = readPointer(git) ?? git;
    const index = readFileSync(join(directory, "index"));
    return index.length > 12 ? index : undefined;
  } catch {
    return undefined;
  }
}

function listFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}
