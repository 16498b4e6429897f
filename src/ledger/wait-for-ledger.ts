/**
 * Owns waiting for a ledger that another process writes to.
 * Leaves what is done with it to whoever waits. Rule: the event loop turns while it is waited: SQLite's own waiting
 * blocks the thread, so a try waits for a moment only, and between two tries everything else goes on.
 */
import { setTimeout as delay } from "node:timers/promises";
import { LedgerError } from "./ledger-error.ts";

/**
 * How long a ledger is waited for in all. One transaction takes a millisecond, a result of tens of megabytes half a
 * second: who waits longer than this waits for something that hangs.
 */
export const PATIENCE_MS = 15_000;
/** How long one try of a session may block the thread. */
export const TRY_MS = 10;
/** Where nothing can be awaited: others of this process wait too. */
const BLOCKING_MS = 2_000;
/** Between two tries; by chance, so that those who wait do not all try at the same time. */
const PAUSE_MS = 5;
const PAUSE_MORE_MS = 15;

export interface Patience {
  readonly waitMs?: number;
  /** Once it is aborted it is waited for `graceMs` more, and no longer. */
  readonly signal?: AbortSignal | undefined;
  readonly graceMs?: number;
}

/** Does `act` as soon as the ledger is free. Rejects with what `act` throws: the `busy` of a ledger that never was. */
export async function whenFree<T>(act: () => T, patience: Patience = {}): Promise<T> {
  const { waitMs = PATIENCE_MS, signal, graceMs = 0 } = patience;
  let deadlineMs = performance.now() + waitMs;
  let isLeaving = false;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (signal?.aborted === true && !isLeaving) {
        isLeaving = true;
        deadlineMs = Math.min(deadlineMs, performance.now() + graceMs);
      }
      if (performance.now() >= deadlineMs) throw error;
    }
    await delay(PAUSE_MS + Math.random() * PAUSE_MORE_MS);
  }
}

/** The same where nothing can be awaited: it blocks, and so gives up sooner. */
export function whenFreeBlocking<T>(act: () => T): T {
  const deadlineMs = performance.now() + BLOCKING_MS;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadlineMs) throw error;
    }
  }
}

/** Between two transactions of many: who waits for the ledger looks for it every few milliseconds. */
export function letOthersWrite(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MORE_MS);
}

function isBusy(error: unknown): boolean {
  return error instanceof LedgerError && error.code === "busy";
}
