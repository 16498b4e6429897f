/**
 * Owns having PDF documents read by way of the worker.
 * Leaves reading to worker-entry/. Rule: the document goes to the worker as bytes, so that nothing but the tool that was
 * asked opens files; whatever it does there, the call goes on within its time: what could not be read says why.
 */
import { WorkerError } from "../contract/errors.ts";
import { PDF_MAX_MS } from "../contract/limits.ts";
import type { Documents, PdfReading, ReadPdf } from "../contract/pdf.ts";
import { FrameError } from "./frames.ts";
import type { WorkerKeeper } from "./keep-worker.ts";

/** Longer than the worker gives it: starting, and handing over the file and its text. */
const READ_MS = PDF_MAX_MS + 10_000;

export function openDocuments(keeper: () => Promise<WorkerKeeper>): Documents {
  return { readPdf: (request) => readPdf(keeper, request) };
}

async function readPdf(
  keeper: () => Promise<WorkerKeeper>,
  { bytes, signal, ...input }: PdfReading,
): Promise<ReadPdf> {
  const overdue = AbortSignal.timeout(READ_MS);
  try {
    const worker = await keeper();
    const call = { signal: AbortSignal.any([signal, overdue]), parts: [bytes] };
    const { value, parts } = await worker.ask("pdf.read", input, call);
    signal.throwIfAborted();
    return value.kind === "read" ? { ...value, text: parts[0] ?? new Uint8Array() } : value;
  } catch (error) {
    signal.throwIfAborted();
    if (overdue.aborted)
      return { kind: "not-read", why: "bounds", reason: `it took longer than ${READ_MS} ms` };
    if (error instanceof WorkerError || error instanceof FrameError)
      return { kind: "not-read", why: "failed", reason: error.message };
    throw error;
  }
}
