/**
 * Owns noticing that a worker has stopped living: it is asked for a sign of life while it works, and at once when
 * something is to be ended. Leaves ending it to connection.ts. Rule: a worker that is slow is waited for, one that
 * gives no sign is not. The attack: a command stops the worker (`kill -STOP $PPID`), and host and model wait for ever.
 */
import type { WorkerBounds } from "./worker-process.ts";

export interface Pulse {
  /** A sign of life came back. */
  heard(beat: number): void;
  /** Something was asked to end: a sign of life is due now, and the end some time after it. */
  expectEnd(isOver: () => boolean, answerMs?: number): void;
  stop(): void;
}

export interface PulseRequest {
  readonly bounds: WorkerBounds;
  readonly ping: (beat: number) => void;
  readonly isBusy: () => boolean;
  readonly lose: (why: string) => void;
}

const SILENT = "did not answer";

export function startPulse({ bounds, ping, isBusy, lose }: PulseRequest): Pulse {
  let asked = 0;
  let answered = 0;
  let missed = 0;
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const beating = setInterval(() => {
    missed = isBusy() && answered < asked ? missed + 1 : 0;
    if (missed > bounds.missedBeats) lose(SILENT);
    else if (isBusy()) ping(++asked);
  }, bounds.beatMs).unref();
  return {
    heard(beat) {
      answered = Math.max(answered, beat);
    },
    expectEnd(isOver, answerMs = bounds.answerMs) {
      const beat = ++asked;
      ping(beat);
      after(answerMs, () => {
        if (!isOver() && answered < beat) lose(SILENT);
      });
      after(bounds.endMs, () => {
        if (!isOver()) lose("did not end what it was told to end");
      });
    },
    stop() {
      clearInterval(beating);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
