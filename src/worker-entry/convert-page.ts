/**
 * Owns having a page converted in the worker process: on a thread of its own, with a limit of its time and memory.
 * Leaves converting to text/html/, on that thread (convert-thread.ts), the thread to run-thread.ts.
 * Rule: whatever a page does to its conversion, there is an answer in words.
 */
import type { ConvertedPage, PageConversion } from "../contract/page.ts";
import { runThread } from "./run-thread.ts";

/** The worst 512 KiB of markup that was tried took a second. */
const MAX_MS = 3_000;
/** MiB. The same markup took about 60. */
const MAX_HEAP = 512;

export async function convertPage(
  data: Omit<PageConversion, "signal">,
  signal: AbortSignal,
): Promise<ConvertedPage> {
  const file = new URL("./convert-thread.js", import.meta.url);
  const end = await runThread<ConvertedPage>({ file, data, maxMs: MAX_MS, maxHeap: MAX_HEAP, signal });
  const fail = (why: string): ConvertedPage => ({ kind: "not-converted", why });
  switch (end.kind) {
    case "answered":
      return end.answer;
    case "time":
      return fail(`took longer than ${MAX_MS} ms`);
    case "memory":
      return fail(`took more than ${MAX_HEAP} MiB of memory`);
    case "cancelled":
      return fail("was cancelled");
    case "gone":
      return fail("ended before it was done");
    default:
      return fail(`failed: ${end.message}`);
  }
}
