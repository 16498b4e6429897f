/**
 * Owns walking a tree: which entries there are, in the order of the bytes of their paths, and what was left out.
 * Leaves what is done with them to the tools. Rule: no link is followed, nothing but folders and ignore files is
 * opened, and what is not shown is counted: ignored, withheld by a rule, unreadable, never walked.
 */
import type { Place } from "../contract/access.ts";
import type { Ports } from "../contract/context.ts";
import type { Root } from "../contract/root.ts";
import { binaryOfText, findText } from "../text/path-text.ts";
import type { EntryKind } from "./entry-kind.ts";
import { readSorted } from "./folder-entries.ts";
import { enterScope, type IgnoreScope, isIgnored, openScope, withoutFiles } from "./ignore-rules.ts";
import { isTemporaryName } from "./temporary-name.ts";
import { type FolderEntry, type WalkDisk, walkDisk } from "./walk-disk.ts";

/** Large, made by tools, and never what is looked for unless it is named. */
const NEVER_WALKED = new Set([".git", "node_modules", "target"]);

export interface WalkEntry {
  /** Relative to the walked place: a binary string (one character a byte) with `/`. */
  readonly path: string;
  /** Absolute, a binary string. */
  readonly real: string;
  readonly kind: EntryKind;
  /** Present on a folder that is never walked unless it is named. */
  readonly notWalked?: true;
}

export interface WalkCounts {
  /** Entries that ignore rules hide; a folder counts as one. */
  ignored: number;
  /** Entries that a rule of the session withholds, by rule. */
  readonly withheld: Map<string, number>;
  /** Folders that could not be read, with the system's error; paths as in entries. */
  readonly unreadable: { readonly path: string; readonly error: string }[];
  /** Folders that are never walked unless they are named. */
  readonly notWalked: string[];
  /** The first ignored entries, for telling what ignore rules have hidden: walking all again would cost as much. */
  readonly hidden: HiddenEntry[];
}

export interface HiddenEntry extends WalkEntry {
  /** Whether the entry itself is wanted. */
  readonly wanted: boolean;
  /** What is below it; nothing where nothing below can be wanted. Counts for itself. */
  descend(): Generator<WalkEntry | undefined, void>;
}

/** Whoever looks for something hidden gives up before there are so many. */
export const MOST_HIDDEN = 600;

/** Where a pattern can lead. A state is carried from a folder to what is in it. */
export interface Steering<S> {
  readonly start: S;
  /** The state inside a folder, or undefined where nothing below can match. */
  enter(state: S, name: string): S | undefined;
  /** Whether the entry is wanted. */
  takes(state: S, entry: { readonly name: string; readonly kind: EntryKind }): boolean;
  /** Paths that are never hidden, however much is ignored. */
  readonly named: ReadonlySet<string>;
}

export interface WalkRequest<S> {
  readonly root: Root;
  /** A directory. */
  readonly place: Place;
  readonly withholds: Ports["withholds"];
  readonly steering: Steering<S>;
  readonly maxDepth?: number;
  readonly disk?: WalkDisk;
}

export const EVERYTHING: Steering<true> = {
  start: true,
  enter: () => true,
  takes: () => true,
  named: new Set(),
};

export function startCounts(): WalkCounts {
  return { ignored: 0, withheld: new Map(), unreadable: [], notWalked: [], hidden: [] };
}

interface Folder<S> {
  readonly path: string;
  readonly real: string;
  readonly depth: number;
  readonly state: S;
  readonly scope: IgnoreScope;
}

/** Yields undefined after each folder, and often in large ones, so that whoever drives it can let others run. */
export function* walkTree<S>(
  request: WalkRequest<S>,
  counts: WalkCounts,
): Generator<WalkEntry | undefined, void> {
  const disk = request.disk ?? walkDisk;
  const real = binaryOfText(request.place.real);
  const base = real.endsWith("/") ? real : `${real}/`;
  const { scope, ignored } = openScope(request.root, { disk, folder: base });
  const first: Folder<S> = {
    path: "",
    real: base,
    depth: 1,
    state: request.steering.start,
    scope: ignored ? withoutFiles(scope) : scope,
  };
  const read = yield* readSorted(disk, real);
  if ("error" in read) {
    counts.unreadable.push({ path: "", error: read.error });
    return;
  }
  const explicit = request.place.real !== request.root.path;
  yield* walkFolder({ request, counts, disk, explicit }, first, read.entries);
}

interface Walk<S> {
  readonly request: WalkRequest<S>;
  readonly counts: WalkCounts;
  readonly disk: WalkDisk;
  /** The folder was named: where everything in it is ignored, that was not meant. */
  readonly explicit: boolean;
}

