/**
 * Owns looking at a tree at once, for walks that need to know what is there and not why something is not.
 * Leaves what to look at, and when to hand over the turn, to the walks. Rule: what cannot be looked at is not there.
 */
import { type BigIntStats, type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";

/** The entry itself, never what a link leads to. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() === true;
}

/** Anything but a folder or a link: what can be opened by its name, sockets and FIFOs too. */
export function isFile(path: string): boolean {
  const stat = lookAt(path);
  return stat !== undefined && !stat.isDirectory() && !stat.isSymbolicLink();
}

export function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function findReal(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
