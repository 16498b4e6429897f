/**
 * Owns narrowing two versions of a file to the whole lines that may differ, by bytes.
 * Leaves which of these lines do differ to diff-lines.ts.
 * Rule: outside the regions both files are equal byte for byte, and every region begins and ends between lines
 * in both files (or at their ends).
 */
import { asBuffer } from "./utf-8.ts";

/** What an edit put in place of what: `[start, end)` of the file before, `[newStart, newEnd)` of the file after. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

const NEWLINE = 0x0a;
/** Comparing natively in blocks and only the last one byte by byte is some ten times as fast as bytes alone. */
const BLOCK = 65_536;

/** The one region between the lines that both files begin with and those that both end with; undefined where they are equal. */
export function findRegion(before: Uint8Array, after: Uint8Array): Splice | undefined {
  const shorter = Math.min(before.length, after.length);
  const same = countCommonStart(before, after, shorter);
  if (same === before.length && same === after.length) return undefined;
  const start = startOfLine(before, same);
  const suffix = countCommonEnd(before, after, shorter - start);
  const end = before.length - suffix;
  const newEnd = after.length - suffix;
  return { start, newStart: start, ...extendToLines({ before, after, end, newEnd }) };
}

/** The lines that splices touch, merged where two touch the same line. Nothing outside the splices is looked at but for the nearest newlines. */
export function findSplicedRegions(
  before: Uint8Array,
  after: Uint8Array,
  splices: readonly Splice[],
): Splice[] {
  const regions: Splice[] = [];
  for (const splice of splices) {
    const start = startOfLine(before, splice.start);
    const newStart = splice.newStart - (splice.start - start);
    const ends = extendToLines({ before, after, end: splice.end, newEnd: splice.newEnd });
    const previous = regions.at(-1);
    if (previous !== undefined && (start < previous.end || newStart < previous.newEnd)) {
      regions[regions.length - 1] = { start: previous.start, newStart: previous.newStart, ...ends };
    } else {
      regions.push({ start, newStart, ...ends });
    }
  }
  return regions;
}

/** Moves two ends, after which the files are equal, on to the next point that is between lines in both. */
function extendToLines(use: {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly end: number;
  readonly newEnd: number;
}): { readonly end: number; readonly newEnd: number } {
  const { before, after, end, newEnd } = use;
  if (startsLine(before, end) && startsLine(after, newEnd)) return { end, newEnd };
  const newline = before.indexOf(NEWLINE, end);
  if (newline < 0) return { end: before.length, newEnd: after.length };
  return { end: newline + 1, newEnd: newEnd + newline + 1 - end };
}

function startsLine(bytes: Uint8Array, at: number): boolean {
  return at === 0 || bytes[at - 1] === NEWLINE;
}

/** The start of the line on which the byte at `at` stands, or would stand. */
export function startOfLine(bytes: Uint8Array, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
}

function countCommonStart(before: Uint8Array, after: Uint8Array, limit: number): number {
  const [old, now] = [asBuffer(before), asBuffer(after)];
  let at = 0;
  while (at + BLOCK <= limit && old.compare(now, at, at + BLOCK, at, at + BLOCK) === 0) at += BLOCK;
  while (at < limit && old[at] === now[at]) at++;
  return at;
}

function countCommonEnd(before: Uint8Array, after: Uint8Array, limit: number): number {
  const [old, now] = [asBuffer(before), asBuffer(after)];
  let same = 0;
  while (same + BLOCK <= limit) {
    const [end, newEnd] = [old.length - same, now.length - same];
    if (old.compare(now, newEnd - BLOCK, newEnd, end - BLOCK, end) !== 0) break;
    same += BLOCK;
  }
  while (same < limit && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return same;
}
