/**
 * Owns the thread on which one PDF document is read. Leaves its limits to read-pdf.ts, its pages to pdf-pages.ts.
 * Rule: one document, one answer. No buffer grows past its bound: a stream of a few bytes can unpack to as many as the
 * machine has, and buffers are not counted as the thread's heap.
 */
import { parentPort, workerData } from "node:worker_threads";
import { constants, inflateRawSync, inflateSync } from "node:zlib";
import { PDF_MAX_STREAM } from "../contract/limits.ts";
import type { PdfNotRead } from "../contract/pdf.ts";
import type { ParsedPdf, PdfParsing } from "./keep-pdf-texts.ts";

const TOO_MUCH = `something in it unpacks to more than ${PDF_MAX_STREAM / 1_048_576} MiB`;

/** Ends the thread: the reader passes over what cannot be unpacked, and what it then gives is not the document's text. */
function refuseMore(): never {
  tell({ kind: "not-read", why: "bounds", reason: TOO_MUCH });
  throw new RangeError(TOO_MUCH);
}

/** The first answer is the one. */
function tell(read: ParsedPdf | PdfNotRead): void {
  parentPort?.postMessage(read, read.kind === "read" ? [read.text.buffer as ArrayBuffer] : []);
}

globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: unknown[], newTarget) {
    const [length] = args;
    if (typeof length === "number" && length > PDF_MAX_STREAM) refuseMore();
    return Reflect.construct(target, args, newTarget) as Uint8Array;
  },
});

function unpack(format: string, chunk: Uint8Array): Uint8Array {
  // What is cut off is told as far as it goes.
  const options = { maxOutputLength: PDF_MAX_STREAM, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    if (format === "deflate") return inflateSync(chunk, options);
    if (format === "deflate-raw") return inflateRawSync(chunk, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") refuseMore();
    throw error;
  }
  throw new TypeError(`${format} is not unpacked here`);
}

/** The system's own unpacks without a bound, into pieces that outlive a thread that is ended. A stream comes as one chunk. */
class BoundedDecompression extends TransformStream<Uint8Array, Uint8Array> {
  constructor(format: string) {
    super({ transform: (chunk, controller) => controller.enqueue(unpack(format, chunk)) });
  }
}
globalThis.DecompressionStream = BoundedDecompression as unknown as typeof DecompressionStream;

const { readDocument } = await import("./pdf-pages.ts");
tell(await readDocument(workerData as Omit<PdfParsing, "signal">));
