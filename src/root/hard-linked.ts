/**
 * Owns finding the other names, below the root, of files that a fence withholds: their hard links.
 * Leaves finding those files to fenced-paths.ts. Rule: nothing is looked for but where such a file has several names, and
 * no longer than until all are found. What a package manager has linked to its store has names outside that nobody finds.
 */
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { listEntries, lookAt } from "./look-quietly.ts";

const INSTALLED = "/node_modules/";
const IN_ONE_TURN = 100;

/** What is known of a folder of the tree. */
interface Known {
  readonly hidden: readonly string[];
}

/** `hidden`, and beside it every other name of a file that a folder hides. `folders` are all of the tree, by path. */
export async function withHardLinks(
  hidden: readonly string[],
  folders: ReadonlyMap<string, Known>,
): Promise<readonly string[]> {
  const wanted = new Map<string, number>();
  for (const { hidden: paths } of folders.values())
    for (const path of paths) {
      const stats = path.includes(INSTALLED) ? undefined : lookAt(path);
      if (stats?.isFile() === true && stats.nlink > 1n) wanted.set(identify(stats), Number(stats.nlink));
    }
  if (wanted.size === 0) return hidden;
  const names = new Set(hidden);
  let index = 0;
  for (const folder of folders.keys()) {
    if (++index % IN_ONE_TURN === 0) await turn();
    for (const path of listFiles(folder)) {
      const stats = lookAt(path);
      const left = stats === undefined ? undefined : wanted.get(identify(stats));
      if (stats === undefined || left === undefined) continue;
      names.add(path);
      if (left > 1) wanted.set(identify(stats), left - 1);
      else wanted.delete(identify(stats));
      if (wanted.size === 0) return [...names];
    }
  }
  return [...names];
}

function identify({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

function listFiles(folder: string): readonly string[] {
  return listEntries(folder)
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name));
}
