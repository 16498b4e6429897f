/**
 * Owns the arithmetic of what was shown of a file: hashed byte ranges, whether they still cover it,
 * and where they lie after an edit. Leaves remembering them to the toolset.
 * Rule: a range counts only while the file still holds the very bytes that were shown there.
 *
 * Hashing the shown bytes instead of the whole file keeps a read of a few lines as cheap as the lines,
 * and a change elsewhere in the file spoils only what it touched.
 */
import { createHash } from "node:crypto";
import type { SeenRange } from "../contract/output.ts";
import { type Kept, keptOf, type Splice } from "./splices.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Coverage {
  /** Every byte that is there now was shown. */
  readonly known: boolean;
  /** Bytes that were never shown, or that differ from what was shown. */
  readonly unseen: readonly Span[];
  /** Whether bytes that were shown are others now, or others follow: not merely a part that was skipped. */
  readonly isChanged: boolean;
  readonly valid: readonly SeenRange[];
}

/** A whole file, as it is shown or written now. */
export function seeWhole(bytes: Uint8Array): SeenRange {
  return seeRange(bytes, { start: 0, endsFile: true });
}

/** The range of bytes that begins at `start` of the file, as it is shown now. */
export function seeRange(bytes: Uint8Array, at: { start: number; endsFile: boolean }): SeenRange {
  return { start: at.start, end: at.start + bytes.length, hash: hashOf(bytes), endsFile: at.endsFile };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

/**
 * Compares what was shown with the bytes of the whole file as they are now. A file is known when every byte and
 * its end were shown; what was shown of earlier versions besides does no harm.
 */
export function coverageOf(ranges: readonly SeenRange[], bytes: Uint8Array): Coverage {
  const valid: SeenRange[] = [];
  const stale: SeenRange[] = [];
  for (const range of ranges) (holds(range, bytes) ? valid : stale).push(range);
  const unseen = gapsOf(valid, bytes.length);
  const endSeen = valid.some((range) => range.endsFile && range.end === bytes.length);
  const known = unseen.length === 0 && (endSeen || ranges.length === 0);
  const isChanged = stale.some(
    (range) => range.end > bytes.length || unseen.some((gap) => overlaps(gap, range)),
  );
  const hasGrown = valid.some((range) => range.endsFile && range.end < bytes.length);
  return { known, unseen, isChanged: !known && (isChanged || hasGrown), valid };
}

/** What is still seen after an edit: kept bytes move, replaced ones are gone, new ones were written by the model itself. */
export function shiftSeen(
  valid: readonly SeenRange[],
  splices: readonly Splice[],
  after: Uint8Array,
): SeenRange[] {
  const shifted: SeenRange[] = [];
  const kept = keptOf(splices, after.length);
  for (const range of valid)
    for (const stretch of kept) pushShifted({ range, stretch, after, into: shifted });
  for (const { newStart, newEnd } of splices) {
    if (newEnd <= newStart) continue;
    shifted.push(
      seeRange(after.subarray(newStart, newEnd), { start: newStart, endsFile: newEnd === after.length }),
    );
  }
  return shifted;
}

function pushShifted(of: { range: SeenRange; stretch: Kept; after: Uint8Array; into: SeenRange[] }): void {
  const start = Math.max(of.range.start, of.stretch.before);
  const end = Math.min(of.range.end, of.stretch.before + of.stretch.length);
  if (end <= start) return;
  const shift = of.stretch.after - of.stretch.before;
  const endsFile = of.range.endsFile && end === of.range.end;
  of.into.push(seeRange(of.after.subarray(start + shift, end + shift), { start: start + shift, endsFile }));
}

function holds(range: SeenRange, bytes: Uint8Array): boolean {
  return range.end <= bytes.length && hashOf(bytes.subarray(range.start, range.end)) === range.hash;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function gapsOf(ranges: readonly Span[], size: number): Span[] {
  const gaps: Span[] = [];
  let covered = 0;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    if (range.start > covered) gaps.push({ start: covered, end: range.start });
    covered = Math.max(covered, range.end);
  }
  if (covered < size) gaps.push({ start: covered, end: size });
  return gaps;
}
