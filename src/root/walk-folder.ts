/**
 * Owns going into one folder of a walk: its entries, and the ignore rules that hold in it.
 * Leaves what of the entries is left out to walk-down.ts, the rules to ignore-rules.ts. Rule: a folder that is gone by
 * now was never there; one that cannot be read is counted.
 */
import type { Ports } from "../contract/context.ts";
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
import type { Steering, WalkCounts } from "./walk-counts.ts";
import type { WalkDisk } from "./walk-disk.ts";

/** Entries looked at between two pauses: under a millisecond. */
export const ENTRIES_A_PAUSE = 256;

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
export interface Level<S> {
  readonly folder: Folder<S>;
  readonly entries: readonly FolderEntry[];
  /** The rules inside, for what is below. */
  readonly scope: IgnoreScope;
  /** The same for what lies in it. */
  readonly rules: FolderRules;
  /** The index of the next entry. */
  next: number;
}

/** The entries of a folder in their order; undefined where it cannot be read, which is counted. Yields undefined for a pause. */
export function* readFolder<S>(
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

/** Goes into a folder whose entries are known. */
export function* enterLevel<S>(
  { disk }: Walk<S>,
  folder: Folder<S>,
  entries: readonly FolderEntry[],
): Generator<undefined, Level<S>> {
  let own: Set<string> | undefined;
  for (const { name } of entries) {
    // In the order of bytes, so that most folders are done with at their first name.
    if (name > ".gitignore") break;
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