function* walkFolder<S>(
  walk: Walk<S>,
  folder: Folder<S>,
  entries: readonly FolderEntry[],
): Generator<WalkEntry | undefined, void> {
  const { request } = walk;
  const scope = yield* scopeInside(walk, folder, entries);
  const anyNamed = request.steering.named.size > 0;
  let untilPause = 1;
  for (const entry of entries) {
    if (--untilPause === 0) {
      yield undefined;
      untilPause = ENTRIES_A_PAUSE;
    }
    const path = folder.path + entry.name;
    // Asking even an empty set would spell out and hash the path of every entry.
    const named = anyNamed && request.steering.named.has(path);
    const directory = entry.kind === "directory";
    if (isOurs(entry)) continue;
    const inside = directory ? request.steering.enter(folder.state, entry.name) : undefined;
    const wanted = request.steering.takes(folder.state, entry);
    if (!wanted && inside === undefined) continue;
    const real = folder.real + entry.name;
    if (isWithheld(walk, real)) continue;
    if (!named && isNeverWalked(entry)) {
      walk.counts.notWalked.push(path);
      if (wanted) yield { path, real, kind: entry.kind, notWalked: true };
      continue;
    }
    const ignored = isIgnored(scope, { folder: folder.real, name: entry.name, directory });
    const deeper = folder.depth < (request.maxDepth ?? Number.POSITIVE_INFINITY);
    const below =
      inside === undefined || !deeper
        ? undefined
        : {
            path: `${path}/`,
            real: `${real}/`,
            depth: folder.depth + 1,
            state: inside,
            scope: ignored ? withoutFiles(scope) : scope,
          };
    if (ignored && !named) {
      hide(walk, { path, real, kind: entry.kind, wanted, below });
      continue;
    }
    if (wanted) yield { path, real, kind: entry.kind };
    if (below !== undefined) yield* enterFolder({ ...walk, explicit: named }, below);
  }
}

function* enterFolder<S>(walk: Walk<S>, folder: Folder<S>): Generator<WalkEntry | undefined, void> {
  const read = yield* readSorted(walk.disk, folder.real.slice(0, -1));
  if (!("error" in read)) yield* walkFolder(walk, folder, read.entries);
  // A folder that vanished or was exchanged while we walked is no longer part of the tree.
  else if (!GONE.has(read.error))
    walk.counts.unreadable.push({ path: folder.path.slice(0, -1), error: read.error });
}

function hide<S>(
  walk: Walk<S>,
  entry: WalkEntry & { readonly wanted: boolean; readonly below: Folder<S> | undefined },
): void {
  const { counts } = walk;
  counts.ignored++;
  if (counts.hidden.length >= MOST_HIDDEN) return;
  const { below, ...shown } = entry;
  const inside = { ...walk, counts: startCounts(), explicit: false };
  counts.hidden.push({
    ...shown,
    *descend() {
      if (below !== undefined) yield* enterFolder(inside, below);
    },
  });
}

const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE", "moved"]);

/** Entries looked at between two pauses: under a millisecond. */
const ENTRIES_A_PAUSE = 256;

function* scopeInside<S>(
  walk: Walk<S>,
  folder: Folder<S>,
  entries: readonly FolderEntry[],
): Generator<undefined, IgnoreScope> {
  const names = new Set<string>();
  for (const { name } of entries) if (name === ".git" || name === ".gitignore") names.add(name);
  if (names.size === 0 && !walk.explicit) return folder.scope;
  const scope = enterScope(folder.scope, {
    disk: walk.disk,
    folder: folder.real,
    has: (name) => names.has(name),
  });
  if (!walk.explicit || scope.layers.length === 0) return scope;
  // A tool's own folder often holds a `.gitignore` of `*`, or is ignored as `dist/*`: who names it wants its contents.
  const files = { layers: scope.layers, extra: undefined };
  for (const [index, { name, kind }] of entries.entries()) {
    if (index % ENTRIES_A_PAUSE === 0) yield undefined;
    const directory = kind === "directory";
    if (name !== ".gitignore" && !isIgnored(files, { folder: folder.real, name, directory })) return scope;
  }
  return entries.length > 0 ? withoutFiles(scope) : scope;
}

/** What haft itself keeps in a tree is no part of it. */
function isOurs({ name, kind }: FolderEntry): boolean {
  return (name === ".haft" && kind === "directory") || (name.startsWith(".haft-") && isTemporaryName(name));
}

function isNeverWalked({ name, kind }: FolderEntry): boolean {
  return NEVER_WALKED.has(name) && (kind === "directory" || (name === ".git" && kind === "file"));
}

function isWithheld<S>({ request, counts }: Walk<S>, real: string): boolean {
  const rule = request.withholds(findText(real) ?? Buffer.from(real, "latin1").toString("utf8"));
  if (rule === undefined) return false;
  counts.withheld.set(rule, (counts.withheld.get(rule) ?? 0) + 1);
  return true;
}
