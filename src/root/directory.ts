/**
 * Owns a directory that is held while work is done in it, so that what was checked is what is used.
 * Leaves which directory and what work to its callers.
 * Rule: on Linux a descriptor is opened, compared with the expected real path, and every name is reached
 * through it (`/proc/self/fd/N/name`). The attack: another process exchanges a directory for a link to the
 * outside between check and use; the descriptor still stands for the directory that was checked
 * (test/faults/race.test.ts). Elsewhere the path is compared again by device and inode before the first byte
 * and before the rename; between that and the operation a window remains that Node cannot close.
 */
import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import type { Disk, DiskHandle, DiskPath } from "../contract/disk.ts";
import { OPEN } from "./disk.ts";
import { errorCode } from "./system-error.ts";

export interface Directory {
  /** The path under which the directory is reached. */
  readonly self: DiskPath;
  /** The path under which an entry is reached. The last component may be a link: callers never follow it. */
  child(name: string | Buffer): DiskPath;
  /** Opens a directory in it, never through a link. */
  enter(name: string | Buffer): Promise<Directory>;
  /** Whether the path still leads here; always true where a descriptor holds the place. */
  isSame(): Promise<boolean>;
  /** Flushes the directory's entries to the device, where the system lets us. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const DESCRIPTORS = process.platform === "linux" && existsSync("/proc/self/fd");
/** A directory that may not be read, or a file system that cannot flush one, is no reason to call a done write failed. */
const SYNC_UNSUPPORTED = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EISDIR", "EBADF"]);

/**
 * Opens the directory at a real path. Undefined where the path leads elsewhere than it says: something on the
 * way was exchanged for a link. Throws as the system does where there is nothing.
 */
export async function openDirectory(disk: Disk, real: string | Buffer): Promise<Directory | undefined> {
  if (!DESCRIPTORS) return openByPath(disk, real);
  const handle = await disk.open(real, OPEN.path | OPEN.directory | OPEN.noFollow);
  try {
    const actual = await disk.readlink(descriptorPath(handle));
    if (actual.equals(Buffer.from(real))) return overDescriptor(disk, handle);
  } catch (error) {
    await closeQuietly(handle);
    throw error;
  }
  await closeQuietly(handle);
  return undefined;
}

/** Closes what was only read or already flushed: a failure there changes nothing that was promised. */
export async function closeQuietly(handle: { close(): Promise<void> }): Promise<void> {
  try {
    await handle.close();
  } catch {
    // The descriptor is gone either way; the error belongs to no operation.
  }
}

/** The path of an open file itself, whatever its name leads to by now; `fallback` where descriptors have none. */
export function pathOfOpen(handle: DiskHandle, fallback: DiskPath): DiskPath {
  return DESCRIPTORS ? descriptorPath(handle) : fallback;
}

function descriptorPath(handle: DiskHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

function overDescriptor(disk: Disk, handle: DiskHandle): Directory {
  const self = descriptorPath(handle);
  const child = (name: string | Buffer) => appendName(self, name);
  return {
    self,
    child,
    enter: async (name) =>
      overDescriptor(disk, await disk.open(child(name), OPEN.path | OPEN.directory | OPEN.noFollow)),
    isSame: async () => true,
    sync: () => syncDirectory(disk, self),
    close: () => closeQuietly(handle),
  };
}

async function openByPath(disk: Disk, real: DiskPath): Promise<Directory | undefined> {
  const before = await disk.lstat(real);
  const actual = await disk.realpath(real);
  if (!before.isDirectory() || !actual.equals(Buffer.from(real))) return undefined;
  const child = (name: string | Buffer) => appendName(real, name);
  const isSame = async () => {
    const now = await disk.lstat(real);
    return now.dev === before.dev && now.ino === before.ino && (await disk.realpath(real)).equals(actual);
  };
  return {
    self: real,
    child,
    isSame,
    enter: async (name) => {
      const inner = await openByPath(disk, child(name));
      if (inner === undefined) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" });
      return inner;
    },
    sync: () => syncDirectory(disk, real),
    close: async () => {},
  };
}

function appendName(directory: DiskPath, name: string | Buffer): DiskPath {
  if (typeof directory === "string" && typeof name === "string") {
    return process.platform === "win32" ? join(directory, name) : `${directory}/${name}`;
  }
  return Buffer.concat([Buffer.from(directory), Buffer.from(sep), Buffer.from(name)]);
}

async function syncDirectory(disk: Disk, path: DiskPath): Promise<void> {
  try {
    const handle = await disk.open(path, OPEN.read | OPEN.directory);
    try {
      await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
  } catch (error) {
    if (!SYNC_UNSUPPORTED.has(errorCode(error))) throw error;
  }
}
