/**
 * Owns the ladder: where the exact text is not there, the places that one named rule explains.
 * Leaves exact matching to find-text.ts and counting places to replace.ts.
 * Rule: all rules are tried and all places counted; two rules that explain the same place are one place.
 */
import type { Encoding } from "../encodings.ts";
import { findAcrossEndings, findText, type Occurrence } from "../find-text.ts";
import { fitterOf } from "../line-breaks.ts";
import { scannerFor } from "../newline-scanner.ts";
import { type SentLine, splitSent } from "../sent-lines.ts";
import { splitFile } from "./file-lines.ts";
import type { Place, PlaceRule } from "./place.ts";
import { findPlaces } from "./places.ts";
import { type Alignment, type Piece, rebuild } from "./rebuild.ts";
import { narrowToWord, type Stretch } from "./stretches.ts";
import { type Variant, type VariantRule, variantsOf } from "./variants.ts";

/** Lines searched around a word besides those of the old text: blank lines too many, and some to see what follows. */
const MARGIN_LINES = 8;
/** Places of a rule other than line endings: two are enough to refuse, some more to show. */
const PLACES_COUNTED = 20;
/** A file without a word to go by is searched whole up to 2 MiB, which takes some tens of milliseconds. */
const SEARCHED_WHOLE_BYTES = 2_097_152;

export type ToleranceRule = "line-endings" | PlaceRule | VariantRule;

export interface Tolerated {
  readonly rule: ToleranceRule;
  /** Byte offsets of the place, half open. */
  readonly start: number;
  readonly end: number;
  /** What to put there; undefined where the rule cannot say, or where the encoding cannot hold it. */
  write(): Buffer | undefined;
  /** The lines of the searched text that are not what was sent, 1-based. */
  lines(): readonly number[];
}

export interface Tolerance {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly oldText: string;
  readonly newText: string;
  /** Places after which the search for one rule ends. */
  readonly limit: number;
  /** The file's bytes are not valid in its encoding: its own characters cannot be written back as text. */
  readonly asciiOnly: boolean;
}

/** Every place that some rule explains, as far as the limit of each rule goes. */
export function tolerate(of: Tolerance): Tolerated[] {
  const old = splitSent(of.oldText);
  const fresh = splitSent(of.newText);
  const endings = findEndings(of);
  // `read` shows no line endings: in a file of CRLF this is the exact text, and it counts alone as that does.
  if (endings.length === 1) return endings;
  const found: Tolerated[] = [...endings, ...findVariants(of)];
  for (const stretch of stretchesFor(of, old)) {
    const file = { bytes: of.bytes, encoding: of.encoding, lines: splitFile(of, stretch) };
    for (const place of findPlaces({
      file,
      old,
      fresh,
      limit: Math.min(of.limit, PLACES_COUNTED),
      asciiOnly: of.asciiOnly,
    }))
      found.push(settle(of, place, fresh));
  }
  return withoutTwins(of, found);
}

/** Where the rules below look: around the rarest word of the old text, or everywhere in a file that is small enough. */
function stretchesFor(of: Tolerance, old: readonly SentLine[]): readonly Stretch[] {
  const narrowed = narrowToWord({ ...of, text: of.oldText, marginLines: old.length + MARGIN_LINES });
  if (narrowed !== undefined) return narrowed;
  return of.bytes.length <= SEARCHED_WHOLE_BYTES ? [{ start: 0, end: of.bytes.length, firstLine: 1 }] : [];
}

/** The text fits but for its line endings. */
function findEndings(of: Tolerance): Tolerated[] {
  if (!of.oldText.includes("\n")) return [];
  const places = findAcrossEndings(of, of.oldText, of.limit);
  return settleText(of, { rule: "line-endings", text: of.newText, places });
}

/** The restored text must fit exactly, or but for its line endings. */
function findVariants(of: Tolerance): Tolerated[] {
  return variantsOf(of.oldText, of.newText).flatMap((variant) => {
    const { rule, oldText, newText } = variant;
    if (oldText === "") return [];
    const exact = findText(of, oldText, { overlapping: true, limit: of.limit }) ?? [];
    const places =
      exact.length > 0 || !oldText.includes("\n") ? exact : findAcrossEndings(of, oldText, of.limit);
    const proven = places.filter((place) => provesNumbers(of, variant, place));
    return settleText(of, { rule, text: newText, places: proven });
  });
}

/**
 * `12:30` may be a time. Pasted numbers stand before whole lines, and a single one says something only where the
 * line has that number.
 */
