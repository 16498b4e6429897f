/**
 * Owns keeping the text of the documents that were read last: paging through a long one would parse it anew each time.
 * Leaves parsing to read-pdf.ts. Rule: an answer is the same whether the text was kept or not. A document is known by
 * the hash of its bytes alone; what is kept is bounded, and dropped when nobody has asked for a while.
 */
import { createHash } from "node:crypto";
import { PDF_KEPT_BYTES, PDF_KEPT_DOCUMENTS, PDF_KEPT_MS } from "../contract/limits.ts";
import type { PdfNotRead, PdfReading, PdfText, ReadPdf } from "../contract/pdf.ts";

/** Where reading may end: bytes of text and pages without any up to there. */
export interface PdfStop {
  readonly bytes: number;
  readonly emptyPages: number;
}

/** The text as far as it was read, and each place at which one who wanted less of it would have ended. */
export interface ParsedPdf extends PdfText {
  readonly stops: readonly PdfStop[];
}

export interface PdfParsing extends PdfReading {
  /** Bytes of text that are read besides, if there is time: they will be wanted next. */
  readonly aheadBytes: number;
}

export interface KeepingRequest {
  readonly parse: (parsing: PdfParsing) => Promise<ParsedPdf | PdfNotRead>;
  readonly idleMs?: number;
}

type Wanted = Pick<PdfReading, "fromLine" | "wantedBytes">;

export function keepPdfTexts({ parse, idleMs = PDF_KEPT_MS }: KeepingRequest) {
  /** By hash, the one that was asked for last at the end. */
  const kept = new Map<string, ParsedPdf>();
  let idle: NodeJS.Timeout | undefined;

  const keep = (hash: string, text: ParsedPdf): void => {
    clearTimeout(idle);
    idle = setTimeout(() => kept.clear(), idleMs).unref();
    kept.delete(hash);
    kept.set(hash, text);
    let bytes = [...kept.values()].reduce((sum, one) => sum + one.text.length, 0);
    for (const [oldest, { text: old }] of kept) {
      if (kept.size <= PDF_KEPT_DOCUMENTS && bytes <= PDF_KEPT_BYTES) break;
      kept.delete(oldest);
      bytes -= old.length;
    }
  };

  return async (request: PdfReading): Promise<ReadPdf> => {
    const hash = createHash("sha256").update(request.bytes).digest("base64");
    const before = kept.get(hash);
    const answer = before && cut(before, request);
    if (before !== undefined && answer !== undefined) {
      keep(hash, before);
      return answer;
    }
    const parsed = await parse({ ...request, aheadBytes: before?.text.length ?? 0 });
    if (parsed.kind !== "read") return parsed;
    keep(hash, parsed);
    return cut(parsed, request) ?? withoutStops(parsed);
  };
}

/** What reading from the start would have given; undefined where it would have read on. */
function cut(parsed: ParsedPdf, { fromLine, wantedBytes }: Wanted): PdfText | undefined {
  const from = findLine(parsed.text, fromLine);
  const stop = parsed.stops.find(({ bytes }) => bytes - from > wantedBytes);
  if (stop === undefined) return parsed.isWhole ? withoutStops(parsed) : undefined;
  return {
    kind: "read",
    pages: parsed.pages,
    emptyPages: stop.emptyPages,
    text: parsed.text.subarray(0, stop.bytes),
    isWhole: false,
  };
}

function withoutStops({ stops: _, ...text }: ParsedPdf): PdfText {
  return text;
}

/** The byte at which a line begins, 1-based; behind the end where there are not as many. */
function findLine(text: Uint8Array, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf(0x0a, at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}
