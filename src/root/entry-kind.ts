/**
 * Owns the words for what an entry of a directory is.
 * Leaves looking at it to the callers. Rule: judged by the entry itself, never by what a link leads to.
 */
import type { BigIntStats } from "node:fs";
import { type Refusal, refuse } from "../contract/refusal.ts";

export type EntryKind = "file" | "directory" | "link" | "fifo" | "socket" | "device" | "other";

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
}

export function kindOfEntry(entry: Kinds): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  return entry.isBlockDevice() || entry.isCharacterDevice() ? "device" : "other";
}

/** Why an entry cannot be used as a regular file; undefined where it is one. A link is news: the place was resolved. */
export function refuseIrregular(
  stats: BigIntStats,
  about: { path: string; operation: string },
): Refusal | undefined {
  const kind = kindOfEntry(stats);
  if (kind === "file") return undefined;
  if (kind === "directory") return refuse("path-is-directory", about);
  if (kind === "link") return refuse("path-changed", { path: about.path });
  return refuse("path-not-regular", { path: about.path, kind });
}
