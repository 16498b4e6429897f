/**
 * Owns the arithmetic of replaced byte ranges: which stretches of a file an edit kept, and two edits as one.
 * Leaves finding the ranges to match.ts and replace.ts. Rule: splices are ascending and do not overlap.
 */

/** Bytes `start` to `end` of the text before became bytes `newStart` to `newEnd` of the text after. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** A stretch that both texts share. */
export interface Kept {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

/** The stretches that stay, given the length of the text after. */
export function keptOf(splices: readonly Splice[], afterLength: number): Kept[] {
  const kept: Kept[] = [];
  let before = 0;
  let after = 0;
  for (const splice of splices) {
    if (splice.newStart > after) kept.push({ before, after, length: splice.newStart - after });
    before = splice.end;
    after = splice.newEnd;
  }
  if (afterLength > after) kept.push({ before, after, length: afterLength - after });
  return kept;
}

/** One list of splices that does what `first` and then `second` do. */
export function composeSplices(of: {
  first: readonly Splice[];
  second: readonly Splice[];
  beforeLength: number;
  middleLength: number;
  afterLength: number;
}): Splice[] {
  const inner = keptOf(of.second, of.afterLength);
  const kept: Kept[] = [];
  let from = 0;
  for (const outer of keptOf(of.first, of.middleLength)) {
    while (from < inner.length && endOf(inner[from]) <= outer.after) from++;
    for (let at = from; at < inner.length; at++) {
      const stretch = inner[at];
      if (stretch === undefined || stretch.before >= outer.after + outer.length) break;
      const start = Math.max(outer.after, stretch.before);
      const end = Math.min(outer.after + outer.length, stretch.before + stretch.length);
      kept.push({
        before: start - outer.after + outer.before,
        after: start - stretch.before + stretch.after,
        length: end - start,
      });
    }
  }
  return splicesOf(kept, of.beforeLength, of.afterLength);
}

/** Where an offset of the text after lay before; inside new text, where that text was put. */
export function offsetBefore(splices: readonly Splice[], offset: number): number {
  const splice = lastAt(splices, (one) => one.newStart <= offset);
  if (splice === undefined) return offset;
  return offset < splice.newEnd ? splice.start : offset + splice.end - splice.newEnd;
}

/** Where an offset of the text before lies after; inside replaced text, where the new text starts. */
export function offsetAfter(splices: readonly Splice[], offset: number): number {
  const splice = lastAt(splices, (one) => one.start <= offset);
  if (splice === undefined) return offset;
  return offset < splice.end ? splice.newStart : offset + splice.newEnd - splice.end;
}

/** The last splice that begins early enough; they ascend. */
function lastAt(splices: readonly Splice[], begins: (splice: Splice) => boolean): Splice | undefined {
  let [low, high] = [0, splices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const splice = splices[middle];
    if (splice !== undefined && begins(splice)) low = middle + 1;
    else high = middle;
  }
  return splices[low - 1];
}

function endOf(kept: Kept | undefined): number {
  return kept === undefined ? 0 : kept.before + kept.length;
}

function splicesOf(kept: readonly Kept[], beforeLength: number, afterLength: number): Splice[] {
  const splices: Splice[] = [];
  let before = 0;
  let after = 0;
  for (const stretch of [...kept, { before: beforeLength, after: afterLength, length: 0 }]) {
    if (stretch.before > before || stretch.after > after) {
      splices.push({ start: before, end: stretch.before, newStart: after, newEnd: stretch.after });
    }
    before = stretch.before + stretch.length;
    after = stretch.after + stretch.length;
  }
  return splices;
}
