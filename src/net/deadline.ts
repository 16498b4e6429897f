/**
 * Owns the one end that all the work of a request shares: its time is up, or its caller cancelled it.
 * Leaves what is then torn down to whoever listens to the signal. Rule: the clock starts once and is never set
 * back, so no number of hops and no slow body is worth more time than the whole.
 */

export interface Deadline {
  readonly signal: AbortSignal;
  /** What ended it; undefined while it runs. */
  reason(): "timed-out" | "cancelled" | undefined;
  /** Lets the clock go. The signal stays as it is. */
  clear(): void;
}

export function startDeadline(of: {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}): Deadline {
  const controller = new AbortController();
  let reason: "timed-out" | "cancelled" | undefined;
  const end = (why: "timed-out" | "cancelled"): void => {
    reason ??= why;
    controller.abort();
  };
  const onAbort = (): void => end("cancelled");
  const timer = setTimeout(() => end("timed-out"), of.timeoutMs);
  if (of.signal?.aborted) onAbort();
  else of.signal?.addEventListener("abort", onAbort);
  return {
    signal: controller.signal,
    reason: () => reason,
    clear: () => {
      clearTimeout(timer);
      of.signal?.removeEventListener("abort", onAbort);
    },
  };
}
