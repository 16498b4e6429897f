/**
 * Owns one page of text: which whole lines fit, or which part of a line that does not fit, and what comes next.
 * Leaves wording to read-text.ts. Rule: the pages that follow each other's `next` cover the file byte for byte.
 */
import { characterBytes, decode } from "../../text/encodings.ts";
import { scannerFor } from "../../text/newline-scanner.ts";
import { countNewlinesTo, seekColumn, seekLine, type TextSource } from "./seek.ts";

/** Lines are counted this far into a file, which takes a few milliseconds; beyond it a read would cost more than its answer. */
const COUNT_BUDGET_BYTES = 8_388_608;
/** Bytes of the longest line ending: `\r\n` in UTF-16. */
const LONGEST_ENDING_BYTES = 4;

export interface PageRequest {
  readonly offset: number;
  readonly limit?: number;
  readonly column?: number;
  /** Bytes of the file. */
  readonly maxBytes: number;
  /** Characters of the page as it is shown. */
  readonly maxCharacters: number;
}

export interface PageLine {
  readonly line: number;
  readonly text: string;
  readonly ending: "" | "\n" | "\r\n";
}

export interface Page {
  readonly lines: readonly PageLine[];
  /** The bytes of the file that this page stands for, half open; the BOM belongs to the first line. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  /** Lines of the file, or undefined where they were not counted to the end. */
  readonly totalLines: number | undefined;
  /** Lines that the file is known to have at least. */
  readonly countedLines: number;
  /** Whether the last line shown goes on behind this page. */
  readonly next: { readonly offset: number; readonly column?: number } | undefined;
  /** Column of the first character shown, where it is not 1 or where the line goes on. */
  readonly column: number | undefined;
}

export type PageResult =
  | Page
  | { readonly outside: "line"; readonly lines: number }
  | { readonly outside: "column"; readonly lines: number; readonly characters: number };

export async function readPage(text: TextSource, request: PageRequest): Promise<PageResult> {
  const sought = await seekLine(text, request.offset);
  if ("lines" in sought) return { outside: "line", lines: sought.lines };
  const { position } = sought;
  if (request.column !== undefined && request.column > 1) return readFromColumn(text, request, position);
  const slice = await text.source.read(position, request.maxBytes + LONGEST_ENDING_BYTES);
  const taken = takeLines(text, request, { slice, position });
  if (taken.lines.length === 0 && slice.length > 0) return readPart(text, request, { position, column: 1 });
  return finishPage(text, { ...taken, position, slice, column: undefined, request });
}

async function readFromColumn(
  text: TextSource,
  request: PageRequest,
  lineStart: number,
): Promise<PageResult> {
  const column = request.column ?? 1;
  const sought = await seekColumn(text, lineStart, column);
  if ("position" in sought) return readPart(text, request, { position: sought.position, column });
  const total = await countFrom(text, { end: lineStart, line: request.offset, isMidLine: true });
  return { outside: "column", lines: total.totalLines ?? total.countedLines, characters: sought.characters };
}

interface Taken {
  readonly lines: readonly PageLine[];
  /** Bytes of the slice that the lines take. */
  readonly length: number;
}

/** As many whole lines as the limits allow, from the start of a line. */
function takeLines(text: TextSource, request: PageRequest, at: { slice: Buffer; position: number }): Taken {
  const { slice, position } = at;
  const scanner = scannerFor(text.form.encoding);
  const lines: PageLine[] = [];
  let length = 0;
  let characters = 0;
  while (length < slice.length && lines.length < (request.limit ?? Number.POSITIVE_INFINITY)) {
    const newline = scanner.next(slice, length);
    if (newline === -1 && position + slice.length < text.source.size) break;
    const ending = newline === -1 ? "" : scanner.returnBefore(slice, newline, length) > 0 ? "\r\n" : "\n";
    const contentEnd = newline === -1 ? slice.length : newline - (ending === "\r\n" ? scanner.unit : 0);
    const line = request.offset + lines.length;
    const shown = decode(slice.subarray(length, contentEnd), text.form.encoding);
    characters += String(line).length + 2 + shown.length;
    if (contentEnd > request.maxBytes || characters > request.maxCharacters) break;
    lines.push({ line, text: shown, ending });
    length = newline === -1 ? slice.length : newline + scanner.unit;
  }
  return { lines, length };
}

