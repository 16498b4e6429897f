/**
 * Owns handing the files of a walk to the crew, and taking the outcomes back in the order of the walk.
 * Leaves threads to crew.ts, counting to tally.ts. Rule: an answer is the same whoever searched: outcomes count in
 * the order of paths, as if one file had been searched after the other, and what was searched too far is dropped.
 */
import type { CountFollower } from "../../../root/count-mark.ts";
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FileRun } from "../feed.ts";
import type { FileOutcome } from "../search-file.ts";
import type { Tally } from "../tally.ts";
import type { CrewSearch } from "./crew.ts";
import { type PackedOutcome, packPlaces, unpackOutcome } from "./messages.ts";

/** Files of one batch: less than a millisecond of work where threads may be waiting for it, a little more where not. */
const SMALL_BATCH = 48;
const BATCH = 128;
/** Files of one batch that is hardly to be searched: counted without holding up the host. */
const MOST_KNOWN = 1_000;
/** Batches that a thread has: enough to last while the host's thread does something else. */
const BATCHES_A_THREAD = 12;
/** Batches that are behind one that takes long: enough for the other threads to go on meanwhile. */
const MOST_BEHIND = 128;

/** Files that are to be searched, or, where it is known what is found in them, only counted. */
export interface HandedRun extends FileRun {
  /** Asked for when the turn of each comes. */
  readonly known?: (file: FilePlace) => PackedOutcome;
}

export interface HandOver {
  /** A promise where there is something to count, or the crew has enough to do; mostly there is not. */
  take(run: HandedRun): Promise<void> | undefined;
  /** Waits until all that was taken is counted. */
  finish(): Promise<void>;
}

/** Files in their order; those whose outcome is known are not sent. */
interface Sent {
  readonly runs: readonly HandedRun[];
  readonly rowsFor: number;
  readonly outcomes: Promise<readonly PackedOutcome[] | undefined>;
  arrived: boolean;
}

export function makeHandOver(at: {
  crew: CrewSearch;
  threads: number;
  tally: Tally;
  follower: CountFollower;
  /** Searches a file on this thread. */
  searchHere: (file: FilePlace, rowsFor: number) => FileOutcome | Promise<FileOutcome>;
}): HandOver {
  const { crew, tally, follower, searchHere } = at;
  const queue: Sent[] = [];
  /** Batches that are not answered, and who is told of the next answer. */
  let unanswered = 0;
  let tellArrival = () => {};
  let runs: HandedRun[] = [];
  let files = 0;
  let unsent = 0;
  const send = () => {
    const rowsFor = tally.rowsWanted();
    const unknown = runs.filter(({ known }) => known === undefined);
    const outcomes =
      unknown.length === 0 ? Promise.resolve([]) : crew.search({ files: packPlaces(unknown), rowsFor });
    const sent: Sent = { runs, rowsFor, outcomes, arrived: false };
    // Where it rejects, that is met when its turn comes; until then it must not count as unhandled.
    const note = () => {
      sent.arrived = true;
      unanswered--;
      tellArrival();
    };
    outcomes.then(note, note);
    queue.push(sent);
    unanswered++;
    runs = [];
    files = 0;
    unsent = 0;
  };
  /** Counts what was found elsewhere; false where the file must be searched here. */
  const countFound = (path: string, found: FileOutcome | undefined, rowsFor: number): boolean => {
    if (found === undefined) return false;
    const wanted = tally.rowsWanted();
    // It was searched for more rows than there is room for by now: its rows are then other ones.
    const again = found.kind === "searched" && wanted < rowsFor && wanted > 0 && found.matches > wanted;
    if (!again) tally.add(path, unpackOutcome(found));
    return !again;
  };
  const count = async ({ runs, rowsFor, outcomes }: Sent) => {
    const found = await outcomes;
    let next = 0;
    for (const { path, folder, entries, mark, known } of runs) {
      follower.advance(mark);
      for (const { name } of entries) {
        const packed = known === undefined ? found?.[next++] : known({ folder, name });
        if (typeof packed === "number") tally.addMiss(packed);
        else if (!countFound(path + name, packed, rowsFor))
          tally.add(path + name, await searchHere({ folder, name }, tally.rowsWanted()));
        if (tally.isOver()) return;
      }
    }
  };
  const countFirst = async () => {
    const first = queue.shift();
    if (first !== undefined) await count(first);
  };
  const isFull = () => unanswered > BATCHES_A_THREAD * at.threads || queue.length > MOST_BEHIND;
  const isDue = () => queue[0]?.arrived === true || isFull();
  const countDue = async () => {
    while (!tally.isOver() && isDue()) {
      if (queue[0]?.arrived === true) await countFirst();
      else {
        await new Promise<void>((resolve) => {
          tellArrival = resolve;
        });
      }
    }
  };
  return {
    take(run) {
      runs.push(run);
      files += run.entries.length;
      if (run.known === undefined) unsent += run.entries.length;
      const least = unanswered < at.threads ? SMALL_BATCH : BATCH;
      if (unsent < least && files < MOST_KNOWN) return undefined;
      send();
      return isDue() ? countDue() : undefined;
    },
    async finish() {
      if (files > 0) send();
      while (!tally.isOver() && queue.length > 0) await countFirst();
    },
  };
}
