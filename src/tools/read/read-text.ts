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
import { seeRange } from "../../text/seen.ts";
import type { ByteSource } from "./byte-source.ts";
import { type Page, type PageLine, readPage } from "./page.ts";

/** Characters of a result kept free for its header and its last line, beside the path that both name. */
const RESERVED_CHARACTERS = 600;

export interface TextRange {
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
}

export interface TextDetails {
  readonly kind: "text" | "notebook";
  readonly path: string;
  /** Size of the file, in bytes. */
  readonly size: number;
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
  /** What stands before the lines of a rendering: `notebook, 3 cells`. Absent for plain text. */
  readonly rendering?: string;
}

export async function readText(text: TextToRead, context: ToolContext): Promise<Done<TextDetails> | Refusal> {
  const { source, form, place, range } = text;
  const isRanged = range.offset !== undefined || range.limit !== undefined || range.column !== undefined;
  const { readMax, unrangedMax, resultMax } = context.limits;
  const page = await readPage(
    { source, form, signal: context.signal },
    {
      ...range,
      offset: Math.max(range.offset ?? 1, 1),
      maxBytes: isRanged ? readMax : Math.min(unrangedMax, readMax),
      maxCharacters: Math.max(resultMax - RESERVED_CHARACTERS - 3 * place.shown.length, 1),
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
  if (scannerFor(text.form.encoding).unit === 2) return undefined;
  const at = page.bytes.indexOf(0);
  if (at === -1) return undefined;
  const before = scannerFor(text.form.encoding).count(page.bytes.subarray(0, at));
  const textLines = (text.range.offset ?? 1) === 1 && before > 0 ? { textLines: before } : {};
  return refuse("file-binary", {
    path: text.place.shown,
    kind: "binary",
    bytes: text.source.size,
    ...textLines,
  });
}

function showPage(page: Page, text: TextToRead, context: ToolContext): Done<TextDetails> {
  const { place, source, form } = text;
  const isWide = scannerFor(form.encoding).unit === 2;
  const bad = isWide ? -1 : firstInvalidUtf8(page.bytes);
  const details: TextDetails = {
    kind: text.rendering === undefined ? "text" : "notebook",
    path: place.shown,
    size: source.size,
    ...(page.totalLines !== undefined && { totalLines: page.totalLines }),
    ...shownOf(page.lines),
    bytes: [page.start, page.end],
    encoding: form.encoding,
    ...endingOf(page.lines),
    ...(page.end >= source.size && { finalNewline: page.lines.at(-1)?.ending !== "" }),
    ...(bad !== -1 && { firstBadOffset: page.end - page.bytes.length + bad }),
    ...(page.next && { next: nextRange(page.next, text.range) }),
  };
  const lines = page.lines.map(({ line, text: shown }) => `${line}\t${shown}`);
  const header = `${place.shown}: ${describe(page, details, text)}`;
  const content = [header, ...lines, ...goOn(page, details, context)].join("\n");
  if (text.rendering !== undefined) return { content, details };
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

function describe(page: Page, details: TextDetails, text: TextToRead): string {
  if (details.size === 0) return "empty (0 bytes)";
  const facts = [...(text.rendering === undefined ? [] : [text.rendering]), ...lengthOf(page, details)];
  const { shown } = details;
  const isWhole = page.next === undefined && page.start === 0;
  if (shown === undefined) facts.push("no text behind the byte order mark");
  else if (page.column !== undefined) facts.push(describePart(page, shown.start));
  else if (!isWhole)
    facts.push(shown.start === shown.end ? `showing ${shown.start}` : `showing ${shown.start}–${shown.end}`);
  if (details.ending === "CRLF") facts.push("CRLF");
  if (details.ending === "mixed") facts.push("LF and CRLF mixed");
  if (details.finalNewline === false) facts.push("no final newline");
  if (details.encoding !== "utf-8") facts.push(details.encoding.toUpperCase());
  if (details.firstBadOffset !== undefined) facts.push(describeBad(details));
  return facts.join(", ");
}

function lengthOf(page: Page, { totalLines, size }: TextDetails): string[] {
  if (totalLines !== undefined) return [`${totalLines} ${totalLines === 1 ? "line" : "lines"}`];
  return [`more than ${page.countedLines} lines`, `${size} bytes`];
}

function describePart(page: Page, line: number): string {
  const column = page.column ?? 1;
  const characters = [...(page.lines[0]?.text ?? "")].length;
  const end = page.next?.column === undefined ? ", to its end" : "";
  return `showing line ${line} from column ${column} to ${column + characters - 1}${end}`;
}

function describeBad({ encoding, firstBadOffset }: TextDetails): string {
  const as = encoding === "utf-8" ? "such bytes shown as Windows-1252" : `shown as ${encoding}`;
  return `not valid UTF-8 (first bad byte at offset ${firstBadOffset}; ${as})`;
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

function nextRange(next: { offset: number; column?: number }, asked: TextRange): TextRange {
  // The limit counts lines: while one line is still being shown it would say nothing.
  const limit = next.column === undefined && asked.limit !== undefined ? { limit: asked.limit } : {};
  return { ...next, ...limit };
}

function goOn(page: Page, details: TextDetails, context: ToolContext): string[] {
  if (page.next === undefined || details.next === undefined) return [];
  const rest =
    page.next.column === undefined
      ? `lines ${page.next.offset}–${page.totalLines ?? "…"} follow`
      : `line ${page.next.offset} goes on`;
  const call = context.names.suggest("read", { path: details.path, ...details.next });
  return [call === undefined ? `[${rest}]` : `[${rest}; next: ${call}]`];
}
