/**
 * Owns having pages converted by way of the worker.
 * Leaves converting to text/html/, in the worker. Rule: whatever a page does to its conversion, the call goes on
 * within its time: what could not be converted says why.
 */
import { WorkerError } from "../contract/errors.ts";
import type { ConvertedPage, PageConversion, Pages } from "../contract/page.ts";
import { FrameError } from "./frames.ts";
import type { WorkerKeeper } from "./keep-worker.ts";

/** Half a megabyte of the most adverse markup takes one, on a busy machine; the worker itself gives up before. */
const CONVERT_MS = 8_000;

export function openPages(keeper: () => Promise<WorkerKeeper>): Pages {
  return { convert: (conversion) => convert(keeper, conversion) };
}

async function convert(
  keeper: () => Promise<WorkerKeeper>,
  { signal, ...input }: PageConversion,
): Promise<ConvertedPage> {
  const overdue = AbortSignal.timeout(CONVERT_MS);
  try {
    const worker = await keeper();
    const { value } = await worker.ask("page.convert", input, { signal: AbortSignal.any([signal, overdue]) });
    signal.throwIfAborted();
    return value;
  } catch (error) {
    signal.throwIfAborted();
    if (overdue.aborted) return { kind: "not-converted", why: `took longer than ${CONVERT_MS} ms` };
    if (error instanceof WorkerError || error instanceof FrameError)
      return { kind: "not-converted", why: `failed: ${error.message}` };
    throw error;
  }
}
