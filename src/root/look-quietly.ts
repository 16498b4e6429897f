/**
 * Owns looking at a tree at once, for walks that need to know what is there and not why something is not.
 * Leaves what to look at, and when to hand over the turn, to the walks. Rule: what cannot be looked at is not there.
 */
import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";

/** The entry itself, never what a link leads to. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
