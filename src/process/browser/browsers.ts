/**
 * Owns the browsers of one worker: running them, and ending all of them.
 * Leaves one run to run-browser.ts. Rule: after `close` none of them runs, none starts, and no profile is left.
 */
import { makeMark } from "../mark.ts";
import { type BrowserEnd, type BrowserRun, runBrowser } from "./run-browser.ts";

export interface Browsers {
  /** Never rejects for what a browser does. */
  run(run: BrowserRun, signal: AbortSignal): Promise<BrowserEnd>;
  close(): Promise<void>;
}

export function openBrowsers({ marker }: { readonly marker: string }): Browsers {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let count = 0;
  return {
    async run(run, signal) {
      const ending = AbortSignal.any([signal, closing.signal]);
      const mark = makeMark(marker, `b${++count}`);
      const call = runBrowser({ ...run, signal: ending, mark });
      running.add(call);
      return call.finally(() => running.delete(call));
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}
