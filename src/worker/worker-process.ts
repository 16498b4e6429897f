/**
 * Owns what a connection needs of the process at its other end.
 * Leaves starting one to process/. Rule: nothing here says how it was started, so that tests can stand in for it.
 */
import type { Duplex } from "node:stream";

export interface WorkerProcess {
  readonly channel: Duplex;
  /** On which it asks for what it cannot go on without. */
  readonly line?: Duplex | undefined;
  /** Resolves when the process has ended, with what became of it: `was ended by SIGKILL`. */
  readonly ended: Promise<string>;
  /** At once and for certain. What it had started is not ended by this. */
  kill(): void;
  /** Whether it keeps the host from ending. */
  keep(holds: boolean): void;
}

/** How long a worker may take, in milliseconds. */
export interface WorkerBounds {
  /** To say who it is. A cold start takes 50 to 100; a busy machine many times that. */
  readonly startMs: number;
  /** To give a sign of life when something is to be ended: what a cancelled call may take beside its grace. */
  readonly answerMs: number;
  /** To end what was cancelled, or itself, where it does give signs of life. Longer than any grace in it. */
  readonly endMs: number;
  /** Between two signs of life while it works. */
  readonly beatMs: number;
  /** Signs of life that may be missed in a row. Counted, not timed: a machine that slept wakes to one missed beat. */
  readonly missedBeats: number;
}

export const WORKER_BOUNDS: WorkerBounds = {
  startMs: 20_000,
  answerMs: 900,
  endMs: 6_000,
  beatMs: 1_000,
  missedBeats: 10,
};
