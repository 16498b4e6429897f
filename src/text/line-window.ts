/**
 * Owns cutting a long line down to a window around a match.
 * Leaves short lines as they are. Rule: cut between characters, and what is left out is visible and placed by column.
 */

export interface LinePart {
  /** Bytes `start` to `end` of the text that the line is in. */
  readonly start: number;
  readonly end: number;
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
  /** Where the line is cut: the column of the match, 1-based, and the length of the line, both in characters. */
  readonly column?: number;
  readonly characters?: number;
}

export interface LineRequest {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Where the match starts; the start of the line for none. */
  readonly matchStart: number;
  /** Characters that may be shown. */
  readonly most: number;
}

/** Counts and cuts by UTF-8; in other bytes a window may come out shorter. */
export function cutLine(request: LineRequest): LinePart {
  const { bytes, start, end, matchStart, most } = request;
  const whole = { start, end, cutBefore: false, cutAfter: false };
  if (end - start <= most) return whole;
  const characters = countCharacters(bytes, start, end);
  if (characters <= most) return whole;
  const column = countCharacters(bytes, start, matchStart) + 1;
  // A quarter of the window in front of the match: what follows tells more.
  let from = stepBack(bytes, { at: matchStart, floor: start, count: most >> 2 });
  const to = stepForward(bytes, { at: from, end, count: most });
  if (to === end) from = stepBack(bytes, { at: end, floor: start, count: most });
  return { start: from, end: to, cutBefore: from > start, cutAfter: to < end, column, characters };
}

function isInner(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & 0xc0) === 0x80;
}

function countCharacters(bytes: Uint8Array, start: number, end: number): number {
  let inner = 0;
  for (let at = start; at < end; at++) if (((bytes[at] as number) & 0xc0) === 0x80) inner++;
  return end - start - inner;
}

function stepBack(
  bytes: Uint8Array,
  { at, floor, count }: { at: number; floor: number; count: number },
): number {
  let from = at;
  for (let left = count; left > 0 && from > floor; left--) {
    from--;
    while (from > floor && isInner(bytes, from)) from--;
  }
  return from;
}

function stepForward(
  bytes: Uint8Array,
  { at, end, count }: { at: number; end: number; count: number },
): number {
  let to = at;
  for (let left = count; left > 0 && to < end; left--) {
    to++;
    while (to < end && isInner(bytes, to)) to++;
  }
  return to;
}
