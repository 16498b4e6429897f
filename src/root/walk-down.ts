/**
 * Owns going down from one folder: its entries in their order, and what of them is left out.
 * Leaves where a walk begins to walk.ts, going into a folder to walk-folder.ts. Rule: one loop over a stack of folders,
 * so that an entry costs the same however deep it lies; what can be told by a name alone is told before a path is
 * spelled out.
 */
import { findText } from "../text/path-text.ts";
import { isIgnored, withoutFiles } from "./ignore-rules.ts";
import type { FolderEntry } from "./read-entries.ts";
import { isTemporaryName } from "./temporary-name.ts";
import { eachEntry, type HiddenEntry, startCounts, type WalkEntry, type WalkRun } from "./walk-counts.ts";
import {
  ENTRIES_A_PAUSE,
  enterLevel,
  type Folder,
  type Level,
  readFolder,
  type Walk,
} from "./walk-folder.ts";

/** Whoever looks for something hidden gives up before there are so many. */
export const MOST_HIDDEN = 600;

/** What comes next in a folder: entries that are wanted, a folder to go into, or both; neither for a pause. */
interface Met<S> {
  readonly run: WalkRun | undefined;
  readonly below: Folder<S> | undefined;
}

/** What ends a run: it is counted, or something lies below it. */
interface Apart<S> extends Met<S> {
  /** Counts what is left out. */
  readonly count?: () => void;
}

const PAUSE = { run: undefined, below: undefined };
/** Entries of one run: so few are searched before it is seen that files come slowly. */
const MOST_IN_RUN = 8;

export function* walkDown<S>(
  walk: Walk<S>,
  folder: Folder<S>,
  entries: readonly FolderEntry[],
): Generator<WalkRun | undefined, void> {
  const levels: Level<S>[] = [yield* enterLevel(walk, folder, entries)];
  yield undefined;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const met = findNext(walk, level);
    if (met === undefined) {
      levels.pop();
      continue;
    }
    if (met.run !== undefined || met.below === undefined) yield met.run;
    if (met.below === undefined) continue;
    const inside = yield* readFolder(walk, met.below);
    if (inside !== undefined) levels.push(yield* enterLevel(walk, met.below, inside));
    yield undefined;
  }
}

function findNext<S>(walk: Walk<S>, level: Level<S>): Met<S> | undefined {
  const { entries, folder } = level;
  const stop = Math.min(entries.length, level.next + ENTRIES_A_PAUSE);
  const taken: FolderEntry[] = [];
  for (; level.next < stop && taken.length < MOST_IN_RUN; level.next++) {
    const entry = entries[level.next] as FolderEntry;
    const judged = judgeEntry(walk, level, entry);
    if (judged === undefined) continue;
    if (judged === "taken") {
      taken.push(entry);
      continue;
    }
    // What comes before it is told first; then it is judged once more.
    if (taken.length > 0) break;
    judged.count?.();
    if (judged.run === undefined && judged.below === undefined) continue;
    level.next++;
    return judged;
  }
  if (taken.length > 0) {
    return { run: { path: folder.path, folder: folder.real, entries: taken }, below: undefined };
  }
  return level.next < entries.length ? PAUSE : undefined;
}

/** Undefined where there is nothing to tell of an entry; `taken` where it is wanted, and that is all. */
function judgeEntry<S>(walk: Walk<S>, level: Level<S>, entry: FolderEntry): Apart<S> | "taken" | undefined {
  const { steering } = walk;
  const { folder } = level;
  const { name, kind } = entry;
  if (isOurs(entry)) return undefined;
  const state = kind === "directory" ? steering.enter(folder.state, name) : undefined;
  const wanted = steering.takes(folder.state, entry);
  if (!wanted && state === undefined) return undefined;
  const rule = withholdingRule(walk, folder, name);
  if (rule !== undefined) return { ...PAUSE, count: () => countWithheld(walk, rule) };
  // Asking even an empty set would spell out and hash the path of every entry.
  const named = steering.named.size > 0 && steering.named.has(folder.path + name);
  const neverWalked = !named && isNeverWalked(entry);
  const ignored = !neverWalked && isIgnored(level.rules, entry);
  if (state === undefined && !ignored && !neverWalked) return "taken";
  const run = wanted ? { path: folder.path, folder: folder.real, entries: [entry] } : undefined;
  if (neverWalked) {
    return {
      run: run && { ...run, notWalked: true },
      below: undefined,
      count: () => walk.counts.notWalked.push(folder.path + name),
    };
  }
  const below =
    state === undefined || folder.depth >= walk.maxDepth
      ? undefined
      : {
          path: `${folder.path}${name}/`,
          real: `${folder.real}${name}/`,
          isPlain: folder.isPlain && isPlain(name),
          depth: folder.depth + 1,
          state,
          scope: ignored ? withoutFiles(level.scope) : level.scope,
          explicit: named,
        };
  if (!ignored || named) return { run, below };
  const hidden = { path: folder.path + name, folder: folder.real, name, kind, wanted, below };
  return { ...PAUSE, count: () => hide(walk, hidden) };
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
      if (entries !== undefined) yield* eachEntry(walkDown(inside, { ...below, explicit: false }, entries));
    },
  };
  counts.hidden.push(hidden);
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

/** The rule that withholds an entry. */
function withholdingRule<S>({ withholds }: Walk<S>, folder: Folder<S>, name: string): string | undefined {
  const real = folder.real + name;
  // Nearly every path is plain, and that is told without copying it.
  const plain = folder.isPlain && isPlain(name);
  return withholds(plain ? real : (findText(real) ?? Buffer.from(real, "latin1").toString("utf8")));
}

function countWithheld<S>({ counts }: Walk<S>, rule: string): void {
  counts.withheld.set(rule, (counts.withheld.get(rule) ?? 0) + 1);
}
