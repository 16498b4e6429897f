/**
 * Owns applying a list of edits to the bytes of a file: in order, all or nothing, splicing bytes.
 * Leaves finding to find-text.ts and wording to the toolset. Rule: bytes outside the replaced ranges are never
 * decoded and written back, so any encoding, mixed line endings and a BOM survive.
 */
import type { Encoding } from "./encodings.ts";
import { findAcrossEndings, findText, type Occurrence, type Reach } from "./find-text.ts";
import { fitterOf, type LineBreak } from "./line-breaks.ts";
import { scannerFor } from "./newline-scanner.ts";
import { lineCounter, linesOf } from "./offset-lines.ts";
import { makePast, type Past } from "./past-edits.ts";
import { spliceIn } from "./splice-in.ts";
import { offsetBefore, type Splice } from "./splices.ts";
import { type ToleranceRule, tolerate } from "./tolerance/tolerate.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
  /** With `replaceAll`: how many places there must be. */
  readonly expectedCount?: number;
}

export interface EditedText {
  readonly after: Buffer;
  /** From the text before to the text after. */
  readonly splices: readonly Splice[];
  readonly landed: readonly LandedEdit[];
  /** The line break that stayed as the file has it, by the index of an edit that asked for the other one. */
  readonly keptBreaks: ReadonlyMap<number, LineBreak>;
}

/** How one edit landed. */
export interface LandedEdit {
  readonly rule: "exact" | ToleranceRule;
  /** Where the change stands in the text after, 1-based; of thousands of places close together the first. */
  readonly lines: readonly number[];
  /** The lines on disk that were not what was sent; empty where the text was exact. */
  readonly tolerated: readonly number[];
}

export type EditFailure =
  | { readonly kind: "no-match"; readonly index: number; readonly bytes: Buffer; readonly onDisk: LineOnDisk }
  | {
      /** Several places, or another number of them than expected. */
      readonly kind: "ambiguous" | "count";
      readonly index: number;
      /** The first of them. */
      readonly places: readonly Place[];
      readonly total: number;
      /** Whether the counting stopped there. */
      readonly isAtLeast: boolean;
      /** Whether it stands there only by some rule of tolerance. */
      readonly isTolerated: boolean;
    }
  | { readonly kind: "encoding"; readonly index: number }
  /** `index` is absent where only the edits together change nothing. `keptBreak`: as in {@link EditedText}, of the first. */
  | { readonly kind: "no-change"; readonly index?: number; readonly keptBreak?: LineBreak };

/** The line on disk that a line of the text came from which was searched: earlier edits of the list may have moved it. */
export type LineOnDisk = (line: number) => number;

