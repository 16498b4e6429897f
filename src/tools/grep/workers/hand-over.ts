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
/** Batches that wait at each thread: enough to last while the host's thread does something else. */
const BATCHES_A_THREAD = 12;

/** Files that are to be searched, or, where it is known what is found in them, only counted. */
export interface HandedRun extends FileRun {
  /** Asked for when the turn of each comes. */
  readonly known?: (file: FilePlace) => FileOutcome;
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
    };
    outcomes.then(note, note);
    queue.push(sent);
    runs = [];
    files = 0;
    unsent = 0;
  };
  /** Counts a file that was searched elsewhere; false where it must be searched here. */
  const countFound = (path: string, packed: PackedOutcome | undefined, rowsFor: number): boolean => {
    if (packed === undefined) return false;
    if (typeof packed === "number") {
      tally.addMiss(packed);
      return true;
    }
    const wanted = tally.rowsWanted();
    // It was searched for more rows than there is room for by now: its rows are then other ones.
    const again = packed.kind === "searched" && wanted < rowsFor && wanted > 0 && packed.matches > wanted;
    if (!again) tally.add(path, unpackOutcome(packed));
    return !again;
  };
  const count = async ({ runs, rowsFor, outcomes }: Sent) => {
    const found = await outcomes;
    let next = 0;
    for (const { path, folder, entries, mark, known } of runs) {
      follower.advance(mark);
      for (const { name } of entries) {
        if (known !== undefined) tally.add(path + name, known({ folder, name }));
        else if (!countFound(path + name, found?.[next++], rowsFor))
          tally.add(path + name, await searchHere({ folder, name }, tally.rowsWanted()));
        if (tally.isOver()) return;
      }
    }
  };
  const countFirst = async () => {
    const first = queue.shift();
    if (first !== undefined) await count(first);
  };
  const isFirstDue = () => queue.length > BATCHES_A_THREAD * at.threads || queue[0]?.arrived === true;
  const countDue = async () => {
    while (!tally.isOver() && isFirstDue()) await countFirst();
  };
  return {
    take(run) {
      runs.push(run);
      files += run.entries.length;
      if (run.known === undefined) unsent += run.entries.length;
      const least = queue.length < at.threads ? SMALL_BATCH : BATCH;
      if (unsent < least && files < MOST_KNOWN) return undefined;
      send();
      return isFirstDue() ? countDue() : undefined;
    },
    async finish() {
      if (files > 0) send();
      while (!tally.isOver() && queue.length > 0) await countFirst();
    },
  };
}
