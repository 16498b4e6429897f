/**
 * Owns the shape of the disk as root/ uses it, so that tests can make the Nth call fail.
 * Leaves the real one to root/disk.ts. Rule: types only; a function is here because root/ calls it.
 */
import type { BigIntStats, Dirent } from "node:fs";

export type DiskPath = string | Buffer;

/** One open file or directory. */
export interface DiskHandle {
  readonly fd: number;
  /**
   * Reads up to `length` bytes at `position`; the returned view is shorter at the end of the file.
   * `into` is filled from its start and must be that long: a long scan then touches no fresh memory.
   */
  read(position: number, length: number, into?: Buffer): Promise<Buffer>;
  /** Writes all of `bytes` after what was written before. */
  write(bytes: Uint8Array): Promise<void>;
  stat(): Promise<BigIntStats>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  /** Flushes data and metadata to the device. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  open(path: DiskPath, flags: number, mode?: number): Promise<DiskHandle>;
  lstat(path: DiskPath): Promise<BigIntStats>;
  stat(path: DiskPath): Promise<BigIntStats>;
  /** Names as bytes: not every name is UTF-8. */
  readdir(path: DiskPath): Promise<Dirent<Buffer>[]>;
  /** The same in pieces, for directories of any size: the event loop turns between them. */
  entries(path: DiskPath): AsyncIterable<Dirent<Buffer>>;
  readlink(path: DiskPath): Promise<Buffer>;
  realpath(path: DiskPath): Promise<Buffer>;
  mkdir(path: DiskPath, mode?: number): Promise<void>;
  rmdir(path: DiskPath): Promise<void>;
  unlink(path: DiskPath): Promise<void>;
  rename(from: DiskPath, to: DiskPath): Promise<void>;
  /**
   * Renames unless `object` finds a reason in what stands at `to` (undefined where nothing does), and gives that
   * reason. Look and rename are two system calls with nothing of this process between them.
   */
  renameUnless<R>(
    ends: { readonly from: DiskPath; readonly to: DiskPath },
    object: (there: BigIntStats | undefined) => R | undefined,
  ): Promise<R | undefined>;
  symlink(target: DiskPath, path: DiskPath): Promise<void>;
  access(path: DiskPath, mode: number): Promise<void>;
  utimes(path: DiskPath, atime: Date, mtime: Date): Promise<void>;
  /** The times of the link itself. */
  lutimes(path: DiskPath, atime: Date, mtime: Date): Promise<void>;
  /** The owner of the link itself. */
  lchown(path: DiskPath, uid: number, gid: number): Promise<void>;
}
