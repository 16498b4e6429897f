/**
 * Owns how long a client that has no connection is kept. Leaves ending it to http-clients.ts.
 * Rule: a connection that is there keeps it, and a call that nobody will hear the end of is not waited for.
 */

/** Tells when no connection has been there for a while. */
export function createIdleTimer(of: {
  readonly waits: { readonly idleMs: number; readonly abandonedMs: number };
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}) {
  let connections = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const wait = () => {
    clearTimeout(timer);
    if (connections > 0 || isStopped) return;
    const wasBusy = of.isBusy();
    // A call that came to its end meanwhile was not abandoned: its result can still be fetched.
    const end = () => (wasBusy && !of.isBusy() ? wait() : of.onIdle());
    timer = setTimeout(end, wasBusy ? of.waits.abandonedMs : of.waits.idleMs).unref();
  };
  return {
    attend(left: AbortSignal) {
      connections += 1;
      clearTimeout(timer);
      const leave = () => {
        connections -= 1;
        wait();
      };
      if (left.aborted) leave();
      else left.addEventListener("abort", leave, { once: true });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