/** The part of one line that fits, from a column on. */
async function readPart(
  text: TextSource,
  request: PageRequest,
  at: { position: number; column: number },
): Promise<Page> {
  const scanner = scannerFor(text.form.encoding);
  const room = Math.max(
    Math.min(request.maxBytes, request.maxCharacters - String(request.offset).length - 2),
    4,
  );
  const slice = await text.source.read(at.position, room + LONGEST_ENDING_BYTES);
  const newline = scanner.next(slice, 0);
  const isRest = newline !== -1 || at.position + slice.length >= text.source.size;
  const ending = newline === -1 ? "" : scanner.returnBefore(slice, newline, 0) > 0 ? "\r\n" : "\n";
  const contentEnd = newline === -1 ? slice.length : newline - (ending === "\r\n" ? scanner.unit : 0);
  if (isRest && contentEnd <= room) {
    const line = {
      line: request.offset,
      text: decode(slice.subarray(0, contentEnd), text.form.encoding),
      ending,
    } as const;
    const length = newline === -1 ? slice.length : newline + scanner.unit;
    return finishPage(text, { lines: [line], length, ...at, slice, request });
  }
  const { length, characters } = cutCharacters(slice, room, text);
  const line = {
    line: request.offset,
    text: decode(slice.subarray(0, length), text.form.encoding),
    ending: "",
  } as const;
  const goesOnAt = at.column + characters;
  return finishPage(text, { lines: [line], length, ...at, slice, request, goesOnAt });
}

/** How many bytes, of whole characters, fit into `room`; never none. */
function cutCharacters(
  slice: Buffer,
  room: number,
  text: TextSource,
): { length: number; characters: number } {
  let length = 0;
  let characters = 0;
  while (length < slice.length) {
    const step = characterBytes(slice, length, text.form.encoding);
    if (length + step > room && characters > 0) break;
    length += step;
    characters++;
  }
  return { length, characters };
}

async function finishPage(
  text: TextSource,
  of: Taken & {
    position: number;
    slice: Buffer;
    column: number | undefined;
    request: PageRequest;
    goesOnAt?: number;
  },
): Promise<Page> {
  const { lines, position, request, goesOnAt } = of;
  const isFirst = position === text.form.bomBytes && request.offset === 1;
  const end = position + of.length;
  const lastLine = lines.at(-1)?.line ?? 0;
  const counted = await countFrom(text, { end, line: lastLine, isMidLine: goesOnAt !== undefined });
  const next =
    goesOnAt !== undefined
      ? { offset: lastLine, column: goesOnAt }
      : end < text.source.size
        ? { offset: lastLine + 1 }
        : undefined;
  const isPart = goesOnAt !== undefined || (of.column ?? 1) > 1;
  return {
    lines,
    start: isFirst ? 0 : position,
    end,
    bytes: of.slice.subarray(0, of.length),
    ...counted,
    next,
    column: isPart ? of.column : undefined,
  };
}

/** Counts the lines of the file from the end of the page on, as far as the budget goes. */
async function countFrom(text: TextSource, at: { end: number; line: number; isMidLine: boolean }) {
  const { size } = text.source;
  if (at.end >= size) return { totalLines: at.line, countedLines: at.line };
  const stop = Math.min(size, Math.max(at.end, COUNT_BUDGET_BYTES));
  const { newlines, endsLine } = await countNewlinesTo(text, { start: at.end, end: stop });
  const lines = at.line - (at.isMidLine ? 1 : 0) + newlines;
  if (stop < size) return { totalLines: undefined, countedLines: Math.max(at.line, lines) };
  const total = lines + (endsLine ? 0 : 1);
  return { totalLines: total, countedLines: total };
}
