/**
 * Owns the engine that has ripgrep look through a tree, where that pays.
 * Leaves which files there are to our own walk, searching and counting to tree-search.ts.
 * Rule: ripgrep only ever says of a file that nothing in it can match. Every other file that the walk has found, we
 * read ourselves: what matches, what is binary, what ripgrep has left out, could not read or does not know. So
 * its ignore rules, its dialect and its version decide how long a search takes and never what it answers.
 */
import type { Programs } from "../../../contract/program.ts";
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FolderEntry } from "../../../root/read-entries.ts";
import { walkDisk } from "../../../root/walk-disk.ts";
import { makeReadAhead } from "../ahead.ts";
import type { SearchJob, SearchOutcome } from "../engine.ts";
import type { Feed, FileRun } from "../feed.ts";
import type { Tally } from "../tally.ts";
import { endSearch, searchRun, searchTree, startSearch, type TreeSearch } from "../tree-search.ts";
import type { PackedOutcome } from "../workers/messages.ts";
import type { HandedRun } from "../workers/sent-batches.ts";
import { listFilesWithout } from "./list-files-without.ts";

export interface RipgrepSearch {
  readonly job: SearchJob;
  readonly programs: Programs;
  /** The pattern as ripgrep reads it, or undefined where it reads none of its meaning. Asked once it is to be started. */
  readonly print: () => string | undefined;
  readonly head: Head;
}

/** What is done here before ripgrep is started. */
export interface Head {
  /** Files that are searched. */
  readonly files: number;
  /** Bytes of them that tell that there is more than it pays to read here. */
  readonly bytes: number;
  /** Files of a tree up to which nothing is started. */
  readonly small: number;
}

export interface EngineOutcome {
  readonly outcome: SearchOutcome;
  readonly engine: "builtin" | "ripgrep";
}

export async function searchWithRipgrep({
  job,
  programs,
  print,
  head,
}: RipgrepSearch): Promise<EngineOutcome> {
  const search = startSearch(job, makeReadAhead());
  const { tally } = search;
  /** Files that are not searched yet. */
  const waiting: FileRun[] = [];
  try {
    await searchFirst(search, head);
    if (tally.isOver()) return { outcome: tally.outcome, engine: "builtin" };
    const pays = head.files === 0 || mayPay(search);
    const asked =
      pays && (await isLarge(search, { head, waiting }))
        ? await ask({ search, programs, print, waiting })
        : undefined;
    await searchTree(search, asked === undefined ? waiting : splitKnown(waiting, { tally, without: asked }));
    return { outcome: tally.outcome, engine: asked === undefined ? "builtin" : "ripgrep" };
  } finally {
    endSearch(search);
  }
}

/** A common word is found soonest where the first files are searched at once. */
async function searchFirst(search: TreeSearch, head: Head): Promise<void> {
  const { feed, size, tally } = search;
  while (size.files < head.files && !tally.isOver()) {
    const run = await feed.next();
    if (run === undefined) return;
    await searchRun(search, run);
  }
}

/** Where no text tells of more than one in so many files, ripgrep is faster than our automaton. */
const MOST_UNTOLD = 4;
/** Files within which a search that has begun like this will most likely have enough to show. */
const SOON = 2_500;

/**
 * Judged by the files that were searched first. Where texts tell of most of them that nothing matches, we are faster;
 * where the limit is soon met, whoever goes by the order of paths need not look at the rest; where all is counted, what
 * ripgrep finds is read again: from an eighth of the files on, threads alone are faster.
 */
function mayPay({ job, tally, size }: TreeSearch): boolean {
  const { searched, files, matches } = tally.outcome;
  if (size.untold * MOST_UNTOLD <= size.files) return false;
  if (job.mode === "count") return files * 8 <= searched;
  return !tally.isFull() && (job.mode === "content" ? matches : files) * SOON <= job.limit * searched;
}

/** Walks on until the tree is known to be no small one. */
async function isLarge({ feed, size }: TreeSearch, at: { head: Head; waiting: FileRun[] }): Promise<boolean> {
  const { head, waiting } = at;
  for (let files = size.files; files < head.small && size.bytes < head.bytes; ) {
    const run = await feed.next();
    if (run === undefined) return false;
    waiting.push(run);
    files += run.entries.length;
  }
  return true;
}

/** The files without a match, by ripgrep; meanwhile the walk goes to its end. Undefined where it could not be asked. */
async function ask(at: {
  search: TreeSearch;
  programs: Programs;
  print: RipgrepSearch["print"];
  waiting: FileRun[];
}): Promise<ReadonlySet<string> | undefined> {
  const { search, programs, waiting } = at;
  const { job, slices, ahead, feed } = search;
  const printed = at.print();
  const program = printed === undefined ? undefined : await programs.findRipgrep();
  if (printed === undefined || program === undefined) return undefined;
  ahead.stop();
  const meanwhile = () => walkOn(feed, waiting);
  return listFilesWithout({ job, programs, printed }, { program, slices, meanwhile });
}

/** Walks to the end. */
async function walkOn(feed: Feed, waiting: FileRun[]): Promise<void> {
  for (;;) {
    const run = await feed.next();
    if (run === undefined) return;
    waiting.push(run);
  }
}

/** The runs in pieces of which either all is known or nothing; one after another, for they may be many. */
function* splitKnown(
  runs: readonly FileRun[],
  { tally, without }: { tally: Tally; without: ReadonlySet<string> },
): Generator<HandedRun, void> {
  const known = (file: FilePlace) => missIn(file, tally);
  for (const run of runs) {
    let entries: FolderEntry[] = [];
    let areKnown = false;
    for (const entry of run.entries) {
      const isKnown = without.has(run.path + entry.name);
      if (isKnown !== areKnown && entries.length > 0) {
        yield areKnown ? { ...run, entries, known } : { ...run, entries };
        entries = [];
      }
      areKnown = isKnown;
      entries.push(entry);
    }
    yield areKnown ? { ...run, entries, known } : { ...run, entries };
  }
}

/** A file without a match. Its length counts only once the search counts on. */
function missIn({ folder, name }: FilePlace, tally: Tally): PackedOutcome {
  if (!tally.isFull()) return 0;
  return walkDisk.describe(folder, [{ name, kind: "file" }]).get(name)?.bytes ?? { kind: "gone" };
}
