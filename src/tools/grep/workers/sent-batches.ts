/**
 * Owns the batches that the crew has: sending them, in their order, and waiting for answers.
 * Leaves threads to crew.ts, what is made of an answer to hand-over.ts. Rule: no thread waits for another's long batch:
 * as long as any has little to do, more is sent.
 */
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { FileRun } from "../feed.ts";
import type { CrewSearch } from "./crew.ts";
import { type PackedOutcome, packPlaces } from "./messages.ts";

/** Batches that a thread has: enough to last while the host's thread does something else. */
const BATCHES_A_THREAD = 12;
/** Batches that are behind one that takes long: enough for the other threads to go on meanwhile. */
const MOST_BEHIND = 128;

/** Files that are to be searched, or, where it is known what is found in them, only counted. */
export interface HandedRun extends FileRun {
  /** Asked for when the turn of each comes. */
  readonly known?: (file: FilePlace) => PackedOutcome;
}

/** Runs in their order; of those that are known nothing was sent. */
export interface Sent {
  readonly runs: readonly HandedRun[];
  readonly rowsFor: number;
  /** Of all files that were sent, in their order; undefined where the thread was lost. */
  readonly outcomes: Promise<readonly PackedOutcome[] | undefined>;
}

export interface SentBatches {
  send(runs: readonly HandedRun[], rowsFor: number): void;
  /** Whether a thread may have nothing to do. */
  areFew(): boolean;
  /** Whether the first one is to be taken, or the next answer to be waited for, before more is sent. */
  areDue(): boolean;
  /** The first one where it is answered; otherwise waits for an answer, to any. */
  takeAnswered(): Promise<Sent | undefined>;
  /** The first one; undefined where there is none. */
  take(): Sent | undefined;
}

export function makeSentBatches({ crew, threads }: { crew: CrewSearch; threads: number }): SentBatches {
  const queue: (Sent & { isAnswered: boolean })[] = [];
  let unanswered = 0;
  let tellAnswer = () => {};
  const isFirstAnswered = () => queue[0]?.isAnswered === true;
  return {
    send(runs, rowsFor) {
      const unknown = runs.filter(({ known }) => known === undefined);
      const outcomes =
        unknown.length === 0 ? Promise.resolve([]) : crew.search({ files: packPlaces(unknown), rowsFor });
      const sent = { runs, rowsFor, outcomes, isAnswered: false };
      // Where it rejects, that is met when its turn comes; until then it must not count as unhandled.
      const note = () => {
        sent.isAnswered = true;
        unanswered--;
        tellAnswer();
      };
      outcomes.then(note, note);
      queue.push(sent);
      unanswered++;
    },
    areFew: () => unanswered < threads,
    areDue: () => isFirstAnswered() || unanswered > BATCHES_A_THREAD * threads || queue.length > MOST_BEHIND,
    async takeAnswered() {
      if (isFirstAnswered()) return queue.shift();
      await new Promise<void>((resolve) => {
        tellAnswer = resolve;
      });
      return undefined;
    },
    take: () => queue.shift(),
  };
}
