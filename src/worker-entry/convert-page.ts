/**
 * Owns having a page converted in the worker process: on a thread of its own, with a limit of its time and memory.
 * Leaves converting to text/html/, on that thread (convert-thread.ts). Rule: whatever a page does to its conversion,
 * the process goes on: a page must not hold up a command, nor be taken for a worker that hangs.
 */
import { Worker } from "node:worker_threads";
import type { ConvertedPage, PageConversion } from "../contract/page.ts";

/** The worst 512 KiB of markup that was tried took a second. */
const MAX_MS = 3_000;
/** MiB. The same markup took about 60. */
const MAX_HEAP = 512;

export function convertPage(
  input: Omit<PageConversion, "signal">,
  signal: AbortSignal,
): Promise<ConvertedPage> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL("./convert-thread.js", import.meta.url), {
      workerData: input,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
    });
    const fail = (why: string) => end({ kind: "not-converted", why });
    const timer = setTimeout(fail, MAX_MS, `took longer than ${MAX_MS} ms`);
    const cancel = () => fail("was cancelled");
    const end = (page: ConvertedPage): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(page);
      void thread.terminate();
    };
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    thread.once("message", (page: ConvertedPage) => end(page));
    thread.once("error", (error) => fail(`failed: ${error.message}`));
    thread.once("exit", () => fail("ended before it was done"));
  });
}
