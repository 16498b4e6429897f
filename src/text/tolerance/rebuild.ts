/**
 * Owns writing the new text into a place that was found by tolerance: what old and new text share keeps the
 * file's own bytes, what differs is new. Leaves proving the place to places.ts.
 * Rule: a kept byte is never decoded and encoded again.
 */

import { type Paired, pairLines, type SentLine } from "../sent-lines.ts";
import type { FileLine } from "./file-lines.ts";

/** Bytes of the file, half open, or new text. */
export type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

export interface Alignment {
  readonly old: readonly SentLine[];
  /** For each old line the line of the file, or none where it is a blank line too many. */
  readonly lines: readonly (FileLine | undefined)[];
  /** Blank lines of the file that the old text left out, by the old line that they follow. */
  readonly extras: ReadonlyMap<number, readonly FileLine[]>;
  /** A changed line in the place of an old one; undefined where the rule cannot say what it should be. */
  change(fresh: string, old: string, file: FileLine): readonly Piece[] | undefined;
  /** A line that is new; undefined where the rule cannot say what it should be. */
  adapt(fresh: string): string | undefined;
}

/** The pieces of the new text; undefined where the rule cannot say what it should be. */
export function rebuild(alignment: Alignment, fresh: readonly SentLine[]): Piece[] | undefined {
  const pieces: Piece[] = [];
  const pairs = pairLines(alignment.old, fresh);
  if (!keepsBlankRuns(alignment, pairs)) return undefined;
  let lineBreak = firstBreak(alignment);
  for (const [index, { line, old }] of pairs.entries()) {
    const content = contentOf(alignment, line, old);
    if (content === undefined) return undefined;
    const ending = breakOf({ alignment, line, old, isLast: index === pairs.length - 1, lineBreak });
    if (ending !== undefined) lineBreak = ending;
    pieces.push(...content, ...(ending === undefined ? [] : [ending]));
    if (old === undefined) continue;
    for (const extra of alignment.extras.get(old) ?? []) {
      pieces.push({ start: extra.start, end: extra.breakEnd });
    }
  }
  return pieces;
}

/**
 * Where file and old text have other numbers of blank lines, the lines around them must stay together: between lines
 * that were parted, or beside one that is gone, it is open where the blank line belongs.
 */
function keepsBlankRuns(alignment: Alignment, pairs: readonly Paired[]): boolean {
  const at = new Map(pairs.flatMap(({ old }, index) => (old === undefined ? [] : [[old, index] as const])));
  const isBlank = (index: number) => alignment.old[index]?.text.trim() === "";
  return alignment.old.every((_, index) => {
    if (!alignment.extras.has(index) && alignment.lines[index] !== undefined) return true;
    let [first, last] = [index, index + (alignment.extras.has(index) ? 1 : 0)];
    while (first > 0 && isBlank(first)) first--;
    while (last < alignment.old.length - 1 && isBlank(last)) last++;
    last = Math.min(last, alignment.old.length - 1);
    const start = at.get(first);
    for (let old = first; old <= last; old++) {
      if (start === undefined || at.get(old) !== start + old - first) return false;
      if (isBlank(old) && pairs[start + old - first]?.line.text !== alignment.old[old]?.text) return false;
    }
    return true;
  });
}

/** The first line break of the place: what a new line in front takes. */
function firstBreak({ lines }: Alignment): Piece {
  const line = lines.find((one) => one !== undefined && one.breakEnd > one.end);
  return line === undefined ? { text: "\n" } : { start: line.end, end: line.breakEnd };
}

function contentOf(
  alignment: Alignment,
  line: SentLine,
  old: number | undefined,
): readonly Piece[] | undefined {
  const sent = old === undefined ? undefined : alignment.old[old];
  const file = old === undefined ? undefined : alignment.lines[old];
  if (sent !== undefined && file === undefined && sent.text === line.text) return [];
  if (sent === undefined || file === undefined) {
    const text = alignment.adapt(line.text);
    return text === undefined ? undefined : [{ text }];
  }
  if (sent.text === line.text) return [{ start: file.start, end: file.end }];
  return alignment.change(line.text, sent.text, file);
}

function breakOf(of: {
  alignment: Alignment;
  line: SentLine;
  old: number | undefined;
  isLast: boolean;
  lineBreak: Piece;
}): Piece | undefined {
  const { alignment, line, old, isLast, lineBreak } = of;
  if (!line.hasBreak) return undefined;
  const sent = old === undefined ? undefined : alignment.old[old];
  const file = old === undefined ? undefined : alignment.lines[old];
  // A blank line too many that stays as it was sent is not there at all.
  if (sent !== undefined && file === undefined && sent.text === line.text) return undefined;
  if (isLast && alignment.old.at(-1)?.hasBreak) {
    return keepBreak(alignment.lines.findLast((known) => known !== undefined));
  }
  if (sent?.hasBreak && file !== undefined && file.breakEnd > file.end) return keepBreak(file);
  return lineBreak;
}

function keepBreak(file: FileLine | undefined): Piece | undefined {
  return file === undefined ? undefined : { start: file.end, end: file.breakEnd };
}
