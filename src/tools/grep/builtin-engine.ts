/**
 * Owns the engine that needs no other program: it walks and scans where it stands, in slices.
 * Leaves matching to text/, reading a file to search-file.ts. Rule: the first matches in the order of paths are
 * shown; once there are enough, it counts on for a bounded while, then says "at least".
 */
import { makeFolderOpener } from "../../root/folder-opener.ts";
import { pump } from "../../root/search-pump.ts";
import { type Steering, startCounts, walkTree } from "../../root/walk.ts";
import { walkDisk } from "../../root/walk-disk.ts";
import { makeLineFinder } from "../../text/line-finder.ts";
import type { Row } from "../../text/match-rows.ts";
import { binaryOfText } from "../../text/path-text.ts";
import { makeSpanFinder } from "../../text/span-finder.ts";
import type { SearchEngine, SearchJob, SearchOutcome } from "./engine.ts";
import { FIRST_MEMORY, type FileSearch, searchFile } from "./search-file.ts";
import { steerSearch } from "./steer.ts";

/** Enough to look into a build folder, too little to be felt. */
const MAX_PROBED_BYTES = 4_194_304;
const MAX_PROBED_FILES = 500;

/** The first ignored file that matches, looked for within bounds: a binary path, or undefined. */
export async function findIgnoredMatch(job: SearchJob): Promise<string | undefined> {
  let found: string | undefined;
  const probe = function* (): Generator<undefined, void> {
    const base = { ...makeFileSearch(job), rowsFor: 0, firstOnly: true };
    const steering = steerSearch(job) as Steering<unknown>;
    const walk = {
      root: job.root,
      place: job.place,
      withholds: job.withholds,
      steering,
      ignoredOnly: true,
    } as const;
    let files = 0;
    let bytes = 0;
    for (const entry of walkTree(walk, startCounts())) {
      yield undefined;
      if (entry === undefined || entry.notWalked === true) continue;
      const result = yield* searchFile(base, entry.real);
      if (result.kind === "searched" && result.matches > 0) {
        found = entry.path;
        return;
      }
      bytes += result.kind === "searched" ? result.bytes : 0;
      if (++files > MAX_PROBED_FILES || bytes > MAX_PROBED_BYTES) return;
    }
  };
  await pump(probe(), { signal: job.signal, take: () => {} });
  return found;
}

export const builtinEngine: SearchEngine = {
  name: "builtin",
  search: async (job) => {
    const outcome: SearchOutcome = {
      found: [],
      counts: startCounts(),
      matches: 0,
      files: 0,
      searched: 0,
      binary: 0,
      tooLarge: 0,
      stopped: false,
    };
    await pump(searchPlace(job, outcome), { signal: job.signal, take: () => {} });
    return outcome;
  },
};

/** Counting on after the limit: enough to be exact in most projects, too little to be felt. */
const MAX_BYTES_AFTER = 8_388_608;
const MAX_FILES_AFTER = 2_000;

interface Progress {
  /** Matches (or files) that may still be shown, and characters of rows. */
  left: number;
  room: number;
  bytesAfter: number;
  filesAfter: number;
}

function* searchPlace(job: SearchJob, outcome: SearchOutcome): Generator<undefined, void> {
  const progress: Progress = { left: job.limit, room: job.room, bytesAfter: 0, filesAfter: 0 };
  const base = makeFileSearch(job);
  if (job.single) {
    yield* searchOne({ job, outcome, progress, base }, { path: "", real: binaryOfText(job.place.real) });
    return;
  }
  for (const entry of walkTree(
    {
      root: job.root,
      place: job.place,
      withholds: job.withholds,
      steering: steerSearch(job) as Steering<unknown>,
    },
    outcome.counts,
  )) {
    if (entry === undefined) yield undefined;
    else if (entry.notWalked !== true) yield* searchOne({ job, outcome, progress, base }, entry);
    if (progress.bytesAfter > MAX_BYTES_AFTER || progress.filesAfter > MAX_FILES_AFTER) {
      outcome.stopped = true;
      return;
    }
  }
}

function makeFileSearch(job: SearchJob): Omit<FileSearch, "rowsFor"> {
  return {
    disk: walkDisk,
    opener: makeFolderOpener(walkDisk),
    lines: makeLineFinder(job.pattern),
    spans: job.pattern.multiline ? makeSpanFinder(job.pattern) : undefined,
    context: job.mode === "content" ? job.context : 0,
    lineWindow: job.lineWindow,
    mostRows: job.room >> 1,
    firstOnly: job.mode === "files",
    memory: { bytes: Buffer.allocUnsafe(FIRST_MEMORY) },
  };
}

interface Search {
  readonly job: SearchJob;
  readonly outcome: SearchOutcome;
  readonly progress: Progress;
  readonly base: Omit<FileSearch, "rowsFor">;
}

function* searchOne(search: Search, file: { path: string; real: string }): Generator<undefined, void> {
  const { job, outcome, progress, base } = search;
  const full = progress.left <= 0 || progress.room <= 0;
  const rowsFor = job.mode === "content" && !full ? progress.left : 0;
  const result = yield* searchFile({ ...base, rowsFor }, file.real);
  yield undefined;
  if (result.kind === "binary") outcome.binary++;
  else if (result.kind === "too-large") outcome.tooLarge++;
  else if (result.kind === "unreadable")
    outcome.counts.unreadable.push({ path: file.path, error: result.error });
  if (result.kind !== "searched") return;
  outcome.searched++;
  if (full && job.mode !== "count") {
    progress.bytesAfter += result.bytes;
    progress.filesAfter++;
  }
  if (result.matches === 0) return;
  outcome.files++;
  outcome.matches += result.matches;
  if (full) return;
  const { matches, rows, sample } = result;
  outcome.found.push({ path: file.path, matches, rows, ...(sample === undefined ? {} : { sample }) });
  progress.left -= job.mode === "content" ? matches : 1;
  progress.room -= measure(rows) + file.path.length + 1;
}

function measure(rows: readonly Row[]): number {
  return rows.reduce((sum, { text, raw }) => sum + text.length + (raw?.length ?? 0) + 4, 0);
}
