/**
 * Owns what a call claims: everything, or the places that it reads and writes.
 * Leaves waiting to turns.ts. Rule: never too little. A path is claimed by what it really is, by every link that
 * leads to it, and by its file where that has other names; a folder stands for all that is in it. What changes
 * something without saying where claims everything.
 */
import { dirname, isAbsolute, resolve } from "node:path";
import type { PathUse, Place } from "../contract/access.ts";
import type { Disk } from "../contract/disk.ts";
import type { Root } from "../contract/root.ts";
import { isInside } from "../root/containment.ts";
import { locate } from "../root/resolve.ts";
import { errorCode } from "../root/system-error.ts";
import type { PreparedCall } from "../toolset/mounted.ts";

export interface Claims {
  /** Runs alone. */
  readonly isExclusive: boolean;
  /** Absolute paths, each with what is below it; `#device:inode` for a file of several names. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** It can change where paths lead: it makes, moves or takes away names, links among them. */
  readonly reaims: boolean;
}

export const EVERYTHING: Claims = { isExclusive: true, reads: [], writes: [], reaims: true };
export const NOTHING: Claims = { isExclusive: false, reads: [], writes: [], reaims: false };

/** What a call that has passed the gate will touch. */
export async function findClaims(root: Root, prepared: PreparedCall): Promise<Claims> {
  const { access, places, tool } = prepared;
  const writes = access.paths.some((use) => use.effect === "writes");
  const changes = !tool.annotations.readOnlyHint;
  if (access.isUndeclared === true || access.runs.length > 0 || (changes && !writes)) return EVERYTHING;
  const claims = { isExclusive: false, reads: [] as string[], writes: [] as string[], reaims: false };
  for (const use of access.paths) {
    const place = places.get(use.argument);
    if (place === undefined) continue;
    const found = await findPaths(root, use, place);
    claims.reads.push(...found.links);
    (use.effect === "writes" ? claims.writes : claims.reads).push(...found.itself);
    claims.reaims ||= use.effect === "writes" && (use.link === "itself" || found.isMissing);
  }
  return claims;
}

export function isConflict(one: Claims, other: Claims): boolean {
  if (one.isExclusive || other.isExclusive) return true;
  return (
    overlaps(one.writes, other.writes) ||
    overlaps(one.writes, other.reads) ||
    overlaps(one.reads, other.writes)
  );
}

export function uniteClaims(one: Claims, other: Claims): Claims {
  return {
    isExclusive: one.isExclusive || other.isExclusive,
    reads: [...new Set([...one.reads, ...other.reads])],
    writes: [...new Set([...one.writes, ...other.writes])],
    reaims: one.reaims || other.reaims,
  };
}

/** Whether who holds the first needs not to wait for the second. */
export function coversClaims(held: Claims, asked: Claims): boolean {
  if (held.isExclusive) return true;
  const covers = (paths: readonly string[], path: string) => paths.some((above) => isInside(above, path));
  return (
    !asked.isExclusive &&
    asked.writes.every((path) => covers(held.writes, path)) &&
    asked.reads.every((path) => covers(held.writes, path) || covers(held.reads, path))
  );
}

function overlaps(some: readonly string[], others: readonly string[]): boolean {
  return some.some((a) => others.some((b) => isInside(a, b) || isInside(b, a)));
}

interface FoundPaths {
  readonly itself: readonly string[];
  /** The path as it was asked for, and links on the way: who takes one away changes what is found. */
  readonly links: readonly string[];
  readonly isMissing: boolean;
}

async function findPaths(root: Root, use: PathUse, place: Place): Promise<FoundPaths> {
  const itself = [place.real];
  const links = await findLinks(root, use, place);
  const file = await lookAt(root.disk, place.real);
  if (file === undefined && use.effect === "writes") itself.push(await findFirstMissing(root, place.real));
  if (file?.isFile() === true && file.nlink > 1n) itself.push(`#${file.dev}:${file.ino}`);
  // What is ignored below a folder is told by this file in it.
  if (use.effect === "writes" && place.real.endsWith("/.gitignore")) itself.push(dirname(place.real));
  return { itself, links, isMissing: file === undefined };
}

/** The links that are walked through; none where the path as it was asked for is the real one. */
async function findLinks(root: Root, use: PathUse, place: Place): Promise<readonly string[]> {
  const asked = isAbsolute(use.path) ? resolve(use.path) : resolve(root.path, use.path);
  if (root.resolve !== undefined || (asked === place.real && !use.path.includes(".."))) return [];
  const links: string[] = isInside(root.path, asked) ? [asked] : [];
  const disk: Disk = {
    ...root.disk,
    // Says at once where a path leads, and not by which way.
    realpath: () => Promise.reject(Object.assign(new Error("to be walked"), { code: "ENOSYS" })),
    readlink: (path) => {
      links.push(path.toString());
      return root.disk.readlink(path);
    },
  };
  // Where it ends is known; the links are of interest, and they were met whatever the end of the walk is.
  await locate({ ...root, disk }, use).catch(() => undefined);
  return links;
}

/** Two calls that make one missing folder must not take it away under each other. */
async function findFirstMissing(root: Root, path: string): Promise<string> {
  let missing = path;
  for (let above = dirname(path); isInside(root.path, above) && above !== root.path; above = dirname(above)) {
    if ((await lookAt(root.disk, above)) !== undefined) break;
    missing = above;
  }
  return missing;
}

async function lookAt(disk: Disk, path: string) {
  try {
    return await disk.lstat(path);
  } catch (error) {
    // What cannot be looked at has no other name that could be told.
    if (errorCode(error) === "") throw error;
    return undefined;
  }
}
