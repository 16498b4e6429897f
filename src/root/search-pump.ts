/**
 * Owns running a long synchronous piece of work in slices: the host's event loop turns between them.
 * Leaves the work to generators that yield often. Rule: a cancelled search stops at its next yield.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds that a slice may take. A slice ends at a yield, so a few milliseconds stay in reserve of the 10 that are promised. */
const SLICE_MS = 6;

/** Runs `work` to its end; what it yields goes to `take`, undefined is a pause. */
export async function pump<T>(
  work: Generator<T | undefined, void>,
  options: { readonly signal: AbortSignal; readonly take: (item: T) => void },
): Promise<void> {
  options.signal.throwIfAborted();
  let until = performance.now() + SLICE_MS;
  try {
    for (let step = work.next(); step.done !== true; step = work.next()) {
      if (step.value !== undefined) options.take(step.value);
      if (performance.now() < until) continue;
      await nextTurn();
      options.signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    }
  } finally {
    work.return();
  }
}
