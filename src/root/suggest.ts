/**
 * Owns what is told about a path that is missing: the nearest directory with what is in it, files of that name
 * elsewhere, near spellings. Leaves the words to toolset/phrase.ts.
 * Rule: bounded. A wrong path costs a look around, never a walk over everything; links are not followed.
 */

import type { Dirent } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Place } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { isInside, showBelow } from "./containment.ts";
import { findMeantPath } from "./meant-path.ts";
import { findNearNames } from "./near-names.ts";
import { type FolderNames, firstEntries, type ReadFolder, readFoldersOnce } from "./read-folders.ts";
import { showName, showOddCharacters } from "./show-name.ts";
import { foldName } from "./twin.ts";

/** Entries of the nearest directory that are named: enough to see what kind of directory it is. */
const MAX_NEAREST = 10;
const MAX_SAME_NAME = 10;
/** Entries that are looked at for the same name: well under half a second on a slow disk. */
const MAX_LOOKED_AT = 20_000;
/** Made by tools, large, and never where the asked file is meant to be. */
const NOT_SEARCHED = new Set([".git", "node_modules", "target"]);

/** The refusal for a path that does not exist. */
export async function refuseMissing(root: Root, place: Place): Promise<Refusal> {
  const read = readFoldersOnce(root);
  const nearest = await findNearest(root, place, read);
  const near = findNearNames(
    nearest.missing,
    nearest.entries.map((entry) => entry.name),
  ).map((name) => show(root, join(nearest.path, showNear(nearest.missing, name))));
  const meant = place.contained ? await findMeantPath(root, place.asked, read) : undefined;
  return refuse("path-missing", {
    path: place.shown,
    nearest: {
      path: show(root, nearest.path),
      entries: firstEntries(nearest.entries, MAX_NEAREST).map(showEntry),
      total: nearest.entries.length,
      ...(nearest.isCut && { isAtLeast: true as const }),
    },
    sameName: place.contained ? await findSameName(root, basename(place.real), read) : [],
    similar: meant === undefined || near.includes(meant) ? near : [meant, ...near],
  });
}

function show(root: Root, path: string): string {
  return isInside(root.path, path) ? showBelow(root.path, path) : path;
}

/** Of names that look like the asked one only the odd characters tell anything. */
function showNear(asked: string, name: string): string {
  return foldName(asked) === foldName(name) ? showOddCharacters(name) : name;
}

function showEntry(entry: Dirent<Buffer>): string {
  return entry.isDirectory() ? `${showName(entry.name)}/` : showName(entry.name);
}

/** The deepest directory on the way to a place that can be read, its entries, and the name that is not in it. */
async function findNearest(
  root: Root,
  place: Place,
  read: ReadFolder,
): Promise<FolderNames & { readonly path: string; readonly missing: string }> {
  for (let path = place.real; ; ) {
    const missing = basename(path);
    const parent = dirname(path);
    if (parent === path || (place.contained && !isInside(root.path, parent))) {
      return { path: root.path, missing, entries: [], isCut: false };
    }
    const names = await read(parent);
    if (names !== undefined) return { path: parent, missing, ...names };
    path = parent;
  }
}

/** Breadth first, so that the nearest to the root come before the bound is met. */
async function findSameName(root: Root, name: string, read: ReadFolder): Promise<string[]> {
  const wanted = Buffer.from(name);
  const found: string[] = [];
  const queue = [root.path];
  let lookedAt = 0;
  for (let path = queue.shift(); path !== undefined && lookedAt < MAX_LOOKED_AT; path = queue.shift()) {
    for (const entry of (await read(path))?.entries ?? []) {
      lookedAt += 1;
      if (lookedAt > MAX_LOOKED_AT || found.length >= MAX_SAME_NAME) return found.sort(compareBytes);
      if (entry.isDirectory()) {
        const below = entry.name.toString("utf8");
        if (!NOT_SEARCHED.has(below)) queue.push(join(path, below));
      } else if (entry.isFile() && entry.name.equals(wanted)) {
        found.push(showBelow(root.path, join(path, name)));
      }
    }
  }
  return found.sort(compareBytes);
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
