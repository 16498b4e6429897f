/**
 * Owns the engine that needs no other program: it walks where it stands, in slices, and scans there too until the
 * tree is known to be no small one; from then on the files go to threads.
 * Leaves matching to text/, reading a file to search-file.ts, counting to tally.ts, threads to workers/.
 * Rule: nobody can tell from an answer who has searched.
 */
import { type CountFollower, followCounts } from "../../root/count-mark.ts";
import type { FilePlace } from "../../root/folder-opener.ts";
import type { FolderEntry } from "../../root/read-entries.ts";
import { finishIn, makeSlices, pump, type Slices } from "../../root/search-pump.ts";
import { type HiddenEntry, startCounts, type WalkEntry } from "../../root/walk-counts.ts";
import { makeReadAhead, type ReadAhead } from "./ahead.ts";
import type { SearchEngine, SearchJob, SearchOutcome } from "./engine.ts";
import { beginFed, type Feed, type FileRun, makeFeed } from "./feed.ts";
import { closeFileSearch, makeFileSearch, planSearch } from "./file-search.ts";
import { type BegunFile, type FileOutcome, type FileSearch, finishFile, searchFile } from "./search-file.ts";
import { makeTally, type Tally } from "./tally.ts";
import { type Crew, callCrew, isCrewReady } from "./workers/crew.ts";
import { type HandOver, makeHandOver } from "./workers/hand-over.ts";

/** Enough to look into a build folder, too little to be felt. */
const MAX_PROBED_BYTES = 4_194_304;
const MAX_PROBED_FILES = 500;

/** A tree up to this is searched in less time than threads need to start. */
const SMALL_FILES = 1_000;
/** Where they have started, the first ones are still searched here: a common word is found sooner so. */
const FIRST_FILES = 100;
const SMALL_BYTES = 10_000_000;

/**
 * The first ignored file that matches, looked for within bounds among what the walk has left out: a binary path, or
 * undefined.
 */
export async function findIgnoredMatch(
  job: SearchJob,
  hidden: readonly HiddenEntry[],
): Promise<string | undefined> {
  let found: string | undefined;
  const search = { ...makeFileSearch(planSearch(job)), rowsFor: 0, firstOnly: true };
  const probe = function* (): Generator<undefined, void> {
    let files = 0;
    let bytes = 0;
    for (const entry of listHidden(hidden)) {
      yield undefined;
      if (entry === undefined || entry.notWalked === true) continue;
      const result = yield* searchFile(search, entry);
      if (result.kind === "searched" && result.matches > 0) {
        found = entry.path;
        return;
      }
      bytes += result.kind === "searched" ? result.bytes : 0;
      if (++files > MAX_PROBED_FILES || bytes > MAX_PROBED_BYTES) return;
    }
  };
  try {
    await pump(probe(), { signal: job.signal, take: () => {} });
  } finally {
    closeFileSearch(search);
  }
  return found;
}

function* listHidden(hidden: readonly HiddenEntry[]): Generator<WalkEntry | undefined, void> {
  for (const entry of hidden) {
    if (entry.wanted) yield entry;
    yield* entry.descend();
  }
}

export const builtinEngine = makeBuiltinEngine();

/** When files are read ahead is not asked by tests alone. */
export function makeBuiltinEngine(when?: "slow" | "always"): SearchEngine {
  return { name: "builtin", search: (job) => search(job, makeReadAhead(when)) };
}

async function search(job: SearchJob, ahead: ReadAhead): Promise<SearchOutcome> {
  const tally = makeTally(job);
  const walked = startCounts();
  const slices = makeSlices(job.signal);
  const here = { ...makeFileSearch(planSearch(job)), rowsFor: 0 };
  const helpers = makeHelpers();
  const feed = makeFeed({ job, walked, slices, ahead });
  try {
    const follower = followCounts(walked, tally.outcome.counts);
    await searchTree({ job, tally, feed, ahead, here, follower, helpers, slices });
  } finally {
    feed.end();
    closeFileSearch(here);
    helpers.end();
  }
  return tally.outcome;
}

interface Search {
  readonly job: SearchJob;
  readonly tally: Tally;
  readonly feed: Feed;
  readonly ahead: ReadAhead;
  /** What searches on this thread. */
  readonly here: FileSearch;
  readonly follower: CountFollower;
  readonly helpers: Helpers;
  readonly slices: Slices;
}

async function searchTree(search: Search): Promise<void> {
  const { tally, feed, follower, helpers } = search;
  const size: Size = { files: 0, bytes: 0 };
  for (;;) {
    const next = feed.next();
    const run = next instanceof Promise ? await next : next;
    if (run === undefined) break;
    const away = helpers.find(search);
    if (away === undefined) await searchRun(search, run, size);
    else {
      const counting = away.take(run);
      if (counting !== undefined) await counting;
    }
    if (tally.isOver()) return;
  }
  await helpers.find(search)?.finish();
  if (!tally.isOver()) follower.advance(feed.mark());
}

/** What was searched on this thread. */
interface Size {
  files: number;
  bytes: number;
}

async function searchRun(search: Search, run: FileRun, size: Size): Promise<void> {
  const { job, tally, follower, helpers, here } = search;
  for (const entry of run.entries) {
    here.rowsFor = tally.rowsWanted();
    const begun = beginFed(search, { folder: run.folder, name: entry.name });
    const outcome = "kind" in begun ? begun : await finishOrLeave(search, { run, entry }, begun);
    if (outcome !== undefined) {
      follower.advance(run.mark);
      tally.add(run.path + entry.name, outcome);
      size.bytes += outcome.kind === "searched" ? outcome.bytes : 0;
    }
    const large = ++size.files > (isCrewReady() ? FIRST_FILES : SMALL_FILES) || size.bytes > SMALL_BYTES;
    // What is counted on past the limit is little.
    if (large && (!tally.isFull() || job.mode === "count")) helpers.call();
    if (tally.isOver()) return;
  }
}

/** Searches a file on this thread; one that turns out to be large is left to the others: then undefined. */
async function finishOrLeave(
  search: Search,
  { run, entry }: { run: FileRun; entry: FolderEntry },
  begun: BegunFile,
): Promise<FileOutcome | undefined> {
  const { tally, helpers, here, slices } = search;
  here.leaveAt = SMALL_BYTES;
  const outcome = await finishIn(slices, finishFile(here, begun));
  if (outcome.kind !== "left") return outcome;
  helpers.call();
  const away = (await helpers.whenReady()) ? helpers.find(search) : undefined;
  if (away === undefined)
    return searchHere(search, { folder: run.folder, name: entry.name }, tally.rowsWanted());
  await away.take({ ...run, entries: [entry] });
  await away.finish();
  return undefined;
}

function searchHere({ here, slices }: Search, file: FilePlace, rowsFor: number): Promise<FileOutcome> {
  here.rowsFor = rowsFor;
  here.leaveAt = undefined;
  return finishIn(slices, searchFile(here, file));
}

/** The crew as one search uses it: called when it is needed, handed files once it is there. */
interface Helpers {
  call(): void;
  whenReady(): Promise<boolean>;
  /** Where files go from now on; undefined as long as they are searched here. */
  find(search: Search): HandOver | undefined;
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
