/**
 * Owns the engine that has ripgrep look through a tree.
 * Leaves which files there are to our own walk, and what is shown of a file to search-file.ts.
 * Rule: ripgrep only ever says of a file that nothing in it can match. Every other file that the walk has found, we
 * read ourselves: what matches, what is binary, what ripgrep has left out, could not read or does not know. So
 * its ignore rules, its dialect and its version decide how long a search takes and never what it answers.
 */
import type { ProgramEnd, Programs } from "../../../contract/program.ts";
import { makeFolderOpener } from "../../../root/folder-opener.ts";
import { pump } from "../../../root/search-pump.ts";
import { type Steering, type WalkEntry, walkTree } from "../../../root/walk.ts";
import { walkDisk } from "../../../root/walk-disk.ts";
import { makeLineFinder } from "../../../text/line-finder.ts";
import { binaryOfText } from "../../../text/path-text.ts";
import { makeSpanFinder } from "../../../text/span-finder.ts";
import type { SearchJob, SearchOutcome } from "../engine.ts";
import { FIRST_MEMORY, type FileOutcome, type FileSearch, searchFile } from "../search-file.ts";
import { steerSearch } from "../steer.ts";
import { makeTally, type Tally } from "../tally.ts";
import { readNames } from "./read-names.ts";
import { askForFilesWithout } from "./ripgrep-arguments.ts";

export interface RipgrepSearch {
  readonly job: SearchJob;
  readonly programs: Programs;
  /** Absolute path of ripgrep. */
  readonly program: string;
  /** The pattern as ripgrep reads it. */
  readonly printed: string;
  /** Files that are searched where we stand before ripgrep is started, and files of a tree that is too small for it. */
  readonly head: { readonly files: number; readonly small: number };
}

export interface EngineOutcome {
  readonly outcome: SearchOutcome;
  readonly engine: "builtin" | "ripgrep";
}

interface FoundEntry {
  readonly path: string;
  readonly real: string;
}

export async function searchWithRipgrep(search: RipgrepSearch): Promise<EngineOutcome> {
  const { job } = search;
  const tally = makeTally(job);
  const reader = makeReader(job, tally);
  try {
    const engine = await searchTree({ search, tally, reader });
    return { outcome: tally.outcome, engine };
  } finally {
    reader.close();
  }
}

interface Parts {
  readonly search: RipgrepSearch;
  readonly tally: Tally;
  readonly reader: Reader;
}

async function searchTree(parts: Parts): Promise<EngineOutcome["engine"]> {
  const { job } = parts.search;
  const entries = listEntries(job, parts.tally);
  const waiting: FoundEntry[] = [];
  const begun: Begun = { over: false, ended: false };
  const run = (work: Generator<undefined, void>) => pump(work, { signal: job.signal, take: () => {} });
  await run(beginHere(parts, { entries, waiting, begun }));
  if (begun.over) return "builtin";
  if (begun.ended) {
    await run(readAll(waiting, parts));
    return "builtin";
  }
  const running = startRipgrep(parts.search);
  const without = new Set<string>();
  try {
    await run(gather(entries, waiting));
    const end = await running.end;
    if (end.kind === "ended") await run(readNames(end.output, without));
  } finally {
    await running.stop();
  }
  await run(readAll(waiting, { ...parts, without }));
  return "ripgrep";
}

function* listEntries(job: SearchJob, tally: Tally): Generator<WalkEntry | undefined, void> {
  const { root, place, withholds } = job;
  if (job.single) {
    yield { path: "", real: binaryOfText(place.real), kind: "file" };
    return;
  }
  const steering = steerSearch(job) as Steering<unknown>;
  yield* walkTree({ root, place, withholds, steering }, tally.outcome.counts);
}

type Entries = Generator<WalkEntry | undefined, void>;

interface Begun {
  /** There is enough to show, and what is counted on is counted. */
  over: boolean;
  /** The walk has ended: the tree is small. */
  ended: boolean;
}

