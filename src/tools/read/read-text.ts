/**
 * Owns showing a page of a text file: its header, the numbered lines, and the call that goes on.
 * Leaves finding the page to page.ts. Rule: what was cut is said in the first line and again at the cut.
 */
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done } from "../../contract/output.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { firstInvalidUtf8, type TextForm } from "../../text/encodings.ts";
import { scannerFor } from "../../text/newline-scanner.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { seeRange } from "../../text/seen.ts";
import type { ByteSource } from "./byte-source.ts";
import { describeNext, linesBeforeNul, planNext } from "./continue-page.ts";
import { describePage } from "./describe-page.ts";
import { type Page, type PageLine, readPage } from "./page.ts";

/** Characters of a result kept free for its header and its last line, beside the path that both name; never more than half of it. */
const RESERVED_CHARACTERS = 600;

export interface TextRange {
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
}

export interface TextDetails {
  readonly kind: "text" | Rendering["kind"];
  readonly path: string;
  /** Size of the file, in bytes. */
  readonly size: number;
  /** Of a PDF document. */
  readonly pages?: number;
  /** Lines of the file; absent where it is too large to count them. */
  readonly totalLines?: number;
  /** The lines shown, 1-based and inclusive; absent where there is none. */
  readonly shown?: { readonly start: number; readonly end: number };
  /** The bytes of the file that this result stands for, half open. Those of following pages are contiguous. */
  readonly bytes: readonly [number, number];
  readonly encoding: string;
  /** `mixed`: the lines shown have both. Absent where no ending is shown. */
  readonly ending?: "LF" | "CRLF" | "mixed";
  /** Whether the last line of the file ends; known where the page reaches the end. */
  readonly finalNewline?: boolean;
  /** Offset in the file of the first byte shown that is not valid UTF-8. */
  readonly firstBadOffset?: number;
  /** The arguments that continue this read. */
  readonly next?: TextRange;
}

export interface TextToRead {
  readonly source: ByteSource;
  readonly form: TextForm;
  readonly place: Place;
  readonly range: TextRange;
  /** Absent for plain text. */
  readonly rendering?: Rendering;
}

/** What a file is of which this is the text. */
export interface Rendering {
  readonly kind: "notebook" | "pdf";
  /** `notebook as text`. */
  readonly words: string;
  readonly pages?: number;
  /** More text follows, which was not made: how many lines there are is not known. */
  readonly isPart: boolean;
}

export async function readText(text: TextToRead, context: ToolContext): Promise<Done<TextDetails> | Refusal> {
  const { source, form, place, range } = text;
  const isRanged = range.offset !== undefined || range.limit !== undefined || range.column !== undefined;
  const { readMax, unrangedMax, resultMax } = context.limits;
  const reserved = Math.min(RESERVED_CHARACTERS, resultMax >> 1);
  const page = await readPage(
    { source, form, signal: context.signal },
    {
      ...range,
      offset: Math.max(range.offset ?? 1, 1),
      maxBytes: isRanged ? readMax : Math.min(unrangedMax, readMax),
      maxCharacters: Math.max(resultMax - reserved - 3 * place.shown.length, 1),
    },
  );
  const offset = range.offset ?? 1;
  if ("outside" in page) {
    const column =
      page.outside === "column" ? { asked: range.column ?? 1, characters: page.characters } : undefined;
    return refuse("range-outside", {
      path: place.shown,
      offset,
      lines: page.lines,
      ...(column && { column }),
    });
  }
  if (offset < 1) return refuse("range-outside", { path: place.shown, offset, lines: page.countedLines });
  const binary = refuseNul(page, text);
  return binary ?? showPage(page, text, context);
}

/** NULs make the lines binary in which they stand, not the file: a sparse log is text up to its hole. */
function refuseNul(page: Page, text: TextToRead): Refusal | undefined {
  const before = linesBeforeNul(page.bytes, text.form);
  if (before === undefined) return undefined;
  const textLines = (text.range.offset ?? 1) === 1 && before > 0 ? { textLines: before } : {};
  const facts = { path: text.place.shown, kind: "binary", bytes: text.source.size };
  return refuse("file-binary", { ...facts, ...textLines });
}

async function showPage(found: Page, text: TextToRead, context: ToolContext): Promise<Done<TextDetails>> {
  const { place, source, form, rendering } = text;
  const page = rendering?.isPart === true ? { ...found, totalLines: undefined } : found;
  const next = await planNext(page, text, context);
  const isWide = scannerFor(form.encoding).unit === 2;
  const bad = isWide ? -1 : firstInvalidUtf8(page.bytes);
  const details: TextDetails = {
    kind: rendering?.kind ?? "text",
    path: place.shown,
    size: source.size,
    ...(rendering?.pages !== undefined && { pages: rendering.pages }),
    ...(page.totalLines !== undefined && { totalLines: page.totalLines }),
    ...shownOf(page.lines),
    bytes: [page.start, page.end],
    encoding: form.encoding,
    ...endingOf(page.lines),
    ...(page.end >= source.size && { finalNewline: page.lines.at(-1)?.ending !== "" }),
    ...(bad !== -1 && { firstBadOffset: page.end - page.bytes.length + bad }),
    ...(next !== undefined && next !== "binary" && { next }),
  };
  const lines = page.lines.map(({ line, text: shown }) => `${line}\t${shown}`);
  const header = `${keepOnOneLine(place.shown)}: ${describePage(page, details, rendering?.words)}`;
  const ending =
    page.next === undefined ? [] : [describeNext(page, next, { path: place.shown, names: context.names })];
  const content = [header, ...lines, ...ending].join("\n");
  if (rendering !== undefined) return { content, details };
  const seen = seeRange(bytesSeen(page, form), { start: page.start, endsFile: page.end >= source.size });
  return { content, details, sights: [{ file: place.real, ranges: [seen], replace: false }] };
}

const BOMS: Readonly<Record<string, readonly number[]>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
};

/** The bytes that the page stands for: those of the lines, and the BOM before the first. */
function bytesSeen(page: Page, form: TextForm): Buffer {
  const lead = page.end - page.bytes.length - page.start;
  return lead === 0 ? page.bytes : Buffer.concat([Buffer.from(BOMS[form.encoding] ?? []), page.bytes]);
}

function shownOf(lines: readonly PageLine[]): Pick<TextDetails, "shown"> {
  const [first, last] = [lines[0], lines.at(-1)];
  return first && last ? { shown: { start: first.line, end: last.line } } : {};
}

function endingOf(lines: readonly PageLine[]): Pick<TextDetails, "ending"> {
  const endings = new Set(lines.map((line) => line.ending).filter((ending) => ending !== ""));
  if (endings.size === 0) return {};
  if (endings.size === 2) return { ending: "mixed" };
  return { ending: endings.has("\n") ? "LF" : "CRLF" };
}
