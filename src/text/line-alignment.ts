/**
 * Owns laying the lines of an asked text beside those of a file from a given line on.
 * Leaves showing them to region-rows.ts. Rule: order is kept, and only lines that are alike are paired.
 */
import { foldLine } from "./fold-line.ts";

/** 0-based: a line of the file and the line of the asked text that is like it. */
export interface Pair {
  readonly line: number;
  readonly asked: number;
}

/** Lines that the file may have too many or too few before two like ones are no longer paired. */
const SLACK = 4;
/** Characters of a line that are compared. */
const PART = 300;
/** Below this, two lines are only by chance alike. */
const ALIKE = 0.45;
/** What a line of the file costs that is passed over between two pairs: of two like lines the one beside the rest is meant. */
const GAP = 0.06;
/** Lines so short are equal by chance more often than by meaning. */
const SHORT = 3;

/** The pairs that make the asked text most alike to the file around `start`, and how alike that is. */
export function alignLines(
  lines: readonly string[],
  asked: readonly string[],
  start: number,
): { readonly pairs: Pair[]; readonly score: number } {
  const width = 2 * SLACK + 1;
  const file = (row: number, column: number): number => start + row + column - SLACK;
  const folded = asked.map((line) => foldLine(line.slice(0, PART)));
  const known = new Map<number, string>();
  const fileLine = (index: number): string => {
    const line = known.get(index) ?? foldLine((lines[index] ?? "").slice(0, PART));
    known.set(index, line);
    return line;
  };
  // best[row][column]: the likeness of asked lines from `row` on with file lines from file(row, column) on.
  const best = Array.from({ length: asked.length + 1 }, () => new Float64Array(width + 1));
  const alike = Array.from({ length: asked.length }, () => new Float64Array(width));
  for (let row = asked.length - 1; row >= 0; row--) {
    const [mine, next, scores] = [best[row], best[row + 1], alike[row]];
    if (mine === undefined || next === undefined || scores === undefined) continue;
    for (let column = width - 1; column >= 0; column--) {
      const index = file(row, column);
      const inside = index >= 0 && index < lines.length;
      const score = inside ? likeness(folded[row] ?? "", fileLine(index)) : 0;
      scores[column] = score;
      // The next asked line against the same file line stands one column further left.
      const skipAsked = column > 0 ? (next[column - 1] ?? 0) : 0;
      const skipFile = column + 1 < width ? passOver(mine, row, column) : 0;
      mine[column] = Math.max(score + (next[column] ?? 0), skipAsked, skipFile);
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < asked.length && column < width) {
    const here = best[row]?.[column] ?? 0;
    const score = alike[row]?.[column] ?? 0;
    if (score > 0 && here === score + (best[row + 1]?.[column] ?? 0)) {
      pairs.push({ line: file(row, column), asked: row });
      row++;
    } else if (column + 1 < width && here === passOver(best[row], row, column)) {
      column++;
    } else {
      row++;
      column = Math.max(0, column - 1);
    }
  }
  return { pairs, score: best[0]?.[0] ?? 0 };
}

/** The likeness from the next column on; before the first pair nothing is passed over yet. */
function passOver(scores: Float64Array | undefined, row: number, column: number): number {
  return (scores?.[column + 1] ?? 0) - (row === 0 ? 0 : GAP);
}

/** From 0 to 1. Blank and very short lines say little even where they are equal, and less where they are not. */
function likeness(asked: string, line: string): number {
  if (asked === line) return asked.length < SHORT ? 0.1 + 0.1 * asked.length : 1;
  if (asked === "" || line === "") return 0;
  if (asked.length < SHORT) return line.includes(asked) && line.length < 2 * SHORT ? 0.05 * asked.length : 0;
  const longer = Math.max(asked.length, line.length);
  if (line.includes(asked)) return 0.7 + (0.3 * asked.length) / longer;
  const score = Math.max(sharedEnds(asked, line) / longer, shareWords(asked, line));
  return score < ALIKE ? 0 : 0.95 * score;
}

function sharedEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return head + tail;
}

/** Dice's measure on the words of both, without regard to case. */
function shareWords(a: string, b: string): number {
  const [mine, theirs] = [listWords(a), listWords(b)];
  if (mine.size === 0 || theirs.size === 0) return 0;
  let shared = 0;
  for (const word of mine) if (theirs.has(word)) shared++;
  return (2 * shared) / (mine.size + theirs.size);
}

function listWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}
