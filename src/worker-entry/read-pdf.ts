/**
 * Owns having a PDF document read in the worker process: on a thread of its own, with limits of its time and memory.
 * Leaves reading it to pdf-thread.ts, the thread to run-thread.ts, keeping its text to keep-pdf-texts.ts. Rule: whatever a document does to its reader, there
 * is an answer in words.
 */
import { PDF_MAX_HEAP, PDF_MAX_MS, PDF_MAX_STREAM } from "../contract/limits.ts";
import type { PdfNotRead, PdfReading, ReadPdf } from "../contract/pdf.ts";
import type { TaskAnswer, TaskTable } from "../worker/tasks.ts";
import { keepPdfTexts, type ParsedPdf, type PdfParsing } from "./keep-pdf-texts.ts";
import { runThread } from "./run-thread.ts";

/** A heap, and room for the file and some of the largest streams at once. */
const MAX_GROWTH = PDF_MAX_HEAP * 1_048_576 + 8 * PDF_MAX_STREAM;

/** From the text that was kept of the document, where it was. */
export const readPdf: (request: PdfReading) => Promise<ReadPdf> = keepPdfTexts({ parse: parsePdf });

export async function parsePdf(
  { bytes, signal, ...input }: PdfParsing,
  maxMs: number = PDF_MAX_MS,
): Promise<ParsedPdf | PdfNotRead> {
  // A copy of its own: the thread takes it away.
  const copy = new Uint8Array(bytes);
  const end = await runThread<ParsedPdf | PdfNotRead>({
    file: new URL("./pdf-thread.js", import.meta.url),
    data: { ...input, bytes: copy },
    transfer: [copy.buffer],
    maxMs,
    maxHeap: PDF_MAX_HEAP,
    maxGrowth: MAX_GROWTH,
    signal,
  });
  const fail = (why: PdfNotRead["why"], reason: string): PdfNotRead => ({ kind: "not-read", why, reason });
  switch (end.kind) {
    case "answered":
      return end.answer;
    case "time":
      return fail("bounds", `it took longer than ${maxMs} ms`);
    case "memory":
      return fail("bounds", "it took too much memory");
    case "cancelled":
      signal.throwIfAborted();
      return fail("failed", "it was cancelled");
    case "gone":
      return fail("failed", "its reader ended before it was done");
    default:
      return fail("damaged", end.message);
  }
}

export async function readPdfTask(
  input: TaskTable["pdf.read"]["input"],
  { parts, signal }: { readonly parts: readonly Uint8Array[]; readonly signal: AbortSignal },
): Promise<TaskAnswer<TaskTable["pdf.read"]["output"]>> {
  const read = await readPdf({ ...input, bytes: parts[0] ?? new Uint8Array(), signal });
  if (read.kind !== "read") return { value: read, parts: [] };
  const { text, ...value } = read;
  return { value, parts: [text] };
}
