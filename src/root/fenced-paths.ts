/**
 * Owns finding what a fence around commands must know of the tree: every `.git` and `.haft`, files that rules hide or lock.
 * Leaves what is done about them to the worker's side of the host. Rule: exact whenever a command starts, and cheap: a
 * folder that has not changed since it was read is looked at, not read; of a large tree what lies far down, and what was
 * installed, is looked at again every few seconds only. No link is followed.
 */
import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Root } from "../contract/root.ts";
import { protectorOfName } from "./protect.ts";

/** What the rules of a session say of a real path: the rule that speaks of it. */
export interface PathRules {
  /** No command may read it. */
  readonly hides: (realPath: string) => string | undefined;
  /** No command may change it. */
  readonly locks: (realPath: string) => string | undefined;
}

export interface FencedPaths {
  readonly gits: readonly string[];
  readonly hafts: readonly string[];
  readonly hidden: readonly string[];
  /** Folders with all that is in them, and files. */
  readonly locked: readonly string[];
}

export interface FencedPathsFinder {
  find(): Promise<FencedPaths>;
}

interface Folder extends FencedPaths {
  readonly folders: readonly string[];
  readonly inode: bigint;
  readonly changedNs: bigint;
  /** Changed so shortly before it was read that a later change may bear the same time. */
  readonly isFresh: boolean;
  lookedAtMs: number;
}

/** Folders from the root down, level by level, that are looked at for each command. */
const NEAR = 1_000;
const INSTALLED = "/node_modules/";
const DISTANT_MS = 10_000;
/** Folders that are looked at between two turns of the event loop. */
const IN_ONE_TURN = 400;
/** The steps in which file systems keep time, and more. */
const FRESH_MS = 100;

export function openFencedPaths(root: Pick<Root, "path">, rules: PathRules | undefined): FencedPathsFinder {
  let known = new Map<string, Folder>();
  let finding: Promise<FencedPaths> | undefined;

  async function look(): Promise<FencedPaths> {
    const found = new Map<string, Folder>();
    const queue = [root.path];
    for (const [index, path] of iterate(queue)) {
      const before = known.get(path);
      const isDistant = index >= NEAR || path.includes(INSTALLED);
      if (isDistant && before !== undefined && performance.now() - before.lookedAtMs < DISTANT_MS) {
        found.set(path, before);
        queue.push(...before.folders);
        continue;
      }
      if (index % IN_ONE_TURN === IN_ONE_TURN - 1) await turn();
      const stat = lookAt(path);
      if (stat?.isDirectory() !== true) continue;
      const isSame = before?.inode === stat.ino && before.changedNs === stat.ctimeNs && !before.isFresh;
      const folder = isSame ? before : readFolder(path, { stat, rules });
      folder.lookedAtMs = performance.now();
      found.set(path, folder);
      queue.push(...folder.folders);
    }
    known = found;
    const all = (key: keyof FencedPaths) => [...found.values()].flatMap((folder) => folder[key]);
    return { gits: all("gits"), hafts: all("hafts"), hidden: all("hidden"), locked: all("locked") };
  }

  return {
    find() {
      // Whoever asks meanwhile asks about a later moment.
      finding = (finding ?? Promise.resolve()).then(look, look);
      return finding;
    },
  };
}

/** Goes on with what is added meanwhile. */
function* iterate(queue: readonly string[]): Generator<[number, string]> {
  for (let index = 0; index < queue.length; index++) yield [index, queue[index] ?? ""];
}

function readFolder(
  path: string,
  { stat, rules }: { readonly stat: BigIntStats; readonly rules: PathRules | undefined },
): Folder {
  const folder = { folders: [], gits: [], hafts: [], hidden: [], locked: [] } as Record<
    keyof FencedPaths | "folders",
    string[]
  >;
  for (const entry of listEntries(path)) {
    const real = join(path, entry.name);
    const protector = protectorOfName(entry.name);
    if (protector !== undefined) folder[protector === "git" ? "gits" : "hafts"].push(real);
    else if (entry.isDirectory()) folder.folders.push(real);
    if (protector !== undefined || entry.isSymbolicLink() || rules === undefined) continue;
    if (!entry.isDirectory() && rules.hides(real) !== undefined) folder.hidden.push(real);
    if (isLocked(rules, { real, isFolder: entry.isDirectory() })) folder.locked.push(real);
  }
  const isFresh = BigInt(Date.now() - FRESH_MS) * 1_000_000n < stat.ctimeNs;
  return { ...folder, inode: stat.ino, changedNs: stat.ctimeNs, isFresh, lookedAtMs: 0 };
}

/** A name that nothing has. Where a rule locks whatever is new in a folder, it locks the folder. */
const NEW = "haft-\u{1f6a7}";

function isLocked(rules: PathRules, { real, isFolder }: { real: string; isFolder: boolean }): boolean {
  if (rules.locks(real) !== undefined) return true;
  return isFolder && [join(real, NEW), join(real, NEW, NEW)].every((path) => rules.locks(path) !== undefined);
}

function listEntries(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
