/**
 * Owns the parts of git's directories by which git is made to run something, and what appeared of them meanwhile.
 * Leaves finding the `.git` of a tree to fenced-paths.ts, keeping them read-only to the fence around a command.
 * Rule: what is there when a command starts is held; of what was not there, and is there when it has ended, nothing
 * stays. A repository that is new is the command's own. Removed through descriptors: the attack exchanges `.git` for a
 * link to another repository between our look and the removal.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Root } from "../contract/root.ts";
import { isInside } from "./containment.ts";
import { openDirectory } from "./directory.ts";
import { emptyScratch } from "./scratch-emptying.ts";

/** `commondir` makes git read another directory's configuration. */
const EXECUTING = ["config", "config.worktree", "commondir", "hooks", "info/attributes"];
const OF_WORKTREES = [...EXECUTING, "gitdir"];
/** Deeper than any name of a submodule is. */
const MAX_DEPTH = 12;

export interface GitPart {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "absent";
  /** Of a link. */
  readonly target?: string;
  /** Of the directory in which it stands: another one there is a new repository. */
  readonly owner: { readonly path: string; readonly identity: string };
}

export interface GitHoldings {
  readonly parts: readonly GitPart[];
  /** Writable, and not to be moved away: git's directories themselves. */
  readonly pinned: readonly string[];
}

/** `gits` are the paths of all that is called `.git`. */
export function holdGit(root: Pick<Root, "path">, gits: readonly string[]): GitHoldings {
  const parts: GitPart[] = [];
  const pinned = new Set<string>();
  const hold = (directory: string, names: readonly string[]) => {
    const stat = look(directory);
    if (stat === undefined || !stat.isDirectory() || pinned.has(directory)) return;
    pinned.add(directory);
    const owner = { path: directory, identity: identify(stat) };
    const held = names.map((name) => describe(join(directory, name), owner));
    parts.push(...held);
    const hasAttributes = held.some((part) => part.path.endsWith("/attributes") && part.kind === "file");
    if (hasAttributes) pinned.add(join(directory, "info"));
  };
  for (const git of gits) {
    // A link is no place for a mount: what it stands in must not be moved away.
    if (look(git)?.isSymbolicLink() === true) pinned.add(dirname(git));
    const directory = followGit(root, git, parts);
    if (directory === undefined) continue;
    hold(directory, EXECUTING);
    for (const name of listNames(join(directory, "worktrees")))
      hold(join(directory, "worktrees", name), OF_WORKTREES);
    for (const module of listModules(join(directory, "modules"), 0)) hold(module, EXECUTING);
  }
  return { parts, pinned: [...pinned] };
}

/** The directory that a `.git` is or leads to, inside the root; a file or a link that leads there is a part itself. */
function followGit(root: Pick<Root, "path">, git: string, parts: GitPart[]): string | undefined {
  const stat = look(git);
  if (stat === undefined || stat.isDirectory()) return stat === undefined ? undefined : git;
  const above = look(dirname(git));
  if (above === undefined) return undefined;
  parts.push(describe(git, { path: dirname(git), identity: identify(above) }));
  try {
    const named = stat.isSymbolicLink() ? git : readPointer(git);
    const real = named === undefined ? undefined : realpathSync(named);
    return real !== undefined && isInside(root.path, real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** `gitdir: ../.git/worktrees/x`; undefined for anything else. */
export function readPointer(file: string): string | undefined {
  if (look(file)?.isFile() !== true) return undefined;
  const named = /^gitdir: ([^\n]+)/.exec(readFileSync(file, "utf8"))?.[1];
  return named === undefined ? undefined : resolve(dirname(file), named.trim());
}

/** A submodule's name may have slashes in it. */
function listModules(folder: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  return listNames(folder).flatMap((name) => {
    const path = join(folder, name);
    const nested = listModules(join(path, "modules"), depth + 1);
    return look(join(path, "HEAD")) === undefined ? listModules(path, depth + 1) : [path, ...nested];
  });
}

function listNames(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Something beside git's own that must not come into being: haft's state, the project's configuration. */
export function holdAbsent(root: Pick<Root, "path">, name: string): GitPart[] {
  const stat = look(root.path);
  const path = join(root.path, name);
  if (stat === undefined || look(path) !== undefined) return [];
  return [describe(path, { path: root.path, identity: identify(stat) })];
}

function describe(path: string, owner: GitPart["owner"]): GitPart {
  const stat = look(path);
  if (stat === undefined) return { path, kind: "absent", owner };
  if (stat.isSymbolicLink()) return { path, kind: "link", target: readTarget(path), owner };
  return { path, kind: stat.isDirectory() ? "folder" : "file", owner };
}

/** The parts that came to be where there was none, or in place of a link: gone again. Those that could be removed. */
export async function removeAppeared(root: Root, parts: readonly GitPart[]): Promise<string[]> {
  const removed: string[] = [];
  for (const part of parts) {
    if (!hasAppeared(part)) continue;
    if (await removePart(root, part)) removed.push(part.path);
  }
  return removed;
}

function hasAppeared({ path, kind, target, owner }: GitPart): boolean {
  if (kind !== "absent" && kind !== "link") return false;
  const above = look(owner.path);
  if (above === undefined || identify(above) !== owner.identity) return false;
  const now = look(path);
  if (now === undefined) return false;
  return kind === "absent" || !now.isSymbolicLink() || readTarget(path) !== target;
}

async function removePart(root: Root, { path, kind, target }: GitPart): Promise<boolean> {
  const { disk } = root;
  const name = basename(path);
  try {
    const above = await openDirectory(disk, dirname(path));
    if (above === undefined) return false;
    try {
      const isFolder = (await disk.lstat(above.child(name))).isDirectory();
      if (isFolder) await emptyScratch(disk, above, name);
      await disk[isFolder ? "rmdir" : "unlink"](above.child(name));
      if (kind === "link" && target !== undefined) await disk.symlink(target, above.child(name));
      return true;
    } finally {
      await above.close();
    }
  } catch {
    return false;
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function readTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function identify({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
