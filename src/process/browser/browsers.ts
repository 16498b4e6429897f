/**
 * Owns the browsers of one worker: running them, and ending all of them.
 * Leaves one run to run-browser.ts. Rule: after `close` none of them runs, none starts, and no profile is left.
 */
import { openRelays } from "../confine/relay.ts";
import { makeMark } from "../mark.ts";
import { type BrowserEnd, type BrowserRun, type LocalRun, runBrowser } from "./run-browser.ts";

export interface Browsers {
  /** Never rejects for what a browser does. */
  run(run: BrowserRun, signal: AbortSignal): Promise<BrowserEnd>;
  close(): Promise<void>;
}

export function openBrowsers({ marker }: { readonly marker: string }): Browsers {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const relays = openRelays({ mark: makeMark(marker, "browser-relay") });
  let count = 0;
  /** A visit has a proxy of its own, and so a relay. */
  const runEntered = async (run: LocalRun): Promise<BrowserEnd> => {
    const fence = run.fence === undefined ? undefined : await relays.enter(run.fence);
    if (fence !== undefined && "error" in fence) return { kind: "not-started", error: fence.error };
    return runBrowser(fence === undefined ? run : { ...run, fence }).finally(() =>
      relays.leave(run.fence?.relay),
    );
  };
  return {
    async run(run, signal) {
      const ending = AbortSignal.any([signal, closing.signal]);
      const mark = makeMark(marker, `b${++count}`);
      const call = runEntered({ ...run, signal: ending, mark });
      running.add(call);
      return call.finally(() => running.delete(call));
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      await relays.close();
    },
  };
}
