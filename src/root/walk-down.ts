/**
 * Owns going down from one folder: its entries in their order, and what of them is left out.
 * Leaves where a walk begins to walk.ts. Rule: one loop over a stack of folders, so that an entry costs the same
 * however deep it lies; what can be told by a name alone is told before a path is spelled out.
 */
import type { Ports } from "../contract/context.ts";
import { findText } from "../text/path-text.ts";
import { readSorted } from "./folder-entries.ts";
import {
  enterScope,
  type FolderRules,
  type IgnoreScope,
  isIgnored,
  rulesIn,
  withoutFiles,
} from "./ignore-rules.ts";
import type { FolderEntry } from "./read-entries.ts";
import { isTemporaryName } from "./temporary-name.ts";
import {
  type HiddenEntry,
  type Steering,
  startCounts,
  type WalkCounts,
  type WalkEntry,
} from "./walk-counts.ts";
import type { WalkDisk } from "./walk-disk.ts";

/** Whoever looks for something hidden gives up before there are so many. */
export const MOST_HIDDEN = 600;

export interface Walk<S> {
  readonly steering: Steering<S>;
  readonly withholds: Ports["withholds"];
  readonly maxDepth: number;
  readonly counts: WalkCounts;
  readonly disk: WalkDisk;
}

export interface Folder<S> {
  /** Empty, or with a final `/`. */
  readonly path: string;
  /** With a final `/`. */
  readonly real: string;
  /** Whether that is ASCII alone. */
  readonly isPlain: boolean;
  readonly depth: number;
  readonly state: S;
  /** The rules from above. */
  readonly scope: IgnoreScope;
  /** The folder was named: where everything in it is ignored, that was not meant. */
  readonly explicit: boolean;
}

/** A folder that is being walked. */
interface Level<S> {
  readonly folder: Folder<S>;
  readonly entries: readonly FolderEntry[];
  /** The rules inside, for what is below. */
  readonly scope: IgnoreScope;
  /** The same for what lies in it. */
  readonly rules: FolderRules;
  /** The index of the next entry. */
  next: number;
}

/** What comes next in a folder: an entry that is wanted, a folder to go into, or both; neither for a pause. */
interface Met<S> {
  readonly entry: WalkEntry | undefined;
  readonly below: Folder<S> | undefined;
}

const PAUSE = { entry: undefined, below: undefined };
/** Entries looked at between two pauses: under a millisecond. */
const ENTRIES_A_PAUSE = 256;

export function* walkDown<S>(
  walk: Walk<S>,
  folder: Folder<S>,
  entries: readonly FolderEntry[],
): Generator<WalkEntry | undefined, void> {
  const levels: Level<S>[] = [yield* enterLevel(walk, folder, entries)];
  yield undefined;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const met = findNext(walk, level);
    if (met === undefined) {
      levels.pop();
      continue;
    }
    if (met.entry !== undefined || met.below === undefined) yield met.entry;
    if (met.below === undefined) continue;
    const inside = yield* readFolder(walk, met.below);
    if (inside !== undefined) levels.push(yield* enterLevel(walk, met.below, inside));
    yield undefined;
  }
}

function* readFolder<S>(
  { disk, counts }: Walk<S>,
  { real, path }: Folder<S>,
): Generator<undefined, readonly FolderEntry[] | undefined> {
  const read = yield* readSorted(disk, real.slice(0, -1));
  if (!("error" in read)) return read.entries;
  // A folder that vanished or was exchanged while we walked is no longer part of the tree.
  if (!GONE.has(read.error)) counts.unreadable.push({ path: path.slice(0, -1), error: read.error });
  return undefined;
}

const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE", "moved"]);

function findNext<S>(walk: Walk<S>, level: Level<S>): Met<S> | undefined {
  const { entries } = level;
  const stop = Math.min(entries.length, level.next + ENTRIES_A_PAUSE);
  while (level.next < stop) {
    const met = judgeEntry(walk, level, entries[level.next++] as FolderEntry);
    if (met !== undefined) return met;
  }
  return stop < entries.length ? PAUSE : undefined;
}

