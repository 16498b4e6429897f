/**
 * Owns reading files on this thread, one after another, and counting what is found.
 * Leaves which files to ripgrep-engine.ts and read-rest.ts. Rule: at once for nearly every file; only what may match is
 * searched in slices.
 */
import type { CountFollower } from "../../../root/count-mark.ts";
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FolderEntry } from "../../../root/read-entries.ts";
import { finishIn, type Slices } from "../../../root/search-pump.ts";
import type { ReadAhead } from "../ahead.ts";
import { beginFed, type Feed } from "../feed.ts";
import { type FileOutcome, type FileSearch, finishFile } from "../search-file.ts";
import type { Tally } from "../tally.ts";
import type { HandedRun } from "../workers/hand-over.ts";
import type { PackedOutcome } from "../workers/messages.ts";

export interface Reading {
  readonly tally: Tally;
  readonly slices: Slices;
  readonly follower: CountFollower;
  readonly feed: Feed;
  readonly ahead: ReadAhead;
  /** What searches on this thread. */
  readonly here: FileSearch;
}

/** Counts what is in a file: at once for nearly every one. */
export function countHere(
  { path, folder, mark, known }: HandedRun,
  { name }: FolderEntry,
  reading: Reading,
): PackedOutcome | Promise<PackedOutcome> {
  const { tally, follower } = reading;
  const count = (outcome: PackedOutcome) => {
    follower.advance(mark);
    if (typeof outcome === "number") tally.addMiss(outcome);
    else tally.add(path + name, outcome);
    return outcome;
  };
  const file = { folder, name };
  const found = known?.(file) ?? searchHere(file, tally.rowsWanted(), reading);
  return found instanceof Promise ? found.then(count) : count(found);
}

export function searchHere(
  file: FilePlace,
  rowsFor: number,
  reading: Reading,
): FileOutcome | Promise<FileOutcome> {
  const { here, slices } = reading;
  here.rowsFor = rowsFor;
  const begun = beginFed(reading, file);
  return "kind" in begun ? begun : finishIn(slices, finishFile(here, begun));
}
