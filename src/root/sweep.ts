/**
 * Owns removing the temporary files that a killed process left.
 * Leaves their names to temporary-name.ts. Rule: only names of ours, only where the writer is known to be gone,
 * or has not been heard of for an hour where that cannot be known; links are not followed; a failure is no
 * failure of anybody's call.
 */
import type { Dirent } from "node:fs";
import { dirname, join } from "node:path";
import type { Root } from "../contract/root.ts";
import { closeQuietly, type Directory, openDirectory } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { findWriter, isTemporaryName } from "./temporary-name.ts";

/** Entries that one sweep looks at: about a second of background work. The directories that are written into are swept then. */
const MAX_LOOKED_AT = 20_000;
/** A write that takes longer than an hour is not one of ours. */
const MAX_AGE_MS = 3_600_000;
const NOT_SWEPT = new Set([".git", "node_modules"]);
/** Directories a root remembers to have swept; past that it sweeps none on writing, which costs nothing but a leftover. */
const MAX_REMEMBERED = 10_000;

/** Which directories each root has swept. Keyed by the root itself: it goes when the toolset does, and holds no decision. */
const sweptBy = new WeakMap<Root, Set<string>>();

/** Removes what killed writers left below the root. Ends quietly where it is cancelled. */
export async function sweepAbandoned(root: Root, options: { signal: AbortSignal }): Promise<void> {
  const queue = [root.path];
  let budget = MAX_LOOKED_AT;
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const swept = await sweepPath(root, path, { budget, signal: options.signal });
    budget -= swept.lookedAt;
    if (options.signal.aborted || budget <= 0) return;
    for (const name of swept.directories) if (!NOT_SWEPT.has(name)) queue.push(join(path, name));
  }
}

/** Removes what a killed writer left beside a path: its temporary file is in the folder of what it was to become. */
export async function sweepAround(root: Root, path: string): Promise<void> {
  await sweepPath(root, dirname(path), { budget: MAX_LOOKED_AT, signal: new AbortController().signal });
}

interface Swept {
  readonly directories: readonly string[];
  readonly lookedAt: number;
}

const NOTHING: Swept = { directories: [], lookedAt: 0 };

/** Sweeps a directory the first time that this root writes into it. */
export async function sweepOnce(root: Root, directory: Directory, path: string): Promise<void> {
  const swept = sweptBy.get(root) ?? new Set();
  sweptBy.set(root, swept);
  if (swept.has(path) || swept.size >= MAX_REMEMBERED) return;
  swept.add(path);
  await sweepDirectory(root, directory);
}

async function sweepPath(
  root: Root,
  path: string,
  { budget, signal }: { budget: number; signal: AbortSignal },
): Promise<Swept> {
  if (signal.aborted) return NOTHING;
  try {
    const directory = await openDirectory(root.disk, path);
    if (directory === undefined) return NOTHING;
    try {
      return await sweepDirectory(root, directory, budget);
    } finally {
      await directory.close();
    }
  } catch {
    // Gone meanwhile, or not ours to read: there is nobody to tell, and nothing depends on it.
    return NOTHING;
  }
}

/** Removes the abandoned entries of one directory, and gives its directories and how many entries it looked at. */
async function sweepDirectory(root: Root, directory: Directory, budget = MAX_LOOKED_AT): Promise<Swept> {
  const directories: string[] = [];
  let lookedAt = 0;
  try {
    for await (const entry of root.disk.entries(directory.self)) {
      if (++lookedAt > budget) break;
      if (isTemporaryName(entry.name)) {
        // Another sweeper may be faster, or the file not ours to remove.
        await removeAbandoned(root, directory, entry).catch(() => {});
      } else if (entry.isDirectory()) directories.push(entry.name.toString("utf8"));
    }
  } catch {
    // Not ours to read, or gone: there is nothing to sweep.
  }
  return { directories, lookedAt };
}

async function removeAbandoned(root: Root, directory: Directory, entry: Dirent<Buffer>): Promise<void> {
  const path = directory.child(entry.name);
  const stats = await root.disk.lstat(path);
  const writer = findWriter(entry.name);
  if (writer === "alive") return;
  // Where /proc hides other people's processes (hidepid), only our own are known to be gone.
  const own = process.getuid === undefined || stats.uid === BigInt(process.getuid());
  const old = Date.now() - Number(stats.mtimeMs) > MAX_AGE_MS;
  if (!(writer === "gone" && own) && !old) return;
  if (stats.isDirectory()) await removeTemporaryTree(root, directory, entry.name);
  else await root.disk.unlink(path);
}

/** Removes a directory of ours with all that is in it: a move across file systems builds one before it takes its name. */
export async function removeTemporaryTree(
  root: Root,
  within: Directory,
  name: string | Buffer,
): Promise<void> {
  const inner = await within.enter(name);
  try {
    await makeWritable(root, inner);
    for (const entry of await root.disk.readdir(inner.self)) {
      if (entry.isDirectory()) await removeTemporaryTree(root, inner, entry.name);
      else await root.disk.unlink(inner.child(entry.name));
    }
  } finally {
    await inner.close();
  }
  await root.disk.rmdir(within.child(name));
}

/** The copy of a read-only directory is read-only too, and nothing could be taken out of it. */
async function makeWritable(root: Root, directory: Directory): Promise<void> {
  const handle = await root.disk.open(directory.self, OPEN.read | OPEN.directory);
  try {
    await handle.chmod(0o700);
  } finally {
    await closeQuietly(handle);
  }
}