function judgeEntry<S>(walk: Walk<S>, level: Level<S>, entry: FolderEntry): Met<S> | undefined {
  const { steering, counts } = walk;
  const { folder, scope } = level;
  const { name, kind } = entry;
  if (isOurs(entry)) return undefined;
  const directory = kind === "directory";
  const state = directory ? steering.enter(folder.state, name) : undefined;
  const wanted = steering.takes(folder.state, entry);
  if (!wanted && state === undefined) return undefined;
  if (isWithheld(walk, folder, name)) return undefined;
  const path = folder.path + name;
  // Asking even an empty set would spell out and hash the path of every entry.
  const named = steering.named.size > 0 && steering.named.has(path);
  if (!named && isNeverWalked(entry)) {
    counts.notWalked.push(path);
    return wanted
      ? { entry: { path, folder: folder.real, name, kind, notWalked: true }, below: undefined }
      : undefined;
  }
  const ignored = isIgnored(level.rules, entry);
  const below =
    state === undefined || folder.depth >= walk.maxDepth
      ? undefined
      : {
          path: `${path}/`,
          real: `${folder.real}${name}/`,
          isPlain: folder.isPlain && isPlain(name),
          depth: folder.depth + 1,
          state,
          scope: ignored ? withoutFiles(scope) : scope,
          explicit: named,
        };
  const met = { path, folder: folder.real, name, kind };
  if (ignored && !named) {
    hide(walk, { ...met, wanted, below });
    return undefined;
  }
  return wanted || below !== undefined ? { entry: wanted ? met : undefined, below } : undefined;
}

function hide<S>(
  walk: Walk<S>,
  entry: WalkEntry & { readonly wanted: boolean; readonly below: Folder<S> | undefined },
): void {
  const { counts } = walk;
  counts.ignored++;
  if (counts.hidden.length >= MOST_HIDDEN) return;
  const { below, ...shown } = entry;
  const inside = { ...walk, counts: startCounts() };
  const hidden: HiddenEntry = {
    ...shown,
    *descend() {
      if (below === undefined) return;
      const entries = yield* readFolder(inside, below);
      if (entries !== undefined) yield* walkDown(inside, { ...below, explicit: false }, entries);
    },
  };
  counts.hidden.push(hidden);
}

function* enterLevel<S>(
  { disk }: Walk<S>,
  folder: Folder<S>,
  entries: readonly FolderEntry[],
): Generator<undefined, Level<S>> {
  let own: Set<string> | undefined;
  for (const { name } of entries) {
    if (name !== ".git" && name !== ".gitignore") continue;
    own ??= new Set();
    own.add(name);
  }
  const scope =
    own === undefined && !folder.explicit ? folder.scope : yield* scopeInside({ disk, folder, entries, own });
  return { folder, entries, scope, rules: rulesIn(scope, folder.real), next: 0 };
}

function* scopeInside<S>(at: {
  disk: WalkDisk;
  folder: Folder<S>;
  entries: readonly FolderEntry[];
  own: ReadonlySet<string> | undefined;
}): Generator<undefined, IgnoreScope> {
  const { disk, folder, entries, own } = at;
  const has = (name: string) => own?.has(name) === true;
  const scope = enterScope(folder.scope, { disk, folder: folder.real, has });
  if (!folder.explicit || scope.layers.length === 0) return scope;
  // A tool's own folder often holds a `.gitignore` of `*`, or is ignored as `dist/*`: who names it wants its contents.
  const files = rulesIn({ layers: scope.layers, extra: undefined }, folder.real);
  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_A_PAUSE === 0) yield undefined;
    if (entry.name !== ".gitignore" && !isIgnored(files, entry)) return scope;
  }
  return entries.length > 0 ? withoutFiles(scope) : scope;
}

/** What haft itself keeps in a tree is no part of it. */
function isOurs({ name, kind }: FolderEntry): boolean {
  if (!name.startsWith(".haft")) return false;
  return (name === ".haft" && kind === "directory") || (name.startsWith(".haft-") && isTemporaryName(name));
}

/** Large, made by tools, and never what is looked for unless it is named. */
function isNeverWalked({ name, kind }: FolderEntry): boolean {
  if (kind === "directory") return name === ".git" || name === "node_modules" || name === "target";
  return kind === "file" && name === ".git";
}

const NON_ASCII = /[\x80-\xff]/;

export function isPlain(binary: string): boolean {
  return !NON_ASCII.test(binary);
}

function isWithheld<S>({ withholds, counts }: Walk<S>, folder: Folder<S>, name: string): boolean {
  const real = folder.real + name;
  // Nearly every path is plain, and that is told without copying it.
  const plain = folder.isPlain && isPlain(name);
  const rule = withholds(plain ? real : (findText(real) ?? Buffer.from(real, "latin1").toString("utf8")));
  if (rule === undefined) return false;
  counts.withheld.set(rule, (counts.withheld.get(rule) ?? 0) + 1);
  return true;
}