function provesNumbers(of: Tolerance, { oldText, firstLine }: Variant, { start, end }: Occurrence): boolean {
  if (firstLine === undefined) return true;
  const scanner = scannerFor(of.encoding);
  const startsLine = start === 0 || scanner.previous(of.bytes, start) === start - scanner.unit;
  const newline = scanner.next(of.bytes, end);
  const lineEnd = newline === -1 ? of.bytes.length : newline - scanner.returnBefore(of.bytes, newline, end);
  if (!startsLine || !(oldText.endsWith("\n") || end === lineEnd)) return false;
  const isSeveral = oldText.trimEnd().includes("\n");
  return isSeveral || scanner.count(of.bytes.subarray(0, start)) + 1 === firstLine;
}

function settleText(
  of: Tolerance,
  found: { rule: ToleranceRule; text: string; places: readonly Occurrence[] },
): Tolerated[] {
  const fillFor = fitterOf({ ...of, text: found.text });
  return found.places.map((place) => ({
    rule: found.rule,
    ...place,
    write: () => fillFor(place),
    lines: () => linesWithin(of, place),
  }));
}

function linesWithin(of: Tolerance, span: Occurrence): number[] {
  const scanner = scannerFor(of.encoding);
  const first = scanner.count(of.bytes.subarray(0, span.start)) + 1;
  const inside = of.bytes.subarray(span.start, span.end);
  const count = scanner.count(inside) + (scanner.endsLine(inside) ? 0 : 1);
  return Array.from({ length: Math.max(count, 1) }, (_, index) => first + index);
}

function settle(of: Tolerance, place: Place, fresh: readonly SentLine[]): Tolerated {
  const [alignment] = place.alignments;
  const known = alignment?.lines.filter((line) => line !== undefined) ?? [];
  const start = known[0]?.start ?? 0;
  const end = known.at(-1)?.breakEnd ?? start;
  return {
    rule: place.rule,
    start,
    end,
    lines: () => explainedLines(alignment),
    write() {
      const read = (alignments: readonly Alignment[]) =>
        agreed(alignments.map((each) => write(of, each, { fresh, start, end })));
      return read(place.alignments) ?? read(place.likely ?? []);
    },
  };
}

/** What all ways to read a place would write; undefined where they differ, which leaves open what was meant. */
function agreed(readings: readonly (Buffer | undefined)[]): Buffer | undefined {
  const [first] = readings;
  const isOpen = readings.some(
    (reading) => reading === undefined || first === undefined || !reading.equals(first),
  );
  return isOpen ? undefined : first;
}

function write(
  of: Tolerance,
  alignment: Alignment,
  at: { fresh: readonly SentLine[]; start: number; end: number },
): Buffer | undefined {
  const pieces = rebuild(alignment, at.fresh);
  if (pieces === undefined) return undefined;
  const parts = pieces.map((piece) => bytesOfPiece(of, piece, at));
  return parts.every((part) => part !== undefined) ? Buffer.concat(parts) : undefined;
}

function bytesOfPiece(of: Tolerance, piece: Piece, at: { start: number; end: number }): Buffer | undefined {
  if ("text" in piece) return fitterOf({ ...of, text: piece.text })(at);
  return of.bytes.subarray(piece.start, piece.end);
}

/** Where the file differs from what was sent; for blank lines the lines beside them. */
function explainedLines(alignment: Alignment | undefined): number[] {
  if (alignment === undefined) return [];
  const numbers: number[] = [];
  let last = 1;
  for (const [index, sent] of alignment.old.entries()) {
    const line = alignment.lines[index];
    if (line === undefined || line.text !== sent.text) numbers.push(line?.number ?? last);
    else if (sent.hasBreak && line.breakEnd === line.end) numbers.push(line.number);
    for (const extra of alignment.extras.get(index) ?? []) numbers.push(extra.number);
    last = line?.number ?? last;
  }
  return [...new Set(numbers)];
}

/**
 * Two rules that explain the same lines, or one a part of the other's, found one place: the first of the ladder has it.
 * Places that only share some lines are two.
 */
function withoutTwins(of: Tolerance, found: readonly Tolerated[]): Tolerated[] {
  if (found.every((place) => place.rule === "line-endings")) return [...found];
  const places: Tolerated[] = [];
  for (const candidate of found) {
    const isTwin = places.some((place) =>
      place.rule === candidate.rule
        ? place.start === candidate.start && place.end === candidate.end
        : overlaps(place, candidate) && (nests(place, candidate) || haveSameLines(of, place, candidate)),
    );
    if (!isTwin) places.push(candidate);
  }
  return places;
}

function overlaps(a: Tolerated, b: Tolerated): boolean {
  return a.start < b.end && b.start < a.end;
}

function nests(a: Tolerated, b: Tolerated): boolean {
  return (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
}

/** Whether no line break lies between their starts, and none between their ends. */
function haveSameLines(of: Tolerance, a: Tolerated, b: Tolerated): boolean {
  const scanner = scannerFor(of.encoding);
  const isOneLine = (from: number, to: number) =>
    scanner.count(of.bytes.subarray(Math.min(from, to), Math.max(from, to))) === 0;
  return isOneLine(a.start, b.start) && isOneLine(a.end, b.end);
}
