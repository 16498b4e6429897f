/**
 * Owns finding a text that a model sent in the bytes of a file: exactly, or with the file's own line endings.
 * Leaves replacing to replace.ts and every other rule of tolerance to tolerance/. Rule: every occurrence counts,
 * overlapping ones too, and none ever begins or ends inside a character or between `\r` and `\n`.
 */
import { characterBytes, type Encoding, encode } from "./encodings.ts";
import { type NewlineScanner, scannerFor } from "./newline-scanner.ts";

export interface Occurrence {
  /** Byte offsets, half open. */
  readonly start: number;
  readonly end: number;
}

export interface Haystack {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
}

/** How far a search goes. */
export interface Reach {
  /** Whether places that share bytes count each: to tell whether a text is ambiguous, not to replace it. */
  readonly overlapping: boolean;
  /** Places after which the search ends. */
  readonly limit: number;
}

/** Every place of `text`, exactly; undefined where it cannot be written in the file's encoding at all. */
export function findText(haystack: Haystack, text: string, reach: Reach): Occurrence[] | undefined {
  const needle = encode(text, haystack.encoding);
  return needle && findExact(haystack, needle, reach);
}

function findExact(haystack: Haystack, needle: Buffer, reach: Reach): Occurrence[] {
  const { bytes, encoding } = haystack;
  const scanner = scannerFor(encoding);
  const startsCharacter = makeCharacterTest(haystack);
  const startsWithNewline = scanner.next(needle, 0) === 0;
  const occurrences: Occurrence[] = [];
  let at = bytes.indexOf(needle);
  while (at !== -1 && occurrences.length < reach.limit) {
    let next = at + 1;
    if (startsCharacter(at)) {
      // A text that begins with a newline must not tear a `\r\n` apart: the pair is one newline.
      const torn = startsWithNewline ? scanner.returnBefore(bytes, at, 0) : 0;
      const taken = reach.overlapping ? 0 : (occurrences.at(-1)?.end ?? 0);
      occurrences.push({ start: Math.max(at - torn, taken), end: at + needle.length });
      if (!reach.overlapping) next = at + needle.length;
    }
    at = bytes.indexOf(needle, next);
  }
  return occurrences;
}

/**
 * Whether a character starts at an offset: in UTF-16 and the multi-byte encodings a needle can also fit across the
 * bytes of two. Asked in ascending order it walks each line once.
 */
function makeCharacterTest({ bytes, encoding }: Haystack): (at: number) => boolean {
  if (encoding === "utf-8") return () => true;
  if (scannerFor(encoding).unit === 2) return (at) => at % 2 === 0;
  let known = 0;
  return (at) => {
    const lineStart = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
    if (known > at || known < lineStart) known = lineStart;
    while (known < at) known += characterBytes(bytes, known, encoding);
    return known === at;
  };
}

/** Lines compared in one search: a file and a text of the same line over and over would else cost their product. */
const LINES_COMPARED = 1_000_000;

/** Finds the text line by line, each line break standing for `\n` or `\r\n`, whichever the file has there. */
export function findAcrossEndings(haystack: Haystack, text: string, limit: number): Occurrence[] {
  const { bytes, encoding } = haystack;
  const lines = text.split(/\r?\n/).map((line) => encode(line, encoding) ?? Buffer.alloc(0));
  const anchor = lines.reduce(
    (best, line, index) => (line.length > (lines[best]?.length ?? 0) ? index : best),
    0,
  );
  const scanner = scannerFor(encoding);
  const startsCharacter = makeCharacterTest(haystack);
  const budget = { lines: LINES_COMPARED };
  const occurrences: Occurrence[] = [];
  for (const at of anchorsOf(haystack, lines[anchor] ?? Buffer.alloc(0), scanner)) {
    const walk = { bytes, scanner, lines, anchor, at, budget };
    const start = matchUpwards(walk);
    const end = start === undefined ? undefined : matchDownwards(walk);
    if (start !== undefined && end !== undefined && startsCharacter(start)) occurrences.push({ start, end });
    if (occurrences.length >= limit || budget.lines <= 0) break;
  }
  return occurrences;
}

/** Where the longest line could stand. For a text of line breaks alone: at the end of every line. */
function* anchorsOf(haystack: Haystack, line: Buffer, scanner: NewlineScanner): Generator<number> {
  const { bytes } = haystack;
  if (line.length > 0) {
    const startsCharacter = makeCharacterTest(haystack);
    for (let at = bytes.indexOf(line); at !== -1; at = bytes.indexOf(line, at + 1)) {
      if (startsCharacter(at)) yield at;
    }
    return;
  }
  for (let at = scanner.next(bytes, 0); at !== -1; at = scanner.next(bytes, at + scanner.unit)) {
    yield at - scanner.returnBefore(bytes, at, 0);
  }
}

interface Walk {
  readonly bytes: Buffer;
  readonly scanner: NewlineScanner;
  readonly lines: readonly Buffer[];
  readonly anchor: number;
  readonly at: number;
  readonly budget: { lines: number };
}

function matchUpwards({ bytes, scanner, lines, anchor, at, budget }: Walk): number | undefined {
  let start = at;
  for (let index = anchor - 1; index >= 0; index--) {
    budget.lines--;
    const newline = start - scanner.unit;
    if (newline < 0 || scanner.next(bytes.subarray(0, start), newline) !== newline) return undefined;
    const lineEnd = newline - scanner.returnBefore(bytes, newline, 0);
    const line = lines[index] ?? Buffer.alloc(0);
    start = lineEnd - line.length;
    if (start < 0 || !bytes.subarray(start, lineEnd).equals(line)) return undefined;
  }
  return start;
}

function matchDownwards({ bytes, scanner, lines, anchor, at, budget }: Walk): number | undefined {
  let end = at + (lines[anchor]?.length ?? 0);
  for (let index = anchor + 1; index < lines.length; index++) {
    budget.lines--;
    const newline = endOfLineBreak(bytes, end, scanner);
    if (newline === undefined) return undefined;
    const line = lines[index] ?? Buffer.alloc(0);
    end = newline + line.length;
    if (!bytes.subarray(newline, end).equals(line)) return undefined;
  }
  return end;
}

/** The offset behind the line break that stands at `at`, or undefined where none does. */
function endOfLineBreak(bytes: Buffer, at: number, scanner: NewlineScanner): number | undefined {
  for (const skip of [0, scanner.unit]) {
    const newline = at + skip;
    const stands = scanner.next(bytes.subarray(0, newline + scanner.unit), newline) === newline;
    if (stands && (skip === 0 || scanner.returnBefore(bytes, newline, at) > 0)) return newline + scanner.unit;
  }
  return undefined;
}
