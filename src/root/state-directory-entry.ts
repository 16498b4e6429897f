/**
 * Owns what a directory or a file of haft's own state must be: real, ours, and closed to everybody else.
 * Leaves which ones there are to state-directory.ts and scratch.ts. Rule: what is not so is never written through and
 * never repaired, but told with the way out. The attack: a repository or another user puts a link or a directory of
 * theirs where haft will write, and so aims the writes, or reads what they hold (state-directory.test.ts).
 */
import type { BigIntStats } from "node:fs";
import type { Disk } from "../contract/disk.ts";
import { closeQuietly, type Directory } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { kindOfEntry } from "./entry-kind.ts";
import { errorCode } from "./system-error.ts";

/** What is wrong with a part of the state, and the way out. */
export interface StateError {
  readonly error: string;
}

export function isStateError(value: object): value is StateError {
  return "error" in value;
}

/** One entry of a directory that is held. `shown` is its whole path, for the person who has to look at it. */
export interface StateEntry {
  readonly disk: Disk;
  readonly within: Directory;
  readonly name: string;
  readonly shown: string;
}

/** Everybody else's permission to change what is in a directory. */
const WRITABLE_BY_OTHERS = 0o022n;
const OPEN_TO_OTHERS = 0o077n;
const NOT_WRITABLE = new Set(["EACCES", "EPERM", "EROFS"]);

/** Enters a directory of ours; makes it where it is missing. */
export async function enterOwnDirectory(entry: StateEntry): Promise<Directory | StateError> {
  try {
    await makeMissing(entry);
    const wrong = judgeEntry(entry, await entry.disk.lstat(entry.within.child(entry.name)), "directory");
    if (wrong !== undefined) return wrong;
    const entered = await entry.within.enter(entry.name);
    const flaw = await settleDirectory(entry, entered);
    if (flaw === undefined) return entered;
    await entered.close();
    return flaw;
  } catch (error) {
    return explainError(entry, error);
  }
}

/** The state of an entry, where there is one and it may be used; undefined where there is none. */
export async function judgeOwn(
  entry: StateEntry,
  kind: "file" | "directory",
): Promise<BigIntStats | StateError | undefined> {
  try {
    const stats = await entry.disk.lstat(entry.within.child(entry.name));
    return judgeEntry(entry, stats, kind) ?? stats;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : explainError(entry, error);
  }
}

/**
 * A file of ours, made with these bytes and 0600 where it is missing. One that is there is not even opened: closing any
 * descriptor of a database drops the locks that another session of this process holds on it.
 */
export async function settleOwnFile(
  entry: StateEntry,
  bytes: Uint8Array = new Uint8Array(),
): Promise<StateError | undefined> {
  const there = await judgeOwn(entry, "file");
  if (there !== undefined) return isStateError(there) ? there : undefined;
  try {
    const flags = OPEN.write | OPEN.create | OPEN.noFollow;
    const handle = await entry.disk.open(entry.within.child(entry.name), flags, 0o600);
    try {
      await handle.write(bytes);
    } finally {
      await closeQuietly(handle);
    }
    return undefined;
  } catch (error) {
    // Made by another process of ours in this very moment: it is judged like any that was there.
    if (errorCode(error) === "EEXIST") return settleOwnFile(entry, bytes);
    return explainError(entry, error);
  }
}

/** What the system's error means for somebody who opens the state. */
export function explainError({ shown }: Pick<StateEntry, "shown">, error: unknown): StateError {
  const code = errorCode(error);
  if (NOT_WRITABLE.has(code)) return { error: `${shown} cannot be written (${code}): make it writable` };
  if (code === "ENOTDIR" || code === "ELOOP" || code === "ENOENT")
    return { error: `${shown} changed while it was opened: try again` };
  return { error: `${shown} cannot be used (${error instanceof Error ? error.message : String(error)})` };
}

async function makeMissing({ disk, within, name }: StateEntry): Promise<void> {
  const path = within.child(name);
  try {
    await disk.lstat(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await disk.mkdir(path, 0o700).catch((failure: unknown) => {
      if (errorCode(failure) !== "EEXIST") throw failure;
    });
  }
}

/** A file whose bytes have another name too: whoever wrote through this one would write that one. */
export function judgeNames(
  { shown }: Pick<StateEntry, "shown">,
  { nlink }: BigIntStats,
): StateError | undefined {
  if (nlink <= 1n) return undefined;
  return {
    error: `${shown} has another name too (a hard link), and haft would write that file as well: replace it with a copy`,
  };
}

function judgeEntry(
  { shown }: StateEntry,
  stats: BigIntStats,
  wanted: "file" | "directory",
): StateError | undefined {
  const kind = kindOfEntry(stats);
  if (kind === "link")
    return { error: `${shown} is a symbolic link, and haft writes through none: remove it` };
  if (kind !== wanted) return { error: `${shown} is no ${wanted}: move it out of the way` };
  const us = process.geteuid?.();
  if (us !== undefined && stats.uid !== BigInt(us))
    return {
      error: `${shown} belongs to another user (uid ${stats.uid}, this is uid ${us}): remove it, or run as its owner`,
    };
  // A file lies in a directory that nobody else can enter.
  if (us !== undefined && wanted === "directory" && (stats.mode & WRITABLE_BY_OTHERS) !== 0n)
    return {
      error: `${shown} may be written by others: take that away with chmod go-w, once you know what is in it`,
    };
  return undefined;
}

/** The directory that was entered is judged, not only the one that was looked at; then others lose sight of it. */
async function settleDirectory(entry: StateEntry, entered: Directory): Promise<StateError | undefined> {
  const stats = await entry.disk.lstat(entered.child("."));
  const wrong = judgeEntry(entry, stats, "directory");
  if (wrong !== undefined || process.platform === "win32") return wrong;
  if ((stats.mode & OPEN_TO_OTHERS) === 0n && (stats.mode & 0o700n) === 0o700n) return undefined;
  const handle = await entry.disk.open(entered.child("."), OPEN.read | OPEN.directory);
  try {
    await handle.chmod(0o700);
  } finally {
    await closeQuietly(handle);
  }
  return undefined;
}
