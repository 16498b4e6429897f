/**
 * Owns counting the characters and lines of a stretch of a string, and stepping through it by characters.
 * Leaves which stretch is left out to window.ts. Rule: a character is a Unicode code point, and no step ends inside
 * one. Nothing is made of a long text but numbers: no array of its characters, no copy.
 */

/** A stretch of a text, as offsets in UTF-16 units, half open. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

const NEWLINE = 10;
const SECOND_HALF = /[\udc00-\udfff]/g;

/** Whether the unit at `at` is the second half of a character: one compare a unit, so that counting costs no more than looking. */
function isSecondHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Characters of `text[from, to)`. In a text that is not well-formed a half counts as one. */
export function countCharacters(text: string, { from, to }: TextPart = whole(text)): number {
  let halves = 0;
  for (let at = findSecondHalf(text, from + 1); at < to; at++) if (isSecondHalf(text, at)) halves++;
  return Math.max(0, to - from - halves);
}

/** Most texts hold no such character, and to look for the first is far faster than to look at each unit. */
function findSecondHalf(text: string, from: number): number {
  SECOND_HALF.lastIndex = from;
  return SECOND_HALF.test(text) ? SECOND_HALF.lastIndex - 1 : text.length;
}

/** Newlines in `text[from, to)`. */
export function countLineEnds(text: string, { from, to }: TextPart): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === NEWLINE) count++;
  return count;
}

/** The offset `count` characters after `from`; the end of the text where there are fewer. */
export function stepForth(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left--) at += isSecondHalf(text, at + 1) ? 2 : 1;
  return at;
}

/** The offset `count` characters before the end of the text; 0 where there are fewer. */
export function stepBackFromEnd(text: string, count: number): number {
  let at = text.length;
  for (let left = count; left > 0 && at > 0; left--) at -= at > 1 && isSecondHalf(text, at - 1) ? 2 : 1;
  return at;
}

function whole(text: string): TextPart {
  return { from: 0, to: text.length };
}
