/**
 * Owns walking a tree: which entries there are, in the order of the bytes of their paths, and what was left out.
 * Leaves what is done with them to the tools, each folder to walk-down.ts. Rule: no link is followed, nothing but
 * folders and ignore files is opened, and what is not shown is counted: ignored, withheld by a rule, unreadable,
 * never walked.
 */
import type { Place } from "../contract/access.ts";
import type { Ports } from "../contract/context.ts";
import type { Root } from "../contract/root.ts";
import { binaryOfText } from "../text/path-text.ts";
import { readSorted } from "./folder-entries.ts";
import { openScope, withoutFiles } from "./ignore-rules.ts";
import { eachEntry, type Steering, type WalkCounts, type WalkEntry, type WalkRun } from "./walk-counts.ts";
import { type WalkDisk, walkDisk } from "./walk-disk.ts";
import { isPlain, walkDown } from "./walk-down.ts";

export interface WalkRequest<S> {
  readonly root: Root;
  /** A directory. */
  readonly place: Place;
  readonly withholds: Ports["withholds"];
  readonly steering: Steering<S>;
  readonly maxDepth?: number;
  readonly disk?: WalkDisk;
}

/** Yields undefined after each folder, and often in large ones, so that whoever drives it can let others run. */
export function walkTree<S>(
  request: WalkRequest<S>,
  counts: WalkCounts,
): Generator<WalkEntry | undefined, void> {
  return eachEntry(walkRuns(request, counts));
}

/** The same for whoever needs no path of most entries. */
export function* walkRuns<S>(
  request: WalkRequest<S>,
  counts: WalkCounts,
): Generator<WalkRun | undefined, void> {
  const { root, place, withholds, steering, maxDepth = Number.POSITIVE_INFINITY, disk = walkDisk } = request;
  const path = binaryOfText(place.real);
  const real = path.endsWith("/") ? path : `${path}/`;
  const { scope, ignored } = openScope(root, { disk, folder: real });
  const read = yield* readSorted(disk, path);
  if ("error" in read) {
    counts.unreadable.push({ path: "", error: read.error });
    return;
  }
  const first = {
    path: "",
    real,
    isPlain: isPlain(real),
    depth: 1,
    state: steering.start,
    scope: ignored ? withoutFiles(scope) : scope,
    explicit: place.real !== root.path,
  };
  yield* walkDown({ steering, withholds, maxDepth, counts, disk }, first, read.entries);
}
