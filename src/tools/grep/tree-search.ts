/**
 * Owns searching the files of a tree in the order of their paths: on this thread, in slices, until the tree is known to
 * be no small one; from then on the files go to threads.
 * Leaves walking to feed.ts, reading a file to search-file.ts, counting to tally.ts, threads to workers/.
 * Rule: an answer is the same whoever searched.
 */
import { type CountFollower, followCounts } from "../../root/count-mark.ts";
import type { FilePlace } from "../../root/folder-opener.ts";
import type { FolderEntry } from "../../root/read-entries.ts";
import { finishIn, makeSlices, type Slices } from "../../root/search-pump.ts";
import { startCounts } from "../../root/walk-counts.ts";
import type { ReadAhead } from "./ahead.ts";
import type { SearchJob } from "./engine.ts";
import { beginFed, type Feed, type FileRun, makeFeed } from "./feed.ts";
import { closeFileSearch, makeFileSearch, planSearch } from "./file-search.ts";
import { type BegunFile, type FileOutcome, type FileSearch, finishFile, searchFile } from "./search-file.ts";
import { makeTally, type Tally } from "./tally.ts";
import { type Crew, callCrew, isCrewReady } from "./workers/crew.ts";
import { type HandOver, makeHandOver } from "./workers/hand-over.ts";
import type { HandedRun } from "./workers/sent-batches.ts";

/** A tree up to this is searched in less time than threads need to start. */
const SMALL_FILES = 1_000;
const SMALL_BYTES = 10_000_000;
/** Files that are searched here even where threads have started: a common word is found sooner so. */
export const FIRST_FILES = 100;

export interface TreeSearch {
  readonly job: SearchJob;
  readonly tally: Tally;
  readonly feed: Feed;
  readonly ahead: ReadAhead;
  /** What searches on this thread. */
  readonly here: FileSearch;
  readonly follower: CountFollower;
  readonly helpers: Helpers;
  readonly slices: Slices;
  readonly size: SearchedHere;
}

/** What was searched on this thread. */
interface SearchedHere {
  files: number;
  bytes: number;
  /** Files of which no text told that nothing in them matches. */
  untold: number;
}

/** The caller ends it with `endSearch`. */
export function startSearch(job: SearchJob, ahead: ReadAhead): TreeSearch {
  const tally = makeTally(job);
  const walked = startCounts();
  const slices = makeSlices(job.signal);
  return {
    job,
    tally,
    slices,
    ahead,
    feed: makeFeed({ job, walked, slices, ahead }),
    follower: followCounts(walked, tally.outcome.counts),
    here: { ...makeFileSearch(planSearch(job)), rowsFor: 0 },
    helpers: makeHelpers(),
    size: { files: 0, bytes: 0, untold: 0 },
  };
}

export function endSearch({ feed, here, helpers }: TreeSearch): void {
  feed.end();
  closeFileSearch(here);
  helpers.end();
}

/** Searches what was walked before, then what the walk still gives, until there is enough. */
export async function searchTree(search: TreeSearch, walked: Iterable<HandedRun>): Promise<void> {
  const { tally, feed, follower, helpers, slices } = search;
  for (const run of walked) {
    if (slices.areDue()) await slices.turn();
    await searchNext(search, run);
    if (tally.isOver()) return;
  }
  for (;;) {
    const next = feed.next();
    const run = next instanceof Promise ? await next : next;
    if (run === undefined) break;
    const searching = searchNext(search, run);
    if (searching !== undefined) await searching;
    if (tally.isOver()) return;
  }
  await helpers.find(search)?.finish();
  if (!tally.isOver()) follower.advance(feed.mark());
}

/** Undefined where nothing is to be waited for. */
function searchNext(search: TreeSearch, run: HandedRun): Promise<void> | undefined {
  const away = search.helpers.find(search);
  return away === undefined ? searchRun(search, run) : away.take(run);
}

/** Searches files on this thread, as long as there is not enough. */
export async function searchRun(search: TreeSearch, run: HandedRun): Promise<void> {
  const { tally, follower } = search;
  for (const entry of run.entries) {
    const searching = run.known?.(placeOf(run, entry)) ?? searchEntry(search, run, entry);
    const found = searching instanceof Promise ? await searching : searching;
    if (typeof found === "object") noteSize(search, found);
    // Where it was left to the others, they have counted it.
    if (found !== "counted") {
      follower.advance(run.mark);
      if (typeof found === "number") tally.addMiss(found);
      else tally.add(run.path + entry.name, found);
    }
    if (tally.isOver()) return;
  }
}

/** At once for nearly every file. */
function searchEntry(
  search: TreeSearch,
  run: FileRun,
  entry: FolderEntry,
): FileOutcome | Promise<FileOutcome | "counted"> {
  const { tally, here, size } = search;
  here.rowsFor = tally.rowsWanted();
  const begun = beginFed(search, placeOf(run, entry));
  if ("kind" in begun) return begun;
  if (begun.hold.length > 0) size.untold++;
  return finishOrLeave(search, { run, entry }, begun);
}

function noteSize({ job, tally, helpers, size }: TreeSearch, found: FileOutcome): void {
  size.files++;
  if (found.kind === "searched") size.bytes += found.bytes;
  const large = size.files > (isCrewReady() ? FIRST_FILES : SMALL_FILES) || size.bytes > SMALL_BYTES;
  // What is counted on past the limit is little.
  if (large && (!tally.isFull() || job.mode === "count")) helpers.call();
}

function placeOf({ folder }: FileRun, { name }: FolderEntry): FilePlace {
  return { folder, name };
}

/** Searches a file on this thread; one that turns out to be large is left to the others. */
async function finishOrLeave(
  search: TreeSearch,
  { run, entry }: { run: FileRun; entry: FolderEntry },
  begun: BegunFile,
): Promise<FileOutcome | "counted"> {
  const { tally, helpers, here, slices } = search;
  here.leaveAt = SMALL_BYTES;
  const outcome = await finishIn(slices, finishFile(here, begun));
  if (outcome.kind !== "left") return outcome;
  helpers.call();
  const away = (await helpers.whenReady()) ? helpers.find(search) : undefined;
  if (away === undefined) return searchHere(search, placeOf(run, entry), tally.rowsWanted());
  await away.take({ ...run, entries: [entry] });
  await away.finish();
  return "counted";
}

function searchHere({ here, slices }: TreeSearch, file: FilePlace, rowsFor: number): Promise<FileOutcome> {
  here.rowsFor = rowsFor;
  here.leaveAt = undefined;
  return finishIn(slices, searchFile(here, file));
}

/** The crew as one search uses it: called when it is needed, handed files once it is there. */
interface Helpers {
  call(): void;
  whenReady(): Promise<boolean>;
  /** Where files go from now on; undefined as long as they are searched here. */
  find(search: TreeSearch): HandOver | undefined;
  end(): void;
}

function makeHelpers(): Helpers {
  let crew: Crew | undefined;
  let away: HandOver | undefined;
  let end = () => {};
  return {
    call() {
      crew ??= callCrew();
    },
    whenReady: async () => crew?.whenReady() ?? false,
    find(search) {
      if (away !== undefined || crew?.isReady() !== true) return away;
      const begun = crew.begin(planSearch(search.job), search.job.signal);
      end = begun.end;
      away = makeHandOver({
        crew: begun,
        threads: crew.size,
        tally: search.tally,
        follower: search.follower,
        searchHere: (file, rowsFor) => searchHere(search, file, rowsFor),
      });
      return away;
    },
    end: () => end(),
  };
}
