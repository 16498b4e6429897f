/**
 * Owns copying one entry to another file system: files with their bytes, directories with all that is in them,
 * links as links; modes, times and owners kept.
 * Leaves taking the final name, and removing the original, to move-entry.ts.
 * Rule: read through descriptors and never through a link; flushed before anybody removes the original. Times are
 * kept to the millisecond; hard links among the files of a tree become files of their own.
 */
import type { BigIntStats } from "node:fs";
import type { Place } from "../contract/access.ts";
import type { DiskHandle } from "../contract/disk.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { closeQuietly, type Directory, pathOfOpen } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { kindOfEntry, refuseIrregular } from "./entry-kind.ts";
import { type FileVersion, isSameVersion, versionOf } from "./open-file.ts";
import { errorCode } from "./system-error.ts";
import { giveOwnership } from "./temporary-file.ts";

export interface Copying {
  readonly root: Root;
  /** What refusals name: the original. */
  readonly place: Place;
  readonly signal: AbortSignal;
}

/** An entry by its directory and its name. */
export interface Spot {
  readonly directory: Directory;
  readonly name: string | Buffer;
}

const SLICE_BYTES = 1024 * 1024;

/** Copies an entry to a name that is free. */
export async function copyEntry(copying: Copying, from: Spot, to: Spot): Promise<Refusal | undefined> {
  copying.signal.throwIfAborted();
  const stats = await copying.root.disk.lstat(from.directory.child(from.name));
  const kind = kindOfEntry(stats);
  if (kind === "link") return copyLink(copying, { from, to, stats });
  if (kind === "directory") return copyDirectory(copying, { from, to, stats });
  if (kind === "file") return copyNewFile(copying, from, to);
  return refuse("path-not-regular", { path: copying.place.shown, kind });
}

/** Fills an open file with another's bytes, owner, mode and times; gives the version that was copied. */
export async function fillCopy(
  copying: Copying,
  from: Spot,
  to: { handle: DiskHandle; spot: Spot },
): Promise<FileVersion | Refusal> {
  const path = from.directory.child(from.name);
  const source = await copying.root.disk.open(path, OPEN.read | OPEN.noFollow | OPEN.nonBlock);
  try {
    const stats = await source.stat();
    const irregular = refuseIrregular(stats, { path: copying.place.shown, operation: "copy" });
    if (irregular !== undefined) return irregular;
    for (let position = 0; ; ) {
      copying.signal.throwIfAborted();
      const slice = await source.read(position, SLICE_BYTES);
      if (slice.length === 0) break;
      await to.handle.write(slice);
      position += slice.length;
    }
    const refusal = await finishCopy(copying, { stats, ...to });
    if (refusal !== undefined) return refusal;
    const version = versionOf(stats);
    const changed = !isSameVersion(version, versionOf(await source.stat()));
    return changed ? refuse("file-changed", { path: copying.place.shown, lines: [] }) : version;
  } finally {
    await closeQuietly(source);
  }
}

async function copyNewFile(copying: Copying, from: Spot, to: Spot): Promise<Refusal | undefined> {
  const path = to.directory.child(to.name);
  const handle = await copying.root.disk.open(path, OPEN.write | OPEN.create | OPEN.noFollow, 0o600);
  try {
    const copied = await fillCopy(copying, from, { handle, spot: to });
    return isRefusal(copied) ? copied : undefined;
  } finally {
    await closeQuietly(handle);
  }
}

async function copyDirectory(
  copying: Copying,
  at: { from: Spot; to: Spot; stats: BigIntStats },
): Promise<Refusal | undefined> {
  const { disk } = copying.root;
  await disk.mkdir(at.to.directory.child(at.to.name), 0o700);
  const source = await at.from.directory.enter(at.from.name);
  try {
    const target = await at.to.directory.enter(at.to.name);
    try {
      for (const entry of await disk.readdir(source.self)) {
        const spot = { name: entry.name };
        const refusal = await copyEntry(
          copying,
          { directory: source, ...spot },
          { directory: target, ...spot },
        );
        if (refusal !== undefined) return refusal;
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  return finishDirectory(copying, at);
}

/** The mode and times of a directory come last: filling it would change them, and a read-only one cannot be filled. */
async function finishDirectory(
  copying: Copying,
  at: { to: Spot; stats: BigIntStats },
): Promise<Refusal | undefined> {
  const path = at.to.directory.child(at.to.name);
  const handle = await copying.root.disk.open(path, OPEN.read | OPEN.directory | OPEN.noFollow);
  try {
    return await finishCopy(copying, { handle, stats: at.stats, spot: at.to });
  } finally {
    await closeQuietly(handle);
  }
}

async function finishCopy(
  copying: Copying,
  at: { handle: DiskHandle; stats: BigIntStats; spot: Spot },
): Promise<Refusal | undefined> {
  const refusal = await giveOwnership(at.handle, at.stats, copying.place);
  if (refusal !== undefined) return refusal;
  const path = pathOfOpen(at.handle, at.spot.directory.child(at.spot.name));
  await copying.root.disk.utimes(path, at.stats.atime, at.stats.mtime);
  await at.handle.sync();
  return undefined;
}

async function copyLink(
  copying: Copying,
  at: { from: Spot; to: Spot; stats: BigIntStats },
): Promise<Refusal | undefined> {
  const { disk } = copying.root;
  const { stats } = at;
  const path = at.to.directory.child(at.to.name);
  await disk.symlink(await disk.readlink(at.from.directory.child(at.from.name)), path);
  const made = await disk.lstat(path);
  if (made.uid !== stats.uid || made.gid !== stats.gid) {
    try {
      await disk.lchown(path, Number(stats.uid), Number(stats.gid));
    } catch (error) {
      if (errorCode(error) !== "EPERM") throw error;
      return refuse("file-owner", {
        path: copying.place.shown,
        uid: Number(stats.uid),
        gid: Number(stats.gid),
      });
    }
  }
  await disk.lutimes(path, stats.atime, stats.mtime);
  return undefined;
}
