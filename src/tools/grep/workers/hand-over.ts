/**
 * Owns handing the files of a walk to the crew, and taking the outcomes back in the order of the walk.
 * Leaves threads to crew.ts, counting to tally.ts. Rule: an answer is the same whoever searched: outcomes count in
 * the order of paths, as if one file had been searched after the other, and what was searched too far is dropped.
 */
import type { CountFollower, CountMark } from "../../../root/count-mark.ts";
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FileOutcome } from "../search-file.ts";
import type { Tally } from "../tally.ts";
import type { CrewSearch } from "./crew.ts";
import { packPlaces } from "./messages.ts";

/** Files of one batch: a few milliseconds of work. */
const BATCH = 48;
/** Files of one batch that is hardly to be searched: counted without holding up the host. */
const MOST_KNOWN = 1_000;
/** Batches that wait at each thread: enough to last while the host's thread does something else. */
const BATCHES_A_THREAD = 12;

export interface WalkedFile extends FilePlace {
  readonly path: string;
  /** What the walk had counted when it met the file. */
  readonly mark: CountMark;
  /** Present where nobody needs to search it: what is found, asked for when its turn comes. */
  readonly known?: () => FileOutcome;
}

export interface HandOver {
  /** A promise where there is something to count, or the crew has enough to do; for most files there is not. */
  take(file: WalkedFile): Promise<void> | undefined;
  /** Waits until all that was taken is counted. */
  finish(): Promise<void>;
}

/** Files in their order; those whose outcome is known are not sent. */
interface Sent {
  readonly files: readonly WalkedFile[];
  readonly rowsFor: number;
  readonly outcomes: Promise<readonly FileOutcome[] | undefined>;
  arrived: boolean;
}

export function makeHandOver(at: {
  crew: CrewSearch;
  threads: number;
  tally: Tally;
  follower: CountFollower;
  /** Searches a file on this thread. */
  searchHere: (file: WalkedFile, rowsFor: number) => FileOutcome | Promise<FileOutcome>;
}): HandOver {
  const { crew, tally, follower, searchHere } = at;
  const queue: Sent[] = [];
  let files: WalkedFile[] = [];
  let unsent = 0;
  const send = () => {
    const rowsFor = tally.rowsWanted();
    const unknown = files.filter(({ known }) => known === undefined);
    const outcomes =
      unknown.length === 0 ? Promise.resolve([]) : crew.search({ files: packPlaces(unknown), rowsFor });
    const sent: Sent = { files, rowsFor, outcomes, arrived: false };
    // Where it rejects, that is met when its turn comes; until then it must not count as unhandled.
    const note = () => {
      sent.arrived = true;
    };
    outcomes.then(note, note);
    queue.push(sent);
    files = [];
    unsent = 0;
  };
  const count = async ({ files, rowsFor, outcomes }: Sent) => {
    const found = await outcomes;
    let next = 0;
    for (const file of files) {
      const wanted = tally.rowsWanted();
      let outcome = file.known === undefined ? found?.[next++] : file.known();
      // It was searched for more rows than there is room for by now: its rows are then other ones.
      const again =
        outcome?.kind === "searched" && wanted < rowsFor && wanted > 0 && outcome.matches > wanted;
      if (outcome === undefined || again) outcome = await searchHere(file, wanted);
      follower.advance(file.mark);
      tally.add(file.path, outcome);
      if (tally.isOver()) return;
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
    take(file) {
      files.push(file);
      if (file.known === undefined) unsent++;
      if (unsent < BATCH && files.length < MOST_KNOWN) return undefined;
      send();
      return isFirstDue() ? countDue() : undefined;
    },
    async finish() {
      if (files.length > 0) send();
      while (!tally.isOver() && queue.length > 0) await countFirst();
    },
  };
}
