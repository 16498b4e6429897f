/**
 * Owns finding what a fence around commands must know of the tree: every `.git` and `.haft`, files that rules hide or lock.
 * Leaves what is done about them to the worker's side of the host. Rule: exact whenever a command starts, and cheap: a
 * folder that has not changed since it was read is looked at, not read; of a large tree what lies far down, and what was
 * installed, is looked at again every few seconds only. No link is followed.
 */
import type { BigIntStats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Root } from "../contract/root.ts";
import { isInside } from "./containment.ts";
import { withHardLinks } from "./hard-linked.ts";
import type { LedName } from "./led-names.ts";
import { listEntries, lookAt } from "./look-quietly.ts";
import { protectorOfName } from "./protect.ts";

/** What the rules of a session say of a real path: the rule that speaks of it. */
export interface PathRules {
  /** No command may read it. */
  readonly hides: (realPath: string) => string | undefined;
  /** No command may change it. */
  readonly locks: (realPath: string) => string | undefined;
  /**
   * Looks where links lead that the rules speak of: the rules hold for that, too. Gives the same list where nothing is
   * new.
   */
  readonly follow?: () => Promise<readonly LedName[]>;
}

export interface FencedPaths {
  readonly gits: readonly string[];
  readonly hafts: readonly string[];
  /** Files, but for those in folders that are withheld as a whole. */
  readonly hidden: readonly string[];
  /** Folders of which everything is withheld, what will be in them too; the topmost. */
  readonly emptied: readonly string[];
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
  /** Something in it, folders aside, is not withheld. */
  readonly showsSome: boolean;
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
  let followed: readonly LedName[] | undefined;

  async function look(): Promise<FencedPaths> {
    const now = await rules?.follow?.();
    // What was told of a folder whose entries have not changed may have changed all the same.
    if (now !== followed) known = new Map();
    followed = now;
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
    const emptied = findEmptied(found);
    const kept = [...found].filter(([path]) => !emptied.within.has(path)).map(([, folder]) => folder);
    const all = (key: keyof FencedPaths) => kept.flatMap((folder) => folder[key]);
    const outside = findOutside(root, now ?? [], rules?.hides);
    return {
      gits: all("gits"),
      hafts: all("hafts"),
      hidden: [...(await withHardLinks(all("hidden"), found)), ...outside.hidden],
      emptied: [...emptied.topmost, ...outside.emptied],
      locked: keepAround(all("locked")),
    };
  }

  return {
    find() {
      // Whoever asks meanwhile asks about a later moment.
      finding = (finding ?? Promise.resolve()).then(look, look);
      return finding;
    },
  };
}

/** Of the system, without which no command runs. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/nix", "/proc", "/sys", "/dev"];

/** What links of withheld names lead to outside of the root: a file, or a folder of which everything is withheld. */
function findOutside(
  root: Pick<Root, "path">,
  led: readonly LedName[],
  hides: PathRules["hides"] | undefined,
): { readonly hidden: readonly string[]; readonly emptied: readonly string[] } {
  const targets = new Set(led.map(({ target }) => target).filter((target) => isAbsolute(target)));
  const hidden: string[] = [];
  const emptied: string[] = [];
  for (const target of targets) {
    const stat =
      hides === undefined || SYSTEM.some((folder) => isInside(folder, target)) ? undefined : lookAt(target);
    if (hides === undefined || stat === undefined) continue;
    if (stat.isFile() && hides(target) !== undefined) hidden.push(target);
    // A link to what the root lies in would take the root away.
    const isAbove = [root.path, ...SYSTEM].some((folder) => isInside(target, folder));
    if (stat.isDirectory() && !isAbove && speaksOfAll(hides, target)) emptied.push(target);
  }
  return { hidden, emptied };
}

/** A person may have answered for a single file: then its folder is withheld file by file. */
function findEmptied(found: ReadonlyMap<string, Folder>) {
  const shown = new Set<string>();
  // Folders come after those above them.
  for (const [path, folder] of [...found].reverse())
    if (folder.showsSome || folder.folders.some((one) => shown.has(one))) shown.add(path);
  const topmost: string[] = [];
  const within = new Set<string>();
  for (const [path, folder] of found) {
    const isWithin = within.has(path);
    for (const one of isWithin ? folder.folders : folder.emptied) {
      // What has just gone, or cannot be entered, is not in the list.
      if (!isWithin && (shown.has(one) || !found.has(one))) continue;
      within.add(one);
      if (!isWithin) topmost.push(one);
    }
  }
  return { topmost, within };
}

/** Without what lies in a folder that is locked as a whole. Folders come before what is in them. */
function keepAround(locked: readonly string[]): string[] {
  const kept = new Set<string>();
  for (const path of locked) if (!hasAround(kept, path)) kept.add(path);
  return [...kept];
}

function hasAround(folders: ReadonlySet<string>, path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (folders.has(folder)) return true;
  return false;
}

/** Goes on with what is added meanwhile. */
function* iterate(queue: readonly string[]): Generator<[number, string]> {
  for (let index = 0; index < queue.length; index++) yield [index, queue[index] ?? ""];
}

function readFolder(
  path: string,
  { stat, rules }: { readonly stat: BigIntStats; readonly rules: PathRules | undefined },
): Folder {
  const folder = { folders: [], gits: [], hafts: [], hidden: [], emptied: [], locked: [] } as Record<
    keyof FencedPaths | "folders",
    string[]
  >;
  let showsSome = false;
  for (const entry of listEntries(path)) {
    const real = join(path, entry.name);
    const protector = protectorOfName(entry.name);
    if (protector !== undefined) folder[protector === "git" ? "gits" : "hafts"].push(real);
    else if (entry.isDirectory()) folder.folders.push(real);
    if (protector !== undefined || entry.isSymbolicLink() || rules === undefined) continue;
    const isFolder = entry.isDirectory();
    if (!isFolder) {
      const isHidden = rules.hides(real) !== undefined;
      if (isHidden) folder.hidden.push(real);
      showsSome ||= !isHidden;
    } else if (speaksOfAll(rules.hides, real)) folder.emptied.push(real);
    if (rules.locks(real) !== undefined || (isFolder && speaksOfAll(rules.locks, real)))
      folder.locked.push(real);
  }
  const isFresh = BigInt(Date.now() - FRESH_MS) * 1_000_000n < stat.ctimeNs;
  return { ...folder, showsSome, inode: stat.ino, changedNs: stat.ctimeNs, isFresh, lookedAtMs: 0 };
}

/** Names that nothing has, of several kinds. Where a rule speaks of whatever is new in a folder, it speaks of the folder. */
const NEW = [
  "haft-\u{1f6a7}",
  ".haft-\u{1f6a7}",
  "0.haft-\u{1f6a7}.TXT",
  "\u{1f6a7}-haft.d/.x",
  "haft-\u{1f6a7}/A/b.c",
];

function speaksOfAll(says: PathRules["hides"], folder: string): boolean {
  return NEW.every((name) => says(join(folder, name)) !== undefined);
}
