/**
 * Owns running a long synchronous piece of work in slices: the host's event loop turns between them.
 * Leaves the work to generators that yield often. Rule: a cancelled search stops at its next yield.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds that a slice may take. A slice ends at a yield, so a few milliseconds stay in reserve of the 10 that are promised. */
const SLICE_MS = 6;

export interface Slices {
  /** Whether the slice has lasted long enough. */
  areDue(): boolean;
  /** Lets the event loop turn and begins the next slice. Throws where the signal was aborted meanwhile. */
  turn(): Promise<void>;
}

export function makeSlices(signal: AbortSignal): Slices {
  signal.throwIfAborted();
  let until = performance.now() + SLICE_MS;
  return {
    areDue: () => performance.now() >= until,
    async turn() {
      await nextTurn();
      signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    },
  };
}

/** Runs `work` to its end; what it yields goes to `take`, undefined is a pause. */
export async function pump<T>(
  work: Generator<T | undefined, void>,
  options: { readonly signal: AbortSignal; readonly take: (item: T) => void },
): Promise<void> {
  const slices = makeSlices(options.signal);
  try {
    for (let step = work.next(); step.done !== true; step = work.next()) {
      if (step.value !== undefined) options.take(step.value);
      if (slices.areDue()) await slices.turn();
    }
  } finally {
    work.return();
  }
}

/** Runs `work` to its end within slices that others share; gives what it returns. */
export async function finishIn<R>(slices: Slices, work: Generator<undefined, R>): Promise<R> {
  let step = work.next();
  try {
    for (; step.done !== true; step = work.next()) if (slices.areDue()) await slices.turn();
    return step.value;
  } finally {
    // Where the turn threw, the work still holds a file open.
    if (step.done !== true) work.return(undefined as never);
  }
}
