/**
 * Owns one writer at a time across processes, for the moment in which a file takes its new content.
 * Leaves the order of calls within a process to lock.ts. Rule: an aid, never a hindrance. Where it cannot be had
 * the replacement goes on without it, and the look right before the rename still refuses what changed earlier.
 *
 * Look and rename are two system calls, and a rename can wait for the journal of its disk: two processes that edit
 * one file in the same milliseconds both saw the old one, and one update was lost (some five in a hundred under load).
 * The lock is a file in a private directory of the system's temporary directory, never in the tree. It holds between
 * processes that share that directory; what a killed process holds is taken over.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./system-error.ts";
import { findWriter, newTemporaryName } from "./temporary-name.ts";

/** Between two tries; a holder needs well under a millisecond on a quiet disk. */
const RETRY_MS = 2;
/** A holder that takes this long was killed: what it does is two system calls. */
const ABANDONED_MS = 5_000;

/** Runs `act` while no other process replaces the file at this real path. */
export async function withCommitLock<T>(
  path: string,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T> {
  const release = await acquire(path, signal);
  try {
    return await act();
  } finally {
    release();
  }
}

async function acquire(path: string, signal: AbortSignal): Promise<() => void> {
  const directory = openLockFolder();
  if (directory === undefined) return () => {};
  const lock = join(directory, createHash("sha256").update(path).digest("hex"));
  for (;;) {
    try {
      writeFileSync(lock, newTemporaryName(), { flag: "wx", mode: 0o600 });
      return () => removeQuietly(lock);
    } catch (error) {
      // Anything but a holder means that there can be no lock here.
      if (errorCode(error) !== "EEXIST") return () => {};
    }
    if (isAbandoned(lock)) removeQuietly(lock);
    else await delay(RETRY_MS, undefined, { signal });
  }
}

/**
 * The folder of all locks, made where it was not there yet; undefined where there can be none. Ours alone: in a shared
 * temporary directory somebody else could have made one of that name.
 */
export function openLockFolder(): string | undefined {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), `haft-locks-${uid ?? "user"}`);
  try {
    mkdirSync(directory, { mode: 0o700 });
    return directory;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") return undefined;
  }
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  const isOurs =
    stats?.isDirectory() === true && (uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0));
  return isOurs ? directory : undefined;
}

/** Whether the process that its content names is gone; where that cannot be told, by its age. */
function isAbandoned(lock: string): boolean {
  try {
    if (findWriter(readFileSync(lock, "latin1")) === "gone") return true;
    return Date.now() - lstatSync(lock).mtimeMs > ABANDONED_MS;
  } catch {
    // Released between the two looks.
    return false;
  }
}

function removeQuietly(lock: string): void {
  try {
    unlinkSync(lock);
  } catch {
    // Taken over as abandoned, or gone with the directory: there is nothing left to release.
  }
}
