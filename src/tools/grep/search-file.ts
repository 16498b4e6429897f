/**
 * Owns searching one file: reading it in pieces, telling text from binary, and collecting what is shown of it.
 * Leaves matching to text/ and walking to builtin-engine.ts. Rule: a file with a NUL is binary and counts for nothing,
 * wherever the NUL is; memory is bounded by the longest line, not by the file.
 */
import type { FilePlace, FolderOpener } from "../../root/folder-opener.ts";
import { decode } from "../../text/encodings.ts";
import type { LineFinder, LineHit } from "../../text/line-finder.ts";
import { makeRowCollector, type Row, type RowCollector, stepLinesBack } from "../../text/match-rows.ts";
import type { Span, SpanFinder } from "../../text/span-finder.ts";
import {
  countLinesBefore,
  fill,
  grow,
  type Hold,
  READ_BYTES,
  type Reader,
  readPiece,
  startHold,
} from "./held-file.ts";

export interface FileSearch extends Reader {
  readonly opener: FolderOpener;
  readonly lines: LineFinder;
  /** Present where matches may cross lines. */
  readonly spans: SpanFinder | undefined;
  readonly context: number;
  readonly lineWindow: number;
  readonly mostRows: number;
  /** Matches whose rows are collected; the others are counted. */
  rowsFor: number;
  /** Stops counting at the first match. */
  readonly firstOnly: boolean;
  /** Where a file turns out to be longer than this, it is left to another thread, unsearched. */
  leaveAt?: number | undefined;
}

export type FileOutcome =
  | {
      readonly kind: "searched";
      readonly matches: number;
      readonly rows: readonly Row[];
      readonly bytes: number;
      readonly sample: Buffer | undefined;
    }
  | { readonly kind: "binary" | "too-large" | "gone" | "left" }
  | { readonly kind: "unreadable"; readonly error: string };

/** What encodings are told by. */
const SAMPLE_BYTES = 65_536;
/** What opening or reading says of a file that was taken away, or exchanged for a link, a folder or a FIFO. */
const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE", "moved", "EISDIR", "ESPIPE"]);

/** A file that is open, and of which the beginning is read. */
export interface BegunFile {
  readonly fd: number;
  readonly hold: Hold;
}

/** Searches a file. Yields undefined for a pause. */
export function* searchFile(search: FileSearch, file: FilePlace): Generator<undefined, FileOutcome> {
  const begun = beginFile(search, file);
  return "kind" in begun ? begun : yield* finishFile(search, begun);
}

/**
 * What can be told of a file at once: of nearly every one, that it holds no text without which nothing matches.
 * Any other must be given to `finishFile` before the next file is begun.
 */
export function beginFile(search: FileSearch, file: FilePlace): FileOutcome | BegunFile {
  const opened = search.opener.open(file);
  if ("error" in opened) return failed(opened.error);
  const { fd } = opened;
  const hold = startHold();
  readPiece(search, fd, hold);
  if (hold.length < READ_BYTES && !hold.ended && hold.error === undefined) readPiece(search, fd, hold);
  const matches = hold.ended ? countAtOnce(search, hold) : undefined;
  if (matches === undefined) return { fd, hold };
  search.disk.close(fd);
  return { kind: "searched", matches, rows: [], bytes: hold.position, sample: undefined };
}

/** The rest of a search that was begun; closes the file. Yields undefined for a pause. */
export function* finishFile(search: FileSearch, { fd, hold }: BegunFile): Generator<undefined, FileOutcome> {
  try {
    return yield* searchOpen(search, fd, hold);
  } finally {
    search.disk.close(fd);
  }
}

/** The matches of a short file that is held whole, where that takes no automaton and nothing of it is shown. */
function countAtOnce(search: FileSearch, { length }: Hold): number | undefined {
  const { lines } = search;
  if (length === 0 || length > READ_BYTES || search.spans !== undefined || !lines.isGuided) return undefined;
  const text = search.memory.bytes.subarray(0, length);
  if (findUtf16(text, length) !== undefined || text.includes(0)) return undefined;
  if (!lines.mayMatch(text, 0, length)) return 0;
  if (search.rowsFor > 0) return undefined;
  return lines.countLines(text, measureMark(text), search.firstOnly ? 1 : Number.POSITIVE_INFINITY);
}

