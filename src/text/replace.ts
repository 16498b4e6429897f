/**
 * Owns applying a list of edits to the bytes of a file: in order, all or nothing, splicing bytes.
 * Leaves finding to find-text.ts and wording to the toolset. Rule: bytes outside the replaced ranges are never
 * decoded and written back, so any encoding, mixed line endings and a BOM survive.
 */
import type { Encoding } from "./encodings.ts";
import { findText, type MatchRule, type Occurrence } from "./find-text.ts";
import { fitLineBreaks } from "./line-breaks.ts";
import { scannerFor } from "./newline-scanner.ts";
import { composeSplices, offsetBefore, type Splice } from "./splices.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export interface EditedText {
  readonly after: Buffer;
  /** From the text before to the text after. */
  readonly splices: readonly Splice[];
  /** For each edit: how its text was found, and at which lines of the text after it landed (1-based). */
  readonly landed: readonly { readonly rule: MatchRule; readonly lines: readonly number[] }[];
}

export type EditFailure =
  | { readonly kind: "no-match"; readonly index: number; readonly bytes: Buffer }
  | { readonly kind: "ambiguous"; readonly index: number; readonly places: readonly Place[] }
  | { readonly kind: "encoding"; readonly index: number }
  /** `index` is absent where only the edits together change nothing. */
  | { readonly kind: "no-change"; readonly index?: number };

