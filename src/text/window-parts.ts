/**
 * Owns measuring a result and taking parts of it: by lines, and by characters.
 * Leaves which part is left out to window.ts, and what a part is called to the tools.
 * Rule: a character is a Unicode code point and a part never begins or ends inside one; the parts of a result,
 * joined, are the result, line endings included. A line ends at `\n` or `\r\n`, and a final newline starts no further line.
 */

/** A part of a text, as offsets in UTF-16 units, half open. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

const NEWLINE = 10;

/** Whether the unit at `at` is the second half of a character: one compare a unit, so that counting costs no more than looking. */
function isSecondHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Characters of `text[from, to)`. In a text that is not well-formed a half counts as one. */
export function countCharacters(text: string, { from, to }: TextPart = whole(text)): number {
  let halves = 0;
  for (let at = from + 1; at < to; at++) if (isSecondHalf(text, at)) halves++;
  return Math.max(0, to - from - halves);
}

/** Lines of the whole text: none where it is empty, and a last line without a newline counts. */
export function countTextLines(text: string): number {
  return countLineEnds(text, whole(text)) + (text === "" || text.endsWith("\n") ? 0 : 1);
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

/** Lines `start` to `end`, 1-based and inclusive, with their endings; what lies past the last line is left away. */
export function findLines(text: string, { start, end }: { start: number; end: number }): TextPart {
  let line = 1;
  let from = start === 1 ? 0 : text.length;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    line++;
    if (line === start) from = at + 1;
    if (line > end) return { from, to: at + 1 };
  }
  return { from, to: text.length };
}

/** Characters `start` to `end`, 0-based and half open; what lies past the last one is left away. */
export function findCharacters(text: string, { start, end }: { start: number; end: number }): TextPart {
  const from = stepForth(text, 0, start);
  return { from, to: stepForth(text, from, end - start) };
}

function whole(text: string): TextPart {
  return { from: 0, to: text.length };
}
