/**
 * Owns the words of a walk: the entries it meets, what steers it, and the counts of what it left out.
 * Leaves walking to walk.ts. Rule: what is not shown is counted.
 */
import type { EntryKind } from "./entry-kind.ts";
import type { FolderEntry } from "./read-entries.ts";

export interface WalkEntry {
  /** Relative to the walked place: a binary string (one character a byte) with `/`. */
  readonly path: string;
  /** The real path of its folder, a binary string with a final `/`: the very same string for all that is in it. */
  readonly folder: string;
  readonly name: string;
  readonly kind: EntryKind;
  /** Present on a folder that is never walked unless it is named. */
  readonly notWalked?: true;
}

/**
 * Entries of one folder that follow one another, with nothing between them that is left out and counted: most are
 * never looked at one by one, so that each costs no more than its name.
 */
export interface WalkRun {
  /** The folder relative to the walked place: empty, or with a final `/`. */
  readonly path: string;
  /** As in an entry. */
  readonly folder: string;
  readonly entries: readonly FolderEntry[];
  /** As in an entry. */
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

export const EVERYTHING: Steering<true> = {
  start: true,
  enter: () => true,
  takes: () => true,
  named: new Set(),
};

export function startCounts(): WalkCounts {
  return { ignored: 0, withheld: new Map(), unreadable: [], notWalked: [], hidden: [] };
}

/** A walk entry by entry. */
export function* eachEntry(
  runs: Generator<WalkRun | undefined, void>,
): Generator<WalkEntry | undefined, void> {
  for (const run of runs) {
    if (run === undefined) yield undefined;
    else for (const entry of run.entries) yield entryIn(run, entry);
  }
}

function entryIn({ path, folder, notWalked }: WalkRun, { name, kind }: FolderEntry): WalkEntry {
  const entry = { path: path + name, folder, name, kind };
  return notWalked === undefined ? entry : { ...entry, notWalked };
}
