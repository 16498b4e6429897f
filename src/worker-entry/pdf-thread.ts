/**
 * Owns the thread on which one PDF document is read. Leaves its limits to read-pdf.ts, its pages to pdf-pages.ts.
 * Rule: one document, one answer. No buffer grows past its bound: a stream of a few bytes can unpack to as many as the
 * machine has, and buffers are not counted as the thread's heap.
 */
import { parentPort, workerData } from "node:worker_threads";
import { PDF_MAX_BUFFER } from "../contract/limits.ts";
import type { PdfReading, ReadPdf } from "../contract/pdf.ts";

globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: unknown[], newTarget) {
    const [length] = args;
    if (typeof length === "number" && length > PDF_MAX_BUFFER)
      throw new RangeError(`something in it unpacks to more than ${PDF_MAX_BUFFER} bytes`);
    return Reflect.construct(target, args, newTarget) as Uint8Array;
  },
});

const { readDocument } = await import("./pdf-pages.ts");
const read: ReadPdf = await readDocument(workerData as Omit<PdfReading, "signal">);
parentPort?.postMessage(read, read.kind === "read" ? [read.text.buffer as ArrayBuffer] : []);
