/**
 * Owns a temporary file beside its target: made, filled, flushed, and gone again unless it took a name.
 * Leaves which name it takes to the callers. Rule: whatever fails, no temporary file stays; only a kill leaves one.
 */
import type { BigIntStats } from "node:fs";
import type { Place } from "../contract/access.ts";
import type { DiskHandle } from "../contract/disk.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { closeQuietly, type Directory } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { errorCode } from "./system-error.ts";
import { newTemporaryName } from "./temporary-name.ts";

export interface TemporaryFile {
  readonly handle: DiskHandle;
  /** Gives it its final name, over whatever has that name. */
  takeName(name: string): Promise<void>;
  /** The same, unless `object` finds a reason in what has that name; gives the reason. */
  takeNameUnless<R>(
    name: string,
    object: (there: BigIntStats | undefined) => R | undefined,
  ): Promise<R | undefined>;
}

/** Owner and mode that the file must have before it takes its name. */
export interface Ownership {
  readonly uid: bigint;
  readonly gid: bigint;
  readonly mode: bigint;
}

/** Runs `act` with a fresh file of mode `mode` (less the umask) in `directory`. */
export async function withTemporaryFile<T>(
  request: { root: Root; directory: Directory; mode: number },
  act: (file: TemporaryFile) => Promise<T>,
): Promise<T> {
  const { disk } = request.root;
  const name = newTemporaryName();
  const path = request.directory.child(name);
  let named = false;
  const handle = await disk.open(path, OPEN.write | OPEN.create | OPEN.noFollow, request.mode);
  try {
    return await act({
      handle,
      takeName: async (final) => {
        await disk.rename(path, request.directory.child(final));
        named = true;
      },
      takeNameUnless: async (final, object) => {
        const reason = await disk.renameUnless({ from: path, to: request.directory.child(final) }, object);
        named = reason === undefined;
        return reason;
      },
    });
  } finally {
    if (!named) await tryTwice(() => disk.unlink(path));
    await closeQuietly(handle);
  }
}

/** Cleaning up after a failure: once more where it fails, then the first failure is the one that is told. */
export async function tryTwice(act: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await act();
    } catch {
      // Told by nobody: what remains is removed by a later sweep.
    }
  }
}

/**
 * Gives an open file its owner, then its mode: changing the owner clears setuid and setgid. Refuses where the
 * owner cannot be kept; it is never changed silently.
 */
export async function giveOwnership(
  handle: DiskHandle,
  wanted: Ownership,
  place: Place,
): Promise<Refusal | undefined> {
  const now = await handle.stat();
  if (now.uid !== wanted.uid || now.gid !== wanted.gid) {
    try {
      await handle.chown(Number(wanted.uid), Number(wanted.gid));
    } catch (error) {
      if (!["EPERM", "EACCES", "EINVAL", "ENOTSUP"].includes(errorCode(error))) throw error;
      return refuse("file-owner", { path: place.shown, uid: Number(wanted.uid), gid: Number(wanted.gid) });
    }
  }
  await handle.chmod(Number(wanted.mode & 0o7777n));
  return undefined;
}
