/**
 * Owns showing a PDF document: its text by pages, as lines that `offset` and `limit` count.
 * Leaves reading it to the port `documents`, paging through its text to read-text.ts. Rule: a document without text is
 * refused with the reason, and the same document gives the same lines.
 */
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import { PDF_MAX_BYTES } from "../../contract/limits.ts";
import type { Done } from "../../contract/output.ts";
import type { PdfText } from "../../contract/pdf.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import { readWhole } from "../../root/open-file.ts";
import { sourceOfBytes } from "./byte-source.ts";
import { readText, type TextDetails, type TextRange } from "./read-text.ts";

export interface PdfToRead {
  readonly place: Place;
  readonly range: TextRange;
  /** Of the file, in bytes. */
  readonly size: number;
}

export async function readPdf(pdf: PdfToRead, context: ToolContext): Promise<Done<TextDetails> | Refusal> {
  const { place, range } = pdf;
  const read = await readDocument(pdf, context);
  if (isRefusal(read)) return read;
  const { text, pages, isWhole } = read;
  return readText(
    {
      source: sourceOfBytes(Buffer.from(text.buffer, text.byteOffset, text.byteLength)),
      form: { encoding: "utf-8", bomBytes: 0 },
      place,
      range,
      rendering: { kind: "pdf", words: describe(read), pages, isPart: !isWhole },
    },
    context,
  );
}

/** The text of a document, with what is wanted of it, or why there is none. */
async function readDocument({ place, range, size }: PdfToRead, context: ToolContext) {
  const { root, ports, signal, limits } = context;
  if (ports.documents === undefined)
    return refuse("file-binary", { path: place.shown, bytes: size, kind: "PDF document" });
  const whole = await readWhole({ root, place, maxBytes: PDF_MAX_BYTES, signal });
  if (isRefusal(whole)) return whole;
  const { bytes } = whole;
  const read = await ports.documents.readPdf({
    bytes,
    fromLine: Math.max(range.offset ?? 1, 1),
    // One line may be shown in parts: what is wanted lies behind the part that is asked for.
    wantedBytes: limits.readMax + 4 * (range.column ?? 0),
    signal,
  });
  if (read.kind === "read") return read;
  const { why, reason } = read;
  return refuse("pdf-unreadable", { path: place.shown, bytes: bytes.length, why, reason });
}

function describe({ pages, emptyPages }: PdfText): string {
  const count = `PDF as text, ${pages} ${pages === 1 ? "page" : "pages"}`;
  if (emptyPages === 0) return count;
  return emptyPages === pages ? `${count}, none with text` : `${count}, ${emptyPages} without text`;
}
