/**
 * Owns the real disk: node:fs behind the small face that the rest of root/ uses.
 * Leaves every decision to its callers. Rule: one system call a function where the system allows it,
 * errors as the system gives them.
 */
import { type BigIntStats, constants, type Dirent, lstatSync, renameSync } from "node:fs";
import {
  access,
  type FileHandle,
  lchown,
  lstat,
  lutimes,
  mkdir,
  open,
  opendir,
  readdir,
  readlink,
  realpath,
  rename,
  rmdir,
  stat,
  symlink,
  unlink,
  utimes,
} from "node:fs/promises";
import type { Disk, DiskHandle, DiskPath } from "../contract/disk.ts";

/** Flags for opening, in one place: `path` and `nonBlock` are 0 where the system has no such thing. */
export const OPEN = Object.freeze({
  read: constants.O_RDONLY,
  write: constants.O_WRONLY,
  create: constants.O_CREAT | constants.O_EXCL,
  directory: constants.O_DIRECTORY ?? 0,
  noFollow: constants.O_NOFOLLOW ?? 0,
  nonBlock: constants.O_NONBLOCK ?? 0,
  // O_PATH, which Node does not name: a descriptor that only stands for a place, so that a directory
  // without read permission can still be worked in.
  path: process.platform === "linux" ? 0o10000000 : 0,
});

/** The disk of this machine. */
export const nodeDisk: Disk = Object.freeze({
  open: async (path, flags, mode) => handleOf(await open(path, flags, mode)),
  lstat: (path) => lstat(path, { bigint: true }),
  stat: (path) => stat(path, { bigint: true }),
  readdir: (path) => readdir(path, { withFileTypes: true, encoding: "buffer" }),
  entries: readPieces,
  readlink: (path) => readlink(path, { encoding: "buffer" }),
  realpath: (path) => realpath(path, { encoding: "buffer" }),
  mkdir: async (path, mode) => {
    await mkdir(path, { mode: mode ?? 0o777 });
  },
  rmdir: (path) => rmdir(path),
  unlink: (path) => unlink(path),
  rename: (from, to) => rename(from, to),
  // Waited for: between two calls that hand over to other threads, another process finds time for a whole write.
  renameUnless: async ({ from, to }, object) => {
    const reason = object(lookAt(to));
    if (reason === undefined) renameSync(from, to);
    return reason;
  },
  symlink: (target, path) => symlink(target, path),
  access: (path, mode) => access(path, mode),
  utimes: (path, atime, mtime) => utimes(path, atime, mtime),
  lutimes: (path, atime, mtime) => lutimes(path, atime, mtime),
  lchown: (path, uid, gid) => lchown(path, uid, gid),
} satisfies Disk);

/** Entries that one system call fetches: some milliseconds of work for the thread of the host. */
const ENTRIES_AT_ONCE = 1_024;

async function* readPieces(path: DiskPath): AsyncGenerator<Dirent<Buffer>> {
  // Node gives names as bytes for this encoding here as in readdir; its types know that only there.
  const options = { encoding: "buffer" as BufferEncoding, bufferSize: ENTRIES_AT_ONCE };
  for await (const entry of await opendir(path, options)) yield entry as unknown as Dirent<Buffer>;
}

function lookAt(path: DiskPath): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function handleOf(handle: FileHandle): DiskHandle {
  return {
    fd: handle.fd,
    read: (position, length, into = Buffer.allocUnsafe(length)) =>
      readFully(handle, { position, length, into }),
    write: (bytes) => writeFully(handle, bytes),
    stat: () => handle.stat({ bigint: true }),
    chmod: (mode) => handle.chmod(mode),
    chown: (uid, gid) => handle.chown(uid, gid),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

async function readFully(
  handle: FileHandle,
  { position, length, into }: { position: number; length: number; into: Buffer },
): Promise<Buffer> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(into, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return into.subarray(0, filled);
}

async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.byteLength - written, null);
    written += bytesWritten;
  }
}