interface Place {
  /** 1-based, of the file as it is on disk. */
  readonly line: number;
  /** Offset in `bytes` at which the line starts, and the text that was searched. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** Places counted of an ambiguous text: past a thousand their number says no more. */
const TO_TELL: Reach = { overlapping: true, limit: 1_000 };
const TO_REPLACE: Reach = { overlapping: false, limit: Number.POSITIVE_INFINITY };
/** Places whose lines are reported where line endings were tolerated at many. */
const PLACES_REPORTED = 100;
/** Places told of: more do not help to choose. */
const PLACES_TOLD = 20;

/** A file and what holds for edits in it. */
export interface EditedFile {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  /** Bytes of the byte order mark, which no edit sees: `read` does not show it. */
  readonly bomBytes: number;
  /** Holds edits to ASCII: for files whose bytes are not valid in their encoding. */
  readonly asciiOnly: boolean;
  /** Turns the rules of tolerance off. */
  readonly strict: boolean;
}

/** Applies all edits at once. */
export function applyEdits(file: EditedFile, edits: readonly Edit[]): EditedText | EditFailure {
  const work = applyEditsInSteps(file, edits);
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/** The same with a pause after each edit, so that a host can do something else between thousands of them. */
export function* applyEditsInSteps(
  file: EditedFile,
  edits: readonly Edit[],
): Generator<undefined, EditedText | EditFailure> {
  if (file.bomBytes === 0) return yield* applyToBody(file, edits);
  const mark = file.bytes.subarray(0, file.bomBytes);
  const body = { ...file, bytes: file.bytes.subarray(file.bomBytes) };
  const edited = yield* applyToBody(body, edits.map(withoutMark));
  if ("kind" in edited) return edited;
  const shift = ({ start, end, newStart, newEnd }: Splice): Splice => ({
    start: start + mark.length,
    end: end + mark.length,
    newStart: newStart + mark.length,
    newEnd: newEnd + mark.length,
  });
  return { ...edited, after: Buffer.concat([mark, edited.after]), splices: edited.splices.map(shift) };
}

/** A model that sends the mark means the start of the file, which keeps the one it has. */
function withoutMark(edit: Edit): Edit {
  const strip = (text: string) => (text.startsWith("\uFEFF") ? text.slice(1) : text);
  return { ...edit, oldText: strip(edit.oldText), newText: strip(edit.newText) };
}

function* applyToBody(
  file: EditedFile,
  edits: readonly Edit[],
): Generator<undefined, EditedText | EditFailure> {
  let { bytes } = file;
  const past = makePast(file.bytes.length);
  const applied: Pick<Step, "rule" | "tolerated">[] = [];
  const keptBreaks = new Map<number, LineBreak>();
  for (const [index, edit] of edits.entries()) {
    const step = applyOne({ bytes, past, edit, index, file });
    if ("kind" in step) return step;
    // The bytes of a step are the text of the next one and are not kept: thousands of steps would be thousands of files.
    past.add(step);
    if (step.keptBreak !== undefined) keptBreaks.set(index, step.keptBreak);
    applied.push({ rule: step.rule, tolerated: step.tolerated });
    bytes = step.bytes;
    yield;
  }
  const splices = past.splices();
  // Compared as a whole: splices that differ can add up to nothing, as a line taken out before its twin is put back.
  if (bytes.equals(file.bytes)) {
    const [keptBreak] = keptBreaks.values();
    return { kind: "no-change", ...(keptBreak && { keptBreak }) };
  }
  const lines = linesOf(past.landings(), bytes, file.encoding);
  const landed = applied.map((step, index) => ({ ...step, lines: lines[index] ?? [] }));
  return { after: bytes, splices, landed, keptBreaks };
}

interface Step {
  readonly rule: LandedEdit["rule"];
  readonly tolerated: readonly number[];
  readonly splices: readonly Splice[];
  readonly bytes: Buffer;
  readonly keptBreak?: LineBreak | undefined;
}

interface Attempt {
  /** The text as the edits before have left it, and what they did. */
  readonly bytes: Buffer;
  readonly past: Past;
  readonly edit: Edit;
  readonly index: number;
  readonly file: EditedFile;
}

function applyOne(attempt: Attempt): Step | EditFailure {
  const { bytes, edit, index, file } = attempt;
  if (edit.oldText === edit.newText) return { kind: "no-change", index };
  if (edit.oldText === "") return failNoMatch(attempt);
  if (file.asciiOnly && !(isAscii(edit.oldText) && isAscii(edit.newText))) return { kind: "encoding", index };
  const haystack = { bytes, encoding: file.encoding };
  const exact = findText(haystack, edit.oldText, edit.replaceAll ? TO_REPLACE : TO_TELL);
  const occurrences = exact && edit.replaceAll ? withOtherEndings(haystack, edit.oldText, exact) : exact;
  if (occurrences === undefined) return { kind: "encoding", index };
  if (occurrences.length === 0) return file.strict ? failNoMatch(attempt) : applyTolerated(attempt);
  if (occurrences.length > 1 && !edit.replaceAll) return failPlaces(attempt, "ambiguous", occurrences);
  if (occurrences.length !== (edit.expectedCount ?? occurrences.length)) {
    return failPlaces(attempt, "count", occurrences);
  }
  const { unit } = scannerFor(file.encoding);
  let keptBreak: LineBreak | undefined;
  const onExchange = (sent: LineBreak, used: LineBreak): void => {
    // A newline alone is what every model sends: it asks for one only where it was told apart from CRLF.
    if (sent === "\r\n" || edit.oldText.includes("\r\n")) keptBreak ??= used;
  };
  const fill = fitterOf({ ...haystack, text: edit.newText, onExchange });
  const spliced = spliceIn({ bytes, unit, targets: occurrences, fill });
  if (spliced === undefined) return { kind: "encoding", index };
  return { rule: "exact", tolerated: [], keptBreak, ...spliced };
}

/**
 * In a file of mixed endings a text of several lines may stand there once exactly and again with the other ending.
 * `read` shows no difference, so all of them are all of them; one that is meant alone is the exact one.
 */
function withOtherEndings(
  haystack: { bytes: Buffer; encoding: Encoding },
  text: string,
  exact: readonly Occurrence[],
): readonly Occurrence[] {
  if (exact.length === 0 || !text.includes("\n") || !haystack.bytes.includes("\r")) return exact;
  const all = findAcrossEndings(haystack, text, TO_REPLACE.limit);
  return all.length > exact.length ? withoutOverlaps(all) : exact;
}

/** The ladder: one place in all, or nothing. Only line endings may be tolerated at several places at once. */
function applyTolerated(attempt: Attempt): Step | EditFailure {
  const { bytes, edit, file } = attempt;
  const limit = edit.replaceAll ? TO_REPLACE.limit : TO_TELL.limit;
  const found = tolerate({ ...file, bytes, oldText: edit.oldText, newText: edit.newText, limit });
  const [first] = found;
  if (first === undefined) return failNoMatch(attempt);
  const mayRepeat = edit.replaceAll && found.every((place) => place.rule === "line-endings");
  if (found.length > 1 && !mayRepeat) {
    // The rules end their search where enough places are found to refuse.
    const isAtLeast = found.length >= PLACES_TOLD;
    return { ...failPlaces(attempt, "ambiguous", found), isTolerated: true, isAtLeast };
  }
  const chosen = withoutOverlaps(found);
  if (chosen.length !== (edit.expectedCount ?? chosen.length)) return failPlaces(attempt, "count", chosen);
  const { unit } = scannerFor(file.encoding);
  const spliced = spliceIn({ bytes, unit, targets: chosen, fill: (place) => place.write() });
  if (spliced === undefined) return failNoMatch(attempt);
  const onDisk = lineOnDisk(attempt);
  const tolerated = chosen.slice(0, PLACES_REPORTED).flatMap((place) => place.lines().map(onDisk));
  return { rule: first.rule, tolerated, ...spliced };
}

function failNoMatch(attempt: Attempt): EditFailure {
  const { bytes, index } = attempt;
  return { kind: "no-match", index, bytes, onDisk: lineOnDisk(attempt) };
}

function lineOnDisk({ bytes, past, file }: Attempt): LineOnDisk {
  const scanner = scannerFor(file.encoding);
  const lineOf = lineCounter(file.bytes, file.encoding);
  return (line) => {
    const splices = past.splices();
    if (splices.length === 0) return line;
    const start = line === 1 ? 0 : scanner.behindNth(bytes, line - 1);
    // Behind the last line feed there is no line: the end of the text stands for it.
    return lineOf(offsetBefore(splices, start === -1 ? bytes.length : start));
  };
}

function failPlaces(
  attempt: Attempt,
  kind: "ambiguous" | "count",
  occurrences: readonly Occurrence[],
): Extract<EditFailure, { total: number }> {
  const total = occurrences.length;
  const isAtLeast = kind === "ambiguous" && total >= TO_TELL.limit;
  const places = placesOf(attempt, occurrences);
  return { kind, index: attempt.index, places, total, isAtLeast, isTolerated: false };
}

function withoutOverlaps<O extends Occurrence>(occurrences: readonly O[]): O[] {
  const chosen: O[] = [];
  for (const occurrence of occurrences) {
    if (occurrence.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(occurrence);
  }
  return chosen;
}

/** The first places in the order of the file; lines are those on disk, which the model has seen, not those of the buffer. */
function placesOf({ bytes, past, file }: Attempt, occurrences: readonly Occurrence[]): Place[] {
  const lineOf = lineCounter(file.bytes, file.encoding);
  const scanner = scannerFor(file.encoding);
  return occurrences.slice(0, PLACES_TOLD).map(({ start }) => {
    const newline = scanner.previous(bytes, start);
    const lineStart = newline === -1 ? 0 : newline + scanner.unit;
    return { line: lineOf(offsetBefore(past.splices(), start)), start: lineStart, bytes };
  });
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
