/**
 * Owns giving the files of a walk to whoever searches them, a run of them after another.
 * Leaves walking to root/walk.ts. Rule: it waits only where the event loop is to turn or where files are read ahead.
 */
import { type CountMark, makeMarker } from "../../root/count-mark.ts";
import { type FilePlace, splitPlace } from "../../root/folder-opener.ts";
import type { Slices } from "../../root/search-pump.ts";
import { walkRuns } from "../../root/walk.ts";
import type { Steering, WalkCounts, WalkRun } from "../../root/walk-counts.ts";
import { binaryOfText } from "../../text/path-text.ts";
import type { ReadAhead } from "./ahead.ts";
import type { SearchJob } from "./engine.ts";
import { type BegunFile, beginFile, type FileOutcome, type FileSearch } from "./search-file.ts";
import { steerSearch } from "./steer.ts";

/** Files of one folder that follow one another. */
export interface FileRun extends WalkRun {
  /** What the walk had counted when it met them. */
  readonly mark: CountMark;
}

export interface Feed {
  /** The next files; undefined at the end of the walk. */
  next(): FileRun | undefined | Promise<FileRun | undefined>;
  /** What the walk has counted so far. */
  mark(): CountMark;
  /** Whether the files that were given last had been read ahead. */
  wasAhead(): boolean;
  /** Leaves the walk where it is. */
  end(): void;
}

export function makeFeed(at: { job: SearchJob; walked: WalkCounts; slices: Slices; ahead: ReadAhead }): Feed {
  const { job, walked, slices, ahead } = at;
  const runs = listRuns(job, walked);
  const mark = makeMarker(walked);
  /** What was read ahead, and how much of it was given. */
  let waiting: readonly FileRun[] = [];
  let given = 0;
  /** What is being read while the files before are searched. */
  let coming: Promise<readonly FileRun[]> | undefined;
  let ended = false;
  /** The next files of the walk, or undefined for a pause or the end. */
  const step = (): FileRun | undefined => {
    const { done, value } = runs.next();
    ended = done === true;
    if (!value || value.notWalked === true) return undefined;
    const { path, folder, entries } = value;
    return { path, folder, entries, mark: mark() };
  };
  const beginAhead = () => {
    const count = ended ? 0 : ahead.wanted();
    coming = count === 0 ? undefined : fetchRuns({ ahead, slices, count, step, hasEnded: () => ended });
    // A cancelled search may never come to it.
    coming?.catch(() => {});
  };
  const takeComing = async (read: Promise<readonly FileRun[]>): Promise<FileRun | undefined> => {
    waiting = await read;
    given = 0;
    await slices.turn();
    beginAhead();
    return next();
  };
  const next = (): FileRun | undefined | Promise<FileRun | undefined> => {
    for (;;) {
      if (given < waiting.length) return waiting[given++];
      given = 0;
      waiting = [];
      if (coming === undefined) beginAhead();
      if (coming !== undefined) return takeComing(coming);
      if (ended) return undefined;
      if (slices.areDue()) return slices.turn().then(next);
      const run = step();
      if (run !== undefined) return run;
    }
  };
  return { next, mark, wasAhead: () => given > 0, end: () => runs.return() };
}

/** The next runs, read ahead: so many files, or the last ones. */
async function fetchRuns(at: {
  ahead: ReadAhead;
  slices: Slices;
  count: number;
  step: () => FileRun | undefined;
  hasEnded: () => boolean;
}): Promise<readonly FileRun[]> {
  const { ahead, slices, step } = at;
  const runs: FileRun[] = [];
  const fetch = ahead.fetch();
  try {
    for (let files = 0; !at.hasEnded() && files < at.count; ) {
      const run = step();
      if (run !== undefined) {
        runs.push(run);
        files += run.entries.length;
        fetch.add(run.entries.map(({ name }) => ({ folder: run.folder, name })));
      }
      if (slices.areDue()) await slices.turn();
    }
  } catch (error) {
    // Cancelled: nobody waits for what is still being read.
    void fetch.finish();
    throw error;
  }
  await fetch.finish();
  return runs;
}

/** Begins with a file that the feed has given, and minds how long that takes. */
export function beginFed(
  { here, feed, ahead }: { here: FileSearch; feed: Feed; ahead: ReadAhead },
  file: FilePlace,
): FileOutcome | BegunFile {
  const started = performance.now();
  const begun = beginFile(here, file);
  const bytes = "hold" in begun ? begun.hold.length : begun.kind === "searched" ? begun.bytes : 0;
  if (!feed.wasAhead()) ahead.note({ tookMs: performance.now() - started, bytes });
  return begun;
}

function listRuns(job: SearchJob, counts: WalkCounts): Generator<WalkRun | undefined, void> {
  const { root, place, withholds } = job;
  if (job.single) return listOne(splitPlace(binaryOfText(place.real)));
  const steering = steerSearch(job) as Steering<unknown>;
  return walkRuns({ root, place, withholds, steering }, counts);
}

function* listOne({ folder, name }: FilePlace): Generator<WalkRun, void> {
  yield { path: "", folder, entries: [{ name, kind: "file" }] };
}