/** The first files are searched here, where a common word is found sooner; then the walk goes on until the tree is known to be large. */
function* beginHere(
  { search, tally, reader }: Parts,
  { entries, waiting, begun }: { entries: Entries; waiting: FoundEntry[]; begun: Begun },
): Generator<undefined, void> {
  const { files, small } = search.head;
  let searched = 0;
  while (small > 0) {
    const step = entries.next();
    if (step.done === true) {
      begun.ended = true;
      return;
    }
    yield undefined;
    if (step.value === undefined || step.value.notWalked === true) continue;
    // Once there is enough to show, the little that is still counted costs less than starting anything.
    if (searched < files || (tally.isFull() && waiting.length === 0)) {
      searched++;
      yield* reader.read(step.value);
      begun.over = tally.isOver();
      if (begun.over) return;
      continue;
    }
    if (waiting.push(step.value) + searched > small) return;
  }
}

function* gather(entries: Entries, waiting: FoundEntry[]): Generator<undefined, void> {
  // Not for…of: the walk was begun before.
  for (let step = entries.next(); step.done !== true; step = entries.next()) {
    if (step.value !== undefined && step.value.notWalked !== true) waiting.push(step.value);
    yield undefined;
  }
}

interface Running {
  readonly end: Promise<ProgramEnd>;
  /** Ends it where it has not ended. */
  stop(): Promise<void>;
}

function startRipgrep({ job, programs, program, printed }: RipgrepSearch): Running {
  const stopping = new AbortController();
  const signal = AbortSignal.any([job.signal, stopping.signal]);
  const end = programs.run({
    program,
    ...askForFilesWithout(job, printed),
    signal,
  });
  // A failure is met where `end` is awaited; until then it must not count as unhandled.
  end.catch(() => {});
  return {
    end,
    async stop() {
      stopping.abort();
      await end.catch(() => {});
    },
  };
}

interface Reading {
  readonly tally: Tally;
  readonly reader: Reader;
  /** Paths of files in which nothing can match. */
  readonly without?: ReadonlySet<string>;
}

function* readAll(
  files: readonly FoundEntry[],
  { tally, reader, without }: Reading,
): Generator<undefined, void> {
  for (const file of files) {
    if (without?.has(file.path) === true) {
      tally.add(file.path, missIn(file, tally));
      yield undefined;
    } else yield* reader.read(file);
    if (tally.isOver()) return;
  }
}

const NOTHING: FileOutcome & { kind: "searched" } = {
  kind: "searched",
  matches: 0,
  rows: [],
  bytes: 0,
  sample: undefined,
};

/** A file without a match. Its length counts only once the search counts on. */
function missIn({ real }: FoundEntry, tally: Tally): FileOutcome {
  if (!tally.isFull()) return NOTHING;
  const slash = real.lastIndexOf("/");
  const name = real.slice(slash + 1);
  const folder = slash === 0 ? "/" : real.slice(0, slash);
  const bytes = walkDisk.describe(folder, [{ name, kind: "file" }]).get(name)?.bytes;
  return bytes === undefined ? { kind: "gone" } : { ...NOTHING, bytes };
}

interface Reader {
  read(file: FoundEntry): Generator<undefined, void>;
  /** Lets go of what is held open. */
  close(): void;
}

function makeReader(job: SearchJob, tally: Tally): Reader {
  const opener = makeFolderOpener(walkDisk);
  const base: Omit<FileSearch, "rowsFor"> = {
    disk: walkDisk,
    opener,
    lines: makeLineFinder(job.pattern),
    spans: job.pattern.multiline ? makeSpanFinder(job.pattern) : undefined,
    context: job.mode === "content" ? job.context : 0,
    lineWindow: job.lineWindow,
    mostRows: job.room >> 1,
    firstOnly: job.mode === "files",
    memory: { bytes: Buffer.allocUnsafe(FIRST_MEMORY) },
  };
  return {
    close: () => opener.close(),
    *read({ path, real }) {
      tally.add(path, yield* searchFile({ ...base, rowsFor: tally.rowsWanted() }, real));
      yield undefined;
    },
  };
}