interface Place {
  /** 1-based, of the file as it is on disk. */
  readonly line: number;
  /** Offset in `bytes` at which the line starts, and the text that was searched. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** Where the text stands at one moment of the list: its bytes, and how they came from the file. */
interface State {
  readonly bytes: Buffer;
  readonly splices: readonly Splice[];
}

/** `asciiOnly` holds edits to ASCII, for files whose bytes are not valid in their encoding. */
export function applyEdits(of: {
  bytes: Buffer;
  encoding: Encoding;
  asciiOnly: boolean;
  edits: readonly Edit[];
}): EditedText | EditFailure {
  let state: State = { bytes: of.bytes, splices: [] };
  const steps: { rule: MatchRule; splices: readonly Splice[] }[] = [];
  for (const [index, edit] of of.edits.entries()) {
    const step = applyOne({ state, edit, index, file: of });
    if ("kind" in step) return step;
    steps.push({ rule: step.rule, splices: step.splices });
    state = advance(of.bytes, state, step);
  }
  if (state.bytes.equals(of.bytes)) return { kind: "no-change" };
  return {
    after: state.bytes,
    splices: state.splices,
    landed: linesOfSteps(steps, state.bytes, of.encoding),
  };
}

interface Step {
  readonly rule: MatchRule;
  readonly splices: readonly Splice[];
  readonly bytes: Buffer;
}

function applyOne(of: {
  state: State;
  edit: Edit;
  index: number;
  file: { bytes: Buffer; encoding: Encoding; asciiOnly: boolean };
}): Step | EditFailure {
  const { state, edit, index, file } = of;
  const { bytes } = state;
  if (edit.oldText === edit.newText) return { kind: "no-change", index };
  if (file.asciiOnly && !(isAscii(edit.oldText) && isAscii(edit.newText))) return { kind: "encoding", index };
  const found = findText({ bytes, encoding: file.encoding }, edit.oldText);
  if (found === undefined) return { kind: "encoding", index };
  if (found.occurrences.length === 0) return { kind: "no-match", index, bytes };
  if (found.occurrences.length > 1 && !edit.replaceAll) {
    return { kind: "ambiguous", index, places: placesOf({ state, occurrences: found.occurrences, file }) };
  }
  const chosen = edit.replaceAll ? withoutOverlaps(found.occurrences) : found.occurrences;
  const replaced = spliceIn({ bytes, encoding: file.encoding, text: edit.newText, occurrences: chosen });
  return replaced === undefined ? { kind: "encoding", index } : { rule: found.rule, ...replaced };
}

function spliceIn(of: {
  bytes: Buffer;
  encoding: Encoding;
  text: string;
  occurrences: readonly Occurrence[];
}): { bytes: Buffer; splices: Splice[] } | undefined {
  const pieces: Buffer[] = [];
  const splices: Splice[] = [];
  let from = 0;
  let length = 0;
  for (const { start, end } of of.occurrences) {
    const fitted = fitLineBreaks({ text: of.text, bytes: of.bytes, start, end, encoding: of.encoding });
    if (fitted === undefined) return undefined;
    length += start - from;
    const splice = trimSplice(of.bytes.subarray(start, end), fitted, { start, newStart: length });
    if (splice !== undefined) splices.push(splice);
    pieces.push(of.bytes.subarray(from, start), fitted);
    length += fitted.length;
    from = end;
  }
  pieces.push(of.bytes.subarray(from));
  return { bytes: Buffer.concat(pieces), splices };
}

/** The part that really differs: what old and new text share at both ends was not changed. */
function trimSplice(old: Buffer, fresh: Buffer, at: { start: number; newStart: number }): Splice | undefined {
  const shorter = Math.min(old.length, fresh.length);
  let lead = 0;
  while (lead < shorter && old[lead] === fresh[lead]) lead++;
  let tail = 0;
  while (tail < shorter - lead && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  if (lead + tail === old.length && old.length === fresh.length) return undefined;
  return {
    start: at.start + lead,
    end: at.start + old.length - tail,
    newStart: at.newStart + lead,
    newEnd: at.newStart + fresh.length - tail,
  };
}

function advance(original: Buffer, state: State, step: Step): State {
  const splices = composeSplices({
    first: state.splices,
    second: step.splices,
    beforeLength: original.length,
    middleLength: state.bytes.length,
    afterLength: step.bytes.length,
  });
  return { bytes: step.bytes, splices };
}

function withoutOverlaps(occurrences: readonly Occurrence[]): Occurrence[] {
  const chosen: Occurrence[] = [];
  for (const occurrence of occurrences) {
    if (occurrence.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(occurrence);
  }
  return chosen;
}

/** The places in the order of the file; lines are those on disk, which the model has seen, not those of the buffer. */
function placesOf(of: {
  state: State;
  occurrences: readonly Occurrence[];
  file: { bytes: Buffer; encoding: Encoding };
}): Place[] {
  const { state, occurrences, file } = of;
  const lineOf = lineCounter(file.bytes, file.encoding);
  const scanner = scannerFor(file.encoding);
  return occurrences.map(({ start }) => {
    const newline = scanner.previous(state.bytes, start);
    const lineStart = newline === -1 ? 0 : newline + scanner.unit;
    return { line: lineOf(offsetBefore(state.splices, start)), start: lineStart, bytes: state.bytes };
  });
}

function linesOfSteps(
  steps: readonly { rule: MatchRule; splices: readonly Splice[] }[],
  after: Buffer,
  encoding: Encoding,
): { rule: MatchRule; lines: number[] }[] {
  const landed: { rule: MatchRule; offsets: number[] }[] = [];
  for (const step of steps) {
    for (const earlier of landed)
      earlier.offsets = earlier.offsets.map((at) => offsetAfter(step.splices, at));
    landed.push({ rule: step.rule, offsets: step.splices.map((splice) => splice.newStart) });
  }
  const lineOf = lineCounter(after, encoding);
  return landed.map(({ rule, offsets }) => ({ rule, lines: [...new Set(offsets.map(lineOf))] }));
}

/** Where an offset of the text before lies after; inside replaced text, where the new text starts. */
function offsetAfter(splices: readonly Splice[], offset: number): number {
  let shift = 0;
  for (const splice of splices) {
    if (offset < splice.start) break;
    if (offset < splice.end) return splice.newStart;
    shift = splice.newEnd - splice.end;
  }
  return offset + shift;
}

/** The line of an offset; asked in ascending order it counts every byte once. */
function lineCounter(bytes: Buffer, encoding: Encoding): (offset: number) => number {
  const scanner = scannerFor(encoding);
  let at = 0;
  let line = 1;
  return (offset) => {
    if (offset < at) {
      at = 0;
      line = 1;
    }
    line += scanner.count(bytes.subarray(at, offset));
    at = offset;
    return line;
  };
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
