/**
 * Owns handing the files of a walk to the crew, and taking the outcomes back in the order of the walk.
 * Leaves threads to crew.ts, counting to tally.ts. Rule: an answer is the same whoever searched: outcomes count in
 * the order of paths, as if one file had been searched after the other, and what was searched too far is dropped.
 */
import type { CountFollower } from "../../../root/count-mark.ts";
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FileOutcome } from "../search-file.ts";
import type { Tally } from "../tally.ts";
import type { CrewSearch } from "./crew.ts";
import { unpackOutcome } from "./messages.ts";
import { type HandedRun, makeSentBatches, type Sent } from "./sent-batches.ts";

/** Files of one batch: less than a millisecond of work where threads may be waiting for it, two where they are not. */
const SMALL_BATCH = 48;
const BATCH = 256;
/** Files of one batch that is hardly to be searched: counted without holding up the host. */
const MOST_KNOWN = 1_000;

export interface HandOver {
  /** A promise where there is something to count, or the crew has enough to do; mostly there is not. */
  take(run: HandedRun): Promise<void> | undefined;
  /** Waits until all that was taken is counted. */
  finish(): Promise<void>;
}

interface Counting {
  readonly tally: Tally;
  readonly follower: CountFollower;
  /** Searches a file on this thread. */
  readonly searchHere: (file: FilePlace, rowsFor: number) => FileOutcome | Promise<FileOutcome>;
}

export function makeHandOver(at: Counting & { crew: CrewSearch; threads: number }): HandOver {
  const { tally } = at;
  const batches = makeSentBatches(at);
  let runs: HandedRun[] = [];
  let files = 0;
  let unknown = 0;
  const send = () => {
    batches.send(runs, tally.rowsWanted());
    runs = [];
    files = 0;
    unknown = 0;
  };
  const countDue = async () => {
    while (!tally.isOver() && batches.areDue()) {
      const answered = await batches.takeAnswered();
      if (answered !== undefined) await countBatch(at, answered);
    }
  };
  return {
    take(run) {
      runs.push(run);
      files += run.entries.length;
      if (run.known === undefined) unknown += run.entries.length;
      if (unknown < (batches.areFew() ? SMALL_BATCH : BATCH) && files < MOST_KNOWN) return undefined;
      send();
      return batches.areDue() ? countDue() : undefined;
    },
    async finish() {
      if (files > 0) send();
      for (let sent = batches.take(); sent !== undefined && !tally.isOver(); sent = batches.take())
        await countBatch(at, sent);
    },
  };
}

async function countBatch(at: Counting, { runs, rowsFor, outcomes }: Sent): Promise<void> {
  const { tally, follower, searchHere } = at;
  const found = await outcomes;
  let next = 0;
  for (const { path, folder, entries, mark, known } of runs) {
    follower.advance(mark);
    for (const { name } of entries) {
      const outcome = known === undefined ? found?.[next++] : known({ folder, name });
      if (typeof outcome === "number") tally.addMiss(outcome);
      else if (outcome !== undefined && holdsRows(tally, outcome, rowsFor))
        tally.add(path + name, unpackOutcome(outcome));
      else tally.add(path + name, await searchHere({ folder, name }, tally.rowsWanted()));
      if (tally.isOver()) return;
    }
  }
}

/** Not where it was searched for more rows than there is room for by now: its rows are then other ones. */
function holdsRows(tally: Tally, outcome: FileOutcome, rowsFor: number): boolean {
  const wanted = tally.rowsWanted();
  return outcome.kind !== "searched" || wanted >= rowsFor || wanted === 0 || outcome.matches <= wanted;
}
