/**
 * Owns reading a document page by page with the optional package, as far as its text is wanted.
 * Leaves laying out a page to text/pdf/, threads and bounds to read-pdf.ts. Rule: a page that cannot be read is named and
 * passed over; no page is passed over silently.
 */
import { PDF_AHEAD_SHARE, PDF_COUNTED_PAGES, PDF_MAX_MS, PDF_TEXT_MAX_BYTES } from "../contract/limits.ts";
import type { PdfNotRead } from "../contract/pdf.ts";
import { linesOfPage } from "../text/pdf/page-lines.ts";
import { type PageItem, placeItems } from "../text/pdf/place-items.ts";
import type { ParsedPdf, PdfParsing, PdfStop } from "./keep-pdf-texts.ts";

type Reader = Awaited<ReturnType<typeof import("unpdf").getResolvedPDFJS>>;
type Opened = Awaited<ReturnType<Reader["getDocument"]>["promise"]>;

/** As many unreadable pages in a row mean that what follows is no better: a document may claim to have billions. */
const MOST_UNREADABLE = 200;

export async function readDocument({
  bytes,
  ...wanted
}: Omit<PdfParsing, "signal">): Promise<ParsedPdf | PdfNotRead> {
  const reader = await loadReader();
  if (reader === undefined)
    return { kind: "not-read", why: "reader-missing", reason: "the package unpdf is not installed" };
  let opened: Opened;
  try {
    opened = await reader.getDocument({
      data: bytes,
      // Nothing of a document is run, fetched or drawn.
      isEvalSupported: false,
      enableXfa: false,
      disableFontFace: true,
      useSystemFonts: true,
      useWorkerFetch: false,
      useWasm: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      verbosity: 0,
    }).promise;
  } catch (error) {
    return describeFault(error);
  }
  return opened.numPages > 0 ? readPages(opened, wanted) : damaged("it has no pages");
}

async function loadReader(): Promise<Reader | undefined> {
  try {
    return await (await import("unpdf")).getResolvedPDFJS();
  } catch {
    return undefined;
  }
}

function describeFault(error: unknown): PdfNotRead {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name === "PasswordException" || /encrypt/i.test(message))
    return { kind: "not-read", why: "encrypted", reason: "it opens with a password alone" };
  return damaged(`its structure cannot be read (${message.toWellFormed().replace(/\s*\.?\s*$/, "")})`);
}

function damaged(reason: string): PdfNotRead {
  return { kind: "not-read", why: "damaged", reason };
}

interface Told {
  readonly lines: string[];
  /** Of all lines, and of those from the wanted one on. */
  bytes: number;
  bytesWanted: number;
  empty: number;
  unreadable: number;
}

type Wanted = Omit<PdfParsing, "bytes" | "signal">;

async function readPages(opened: Opened, wanted: Wanted): Promise<ParsedPdf | PdfNotRead> {
  const stops: PdfStop[] = [];
  const until = performance.now() + PDF_MAX_MS * PDF_AHEAD_SHARE;
  const pages = opened.numPages;
  const told: Told = { lines: [], bytes: 0, bytesWanted: 0, empty: 0, unreadable: 0 };
  const tell = (lines: readonly string[]) => {
    for (const line of lines) {
      told.lines.push(line);
      const bytes = Buffer.byteLength(line) + 1;
      told.bytes += bytes;
      if (told.lines.length >= wanted.fromLine) told.bytesWanted += bytes;
    }
  };
  let page = 1;
  let unreadableSince: number | undefined;
  const tellUnreadable = (last: number) => {
    if (unreadableSince === undefined) return;
    told.unreadable += last - unreadableSince + 1;
    tell(withGap(told, [`[${describeRange(unreadableSince, last)} of ${pages} cannot be read]`]));
    unreadableSince = undefined;
  };
  for (; page <= pages; page++) {
    // Only where no page waits to be told of, so that what is read is the same wherever it ends.
    if (page > PDF_COUNTED_PAGES && unreadableSince === undefined) {
      stops.push({ bytes: told.bytes, emptyPages: told.empty });
      const ahead = performance.now() < until ? wanted.aheadBytes : 0;
      if (told.bytesWanted > wanted.wantedBytes + ahead) break;
    }
    if (told.bytes > PDF_TEXT_MAX_BYTES) break;
    const lines = await readPage(opened, page);
    if (lines === undefined) {
      unreadableSince ??= page;
      if (page - unreadableSince < MOST_UNREADABLE) continue;
      page = pages + 1;
      break;
    }
    tellUnreadable(page - 1);
    if (lines.length === 0) told.empty++;
    const shown = lines.length === 0 ? [`[page ${page} has no text (an image?)]`] : lines;
    tell(withGap(told, [`[page ${page} of ${pages}]`, ...shown]));
  }
  tellUnreadable(page - 1);
  if (told.unreadable === pages) return damaged("none of its pages can be read");
  const isCut = page <= pages && told.bytes > PDF_TEXT_MAX_BYTES;
  if (isCut) tell(withGap(told, [`[${describeRange(page, pages)} of ${pages} not shown: too much text]`]));
  return {
    kind: "read",
    pages,
    emptyPages: told.empty,
    text: new Uint8Array(Buffer.from(`${told.lines.join("\n")}\n`)),
    isWhole: isCut || page > pages,
    stops,
  };
}

function withGap({ lines: before }: Told, lines: readonly string[]): readonly string[] {
  return before.length === 0 ? lines : ["", ...lines];
}

function describeRange(first: number, last: number): string {
  return first === last ? `page ${first}` : `pages ${first}–${last}`;
}

/** Undefined where it cannot be read. */
async function readPage(opened: Opened, number: number): Promise<string[] | undefined> {
  try {
    const page = await opened.getPage(number);
    const { items, styles } = await page.getTextContent();
    const view = page.getViewport({ scale: 1 }).transform as number[];
    const texts = (items as (PageItem | { readonly type: string })[]).filter((item) => "str" in item);
    const lines = linesOfPage(placeItems({ items: texts, styles, view }));
    page.cleanup();
    return lines;
  } catch {
    return undefined;
  }
}
