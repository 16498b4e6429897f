/**
 * Owns reading regular files: bounded, at any position, whole only up to a bound.
 * Leaves what the bytes mean to text/ and the tools. Rule: only regular files are opened. A FIFO would block for
 * ever, a device may act on being opened: the entry is looked at first, opened without following a link and
 * without blocking, and looked at again.
 */
import type { BigIntStats } from "node:fs";
import type { Place } from "../contract/access.ts";
import type { DiskHandle } from "../contract/disk.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { closeQuietly } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { refuseIrregular } from "./entry-kind.ts";
import { type ParentDirectory, withParent } from "./parent.ts";
import { refuseMissing } from "./suggest.ts";
import { errorCode, refuseSystemErrors } from "./system-error.ts";

/**
 * What a file was when it was looked at. Two equal versions mean an untouched file, as far as the file system's
 * clock tells: two writes of one length within one of its ticks can look alike.
 */
export interface FileVersion {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly mode: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly nlink: bigint;
}

export interface OpenFile {
  /** Bytes, when it was opened. */
  readonly size: number;
  readonly version: FileVersion;
  /** Up to `length` bytes at `position`, fewer at the end of the file; in `into` where it is given. */
  read(position: number, length: number, into?: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

/** How much is read between two looks at the signal: some 20 ms. What fits is read at once and never copied. */
const SLICE_BYTES = 64 * 1024 * 1024;

/** Opens a regular file for reading. The caller closes it. */
export async function openFile(root: Root, place: Place): Promise<OpenFile | Refusal> {
  const opened = await refuseSystemErrors({ place, operation: "read" }, async () => {
    if (place.real === root.path)
      return refuse("path-is-directory", { path: place.shown, operation: "read" });
    return withParent(root, place, (parent) => openEntry(root, place, parent));
  });
  return opened === "missing" ? refuseMissing(root, place) : opened;
}

export interface WholeRequest {
  readonly root: Root;
  readonly place: Place;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface Whole {
  readonly bytes: Buffer;
  readonly version: FileVersion;
}

/** All bytes of a file of at most `maxBytes`. The version is from before the first byte: what changed later differs from it. */
export function readWhole(request: WholeRequest): Promise<Whole | Refusal> {
  return withWhole(request, async (whole) => whole);
}

/**
 * The same, and the file stays open while `act` runs: its inode then cannot be given to a file that replaces it
 * within the same tick of the clock, which would have the same version.
 */
export async function withWhole<T>(
  request: WholeRequest,
  act: (whole: Whole) => Promise<T>,
): Promise<T | Refusal> {
  request.signal.throwIfAborted();
  const file = await openFile(request.root, request.place);
  if (isRefusal(file)) return file;
  try {
    if (file.size > request.maxBytes) {
      const { maxBytes } = request;
      return refuse("file-too-large", { path: request.place.shown, bytes: file.size, maxBytes });
    }
    return await act({ bytes: await readSlices(file, request.signal), version: file.version });
  } finally {
    await file.close();
  }
}

export function versionOf(stats: BigIntStats): FileVersion {
  const { dev, ino, size, mtimeNs, ctimeNs, mode, uid, gid, nlink } = stats;
  return { dev, ino, size, mtimeNs, ctimeNs, mode, uid, gid, nlink };
}

/** Whether nothing was changed in between. The time of change covers mode, owner and links. */
export function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  return (
    a.dev === b.dev &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}

async function openEntry(
  root: Root,
  place: Place,
  parent: ParentDirectory,
): Promise<OpenFile | Refusal | "missing"> {
  const about = { path: place.shown, operation: "read" };
  const path = parent.child(parent.name);
  let handle: DiskHandle;
  try {
    const refusal = refuseIrregular(await root.disk.lstat(path), about);
    if (refusal !== undefined) return refusal;
    handle = await root.disk.open(path, OPEN.read | OPEN.noFollow | OPEN.nonBlock);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "missing";
    throw error;
  }
  try {
    const stats = await handle.stat();
    const refusal = refuseIrregular(stats, about);
    if (refusal === undefined && (await parent.directory.isSame())) return fileOver(handle, stats);
    await closeQuietly(handle);
    return refusal ?? refuse("path-changed", { path: place.shown });
  } catch (error) {
    await closeQuietly(handle);
    throw error;
  }
}

function fileOver(handle: DiskHandle, stats: BigIntStats): OpenFile {
  return {
    size: Number(stats.size),
    version: versionOf(stats),
    read: (position, length, into) => handle.read(position, length, into),
    close: () => closeQuietly(handle),
  };
}

async function readSlices(file: OpenFile, signal: AbortSignal): Promise<Buffer> {
  if (file.size <= SLICE_BYTES) return file.read(0, file.size);
  const whole = Buffer.allocUnsafe(file.size);
  let filled = 0;
  while (filled < file.size) {
    signal.throwIfAborted();
    const length = Math.min(SLICE_BYTES, file.size - filled);
    const slice = await file.read(filled, length, whole.subarray(filled, filled + length));
    if (slice.length === 0) break;
    filled += slice.length;
  }
  return whole.subarray(0, filled);
}