/** The length of a byte order mark. */
function measureMark(bytes: Buffer): number {
  return bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function failed(error: string): FileOutcome {
  return GONE.has(error) ? { kind: "gone" } : { kind: "unreadable", error };
}

function* searchOpen(search: FileSearch, fd: number, hold: Hold): Generator<undefined, FileOutcome> {
  if (!hold.ended && hold.error === undefined) yield* fill(search, fd, hold);
  const { bytes } = search.memory;
  // A device may stand where a file was; it answers with nothing, or with NULs.
  if (hold.length === 0 && hold.ended && !search.disk.isRegular(fd)) return { kind: "gone" };
  const utf16 = findUtf16(bytes, hold.length);
  if (utf16 === undefined && bytes.subarray(0, hold.length).includes(0)) {
    return { kind: search.disk.isRegular(fd) ? "binary" : "gone" };
  }
  const bom = measureMark(bytes.subarray(0, hold.length));
  if (utf16 === undefined && search.spans === undefined)
    return yield* searchPieces(search, fd, { hold, bom });
  while (!hold.ended && hold.error === undefined) {
    if (isLeft(search, hold)) return { kind: "left" };
    if (hold.length === search.memory.bytes.length && !grow(search, hold)) return { kind: "too-large" };
    const from = hold.length;
    yield* fill(search, fd, hold);
    if (utf16 === undefined && search.memory.bytes.subarray(from, hold.length).includes(0))
      return { kind: "binary" };
  }
  if (hold.error !== undefined) return failed(hold.error);
  const held = search.memory.bytes.subarray(utf16 === undefined ? bom : 2, hold.length);
  const text = utf16 === undefined ? held : Buffer.from(decode(held, utf16));
  return yield* searchWhole(search, text, hold.position);
}

function isLeft({ leaveAt }: FileSearch, { position }: Hold): boolean {
  return leaveAt !== undefined && position > leaveAt;
}

function findUtf16(bytes: Buffer, length: number): "utf-16le" | "utf-16be" | undefined {
  if (length < 2) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function* searchWhole(search: FileSearch, text: Buffer, bytes: number): Generator<undefined, FileOutcome> {
  const collector = makeRowCollector(search);
  const held = { bytes: text, end: text.length };
  let matches = 0;
  let covered = -1;
  const found: Generator<LineHit | Span | undefined, void> =
    search.spans === undefined ? search.lines.find(text, 0, text.length) : search.spans.find(text);
  for (const hit of found) {
    if (hit === undefined) {
      yield undefined;
      continue;
    }
    const line = isLineHit(hit) ? { ...hit, matchStart: findStart(search, text, hit) } : linesOf(text, hit);
    // Matches that begin on a line that is already shown as matching are that line.
    if (line.start <= covered) continue;
    covered = line.start;
    matches++;
    if (matches <= search.rowsFor) collector.add(held, line);
    if (search.firstOnly) break;
  }
  collector.settle(held);
  return { kind: "searched", matches, rows: collector.rows, bytes, sample: sampleOf(text, collector) };
}

function isLineHit(hit: LineHit | Span): hit is LineHit {
  return "matchEnd" in hit;
}

function linesOf(text: Buffer, span: { start: number; end: number }) {
  const start = span.start === 0 ? 0 : text.lastIndexOf(10, span.start - 1) + 1;
  const inside = span.end > span.start && text[span.end - 1] === 10 ? span.end - 1 : span.end;
  const newline = text.indexOf(10, inside);
  return { start, end: newline < 0 ? text.length : newline, matchStart: span.start };
}

function findStart(
  search: FileSearch,
  bytes: Buffer,
  hit: { start: number; end: number; matchEnd: number },
): number {
  // Only a window needs to know; it costs a pass over the line.
  if (hit.end - hit.start <= search.lineWindow) return hit.start;
  return search.lines.findMatchStart(bytes, hit.matchEnd, hit.start);
}

function sampleOf(bytes: Buffer, { rows }: RowCollector): Buffer | undefined {
  return rows.some(({ raw }) => raw !== undefined) ? Buffer.from(bytes.subarray(0, SAMPLE_BYTES)) : undefined;
}

function* searchPieces(
  search: FileSearch,
  fd: number,
  { hold, bom }: { hold: Hold; bom: number },
): Generator<undefined, FileOutcome> {
  const collector = makeRowCollector(search);
  let matches = 0;
  let sample: Buffer | undefined;
  let from = bom;
  /** Whether the lines before what is held are counted: most files show none. */
  let isCounted = true;
  collector.skip(bom);
  for (let done = false; ; ) {
    const { bytes } = search.memory;
    const end = hold.ended ? hold.length : bytes.lastIndexOf(10, hold.length - 1) + 1;
    if (end > from) {
      const held = { bytes: bytes.subarray(0, end), end };
      if (!done) {
        for (const hit of search.lines.find(bytes, from, end)) {
          if (hit === undefined) {
            yield undefined;
            continue;
          }
          matches++;
          if (matches <= search.rowsFor) {
            if (!isCounted) collector.startAt(1 + (yield* countLinesBefore(search, fd, hold)));
            isCounted = true;
            collector.add(held, { ...hit, matchStart: findStart(search, bytes, hit) });
          }
          done = search.firstOnly;
          if (done) break;
        }
      }
      collector.settle(held);
      sample ??= sampleOf(bytes, collector);
      from = end;
    }
    if (hold.error !== undefined) return failed(hold.error);
    if (hold.ended) return { kind: "searched", matches, rows: collector.rows, bytes: hold.position, sample };
    const keep = stepLinesBack(bytes, { from, floor: 0, count: search.context });
    isCounted = isCounted && collector.rows.length > 0;
    if (isCounted) collector.drop(bytes, keep);
    else collector.dropUncounted(keep);
    bytes.copyWithin(0, keep, hold.length);
    hold.length -= keep;
    from -= keep;
    if (isLeft(search, hold)) return { kind: "left" };
    if (hold.length === bytes.length && !grow(search, hold)) return { kind: "too-large" };
    const filled = hold.length;
    yield* fill(search, fd, hold);
    if (search.memory.bytes.subarray(filled, hold.length).includes(0)) return { kind: "binary" };
  }
}
