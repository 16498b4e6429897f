/**
 * Owns a picture of a directory tree that two moments can be compared by: bytes, mode, owner, time and link target.
 * Leaves what may differ to the tests. Rule: nothing is followed and nothing special is opened.
 */
import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export type TreeState = Readonly<Record<string, string>>;

/** Every entry below `directory` by its escaped path, with all that a refusal must leave alone. */
export function readTreeState(directory: string): TreeState {
  const entries: Record<string, string> = {};
  const visit = (path: Buffer, shown: string): void => {
    const stats = lstatSync(path, { bigint: true });
    entries[shown] = describeEntry(path, stats);
    if (!stats.isDirectory()) return;
    for (const name of readdirSync(path, { encoding: "buffer" }).sort(Buffer.compare)) {
      visit(Buffer.concat([path, Buffer.from("/"), name]), `${shown}/${name.toString("latin1")}`);
    }
  };
  visit(Buffer.from(directory), ".");
  return entries;
}

function describeEntry(path: Buffer, stats: BigIntStats): string {
  const common = `mode ${stats.mode.toString(8)} owner ${stats.uid}:${stats.gid} mtime ${stats.mtimeNs}`;
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)} ${common}`;
  if (!stats.isFile()) return common;
  // A sparse file of gigabytes is told by its size; hashing it would be the slowest line of the suite.
  if (stats.size > 64_000_000n) return `${stats.size} bytes ${common}`;
  return `${createHash("sha256").update(readFileSync(path)).digest("hex")} links ${stats.nlink} ${common}`;
}

/** The contents alone: what a tree holds, whenever it was written. */
export function readTreeContents(directory: string): TreeState {
  const state = readTreeState(directory);
  return Object.fromEntries(
    Object.entries(state).map(([path, entry]) => [path, entry.replace(/ mtime \d+/, "")]),
  );
}
