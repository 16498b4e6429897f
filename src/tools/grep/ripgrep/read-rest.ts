/**
 * Owns reading the files of which ripgrep has not said that nothing in them matches.
 * Leaves reading one to read-here.ts, threads to workers/. Rule: files count in the order of paths, whoever read them.
 */
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FolderEntry } from "../../../root/read-entries.ts";
import { walkDisk } from "../../../root/walk-disk.ts";
import type { SearchJob } from "../engine.ts";
import type { FileRun } from "../feed.ts";
import { planSearch } from "../file-search.ts";
import type { Tally } from "../tally.ts";
import { callCrew } from "../workers/crew.ts";
import { type HandedRun, makeHandOver } from "../workers/hand-over.ts";
import type { PackedOutcome } from "../workers/messages.ts";
import { countHere, type Reading, searchHere } from "./read-here.ts";

/** Files that are read sooner than threads are started for them. */
const MOST_READ_HERE = 1_000;

/** What is left to read: here where it is little, else in threads. */
export async function readRest(
  job: SearchJob,
  waiting: readonly FileRun[],
  reading: Reading & { readonly without: ReadonlySet<string> },
): Promise<void> {
  const { tally, slices, follower, without } = reading;
  const runs = waiting.flatMap((run) => splitKnown(run, { tally, without }));
  const left = runs.reduce(
    (sum, { known, entries }) => (known === undefined ? sum + entries.length : sum),
    0,
  );
  const crew = left > MOST_READ_HERE ? callCrew() : undefined;
  const away =
    crew !== undefined && (await crew.whenReady()) ? crew.begin(planSearch(job), job.signal) : undefined;
  const threads =
    away === undefined || crew === undefined
      ? undefined
      : makeHandOver({
          crew: away,
          threads: crew.size,
          tally,
          follower,
          searchHere: (file, rowsFor) => searchHere(file, rowsFor, reading),
        });
  try {
    for (const run of runs) {
      await (threads === undefined ? countRun(run, reading) : threads.take(run));
      if (tally.isOver()) return;
      if (slices.areDue()) await slices.turn();
    }
    await threads?.finish();
  } finally {
    away?.end();
  }
}

/** The run in pieces of which either all is known or nothing. */
function splitKnown(
  run: FileRun,
  { tally, without }: { tally: Tally; without: ReadonlySet<string> },
): HandedRun[] {
  const pieces: { known: boolean; entries: FolderEntry[] }[] = [];
  for (const entry of run.entries) {
    const known = without.has(run.path + entry.name);
    const last = pieces.at(-1);
    if (last?.known === known) last.entries.push(entry);
    else pieces.push({ known, entries: [entry] });
  }
  const miss = (file: FilePlace) => missIn(file, tally);
  return pieces.map(({ known, entries }) => ({ ...run, entries, ...(known ? { known: miss } : {}) }));
}

async function countRun(run: HandedRun, reading: Reading): Promise<void> {
  for (const entry of run.entries) {
    const found = countHere(run, entry, reading);
    if (found instanceof Promise) await found;
    if (reading.tally.isOver()) return;
  }
}

/** A file without a match. Its length counts only once the search counts on. */
function missIn({ folder, name }: FilePlace, tally: Tally): PackedOutcome {
  if (!tally.isFull()) return 0;
  return walkDisk.describe(folder, [{ name, kind: "file" }]).get(name)?.bytes ?? { kind: "gone" };
}
