/**
 * Owns waiting for work that cannot be called back (a look-up, a host's function) no longer than a signal allows.
 * Leaves what the abort means to the caller. Rule: what is left behind ends by itself, and neither its answer nor
 * its error reaches anybody.
 */

export const ABORTED = Symbol("aborted");

export async function raceAbort<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | typeof ABORTED> {
  if (signal === undefined) return await work;
  work.catch(() => undefined);
  if (signal.aborted) return ABORTED;
  let onAbort = (): void => {};
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    onAbort = () => resolve(ABORTED);
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
