/**
 * Owns where lines begin and end, in bytes and in strings, and counting them fast.
 * Leaves decoding to encodings.ts. The byte functions are for encodings in which the byte 0x0A is always a
 * newline (UTF-8 and the legacy ones); UTF-16 is decoded first.
 * Rule: a line ends at `\n` or `\r\n`, a lone `\r` does not end one, and a final newline starts no further line.
 */

const NEWLINE = 0x0a;
/** Four newlines in one word, and the masks that find equal bytes in it without a carry between them. */
const NEWLINES = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;
/** Below this many bytes the set-up of the word loop costs more than it saves. */
const SHORT = 64;

type LineEnding = "" | "\n" | "\r\n";

interface Line {
  readonly text: string;
  /** Empty only on the last line. */
  readonly ending: LineEnding;
}

/**
 * The number of `\n` bytes in `bytes[start, end)`. It looks at four bytes at once, because the way to a far line
 * of a long log is nothing but this loop; `indexOf` costs a call a line and loses where lines are short.
 */
export function countNewlines(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const last = Math.min(end, bytes.length);
  let at = Math.max(start, 0);
  if (last - at < SHORT) return countByByte(bytes, at, last);
  const toAlignment = (4 - ((bytes.byteOffset + at) & 3)) & 3;
  let count = countByByte(bytes, at, at + toAlignment);
  at += toAlignment;
  const words = (last - at) >> 2;
  count += countInWords(new Int32Array(bytes.buffer, bytes.byteOffset + at, words));
  return count + countByByte(bytes, at + words * 4, last);
}

function countByByte(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}

/** Counts per byte lane; a lane holds at most 255, so the lanes are summed after 255 words. */
function countInWords(words: Int32Array): number {
  const length = words.length;
  let count = 0;
  let at = 0;
  while (at < length) {
    const stop = Math.min(length, at + 255);
    let lanes = 0;
    for (; at < stop; at++) {
      const x = (words[at] as number) ^ NEWLINES;
      // The high bit of a lane stays 0 only where the lane is 0, that is, where the byte is a newline.
      lanes = (lanes + (~(((x & LOW_BITS) + LOW_BITS) | x | LOW_BITS) >>> 7)) | 0;
    }
    const pairs = (lanes & 0x00ff00ff) + ((lanes >>> 8) & 0x00ff00ff);
    count += (pairs & 0xffff) + (pairs >>> 16);
  }
  return count;
}

/** Lines of a whole file: 0 when it is empty, and a last line without a newline counts. */
export function countLines(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  return countNewlines(bytes) + (bytes[bytes.length - 1] === NEWLINE ? 0 : 1);
}

/** The 1-based line on which the byte at `offset` stands; a newline stands on the line that it ends. */
export function lineOfOffset(bytes: Uint8Array, offset: number): number {
  return countNewlines(bytes, 0, offset) + 1;
}

/** The lines of a text with their endings; joined, they are the text again. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    if (newline < 0) {
      lines.push({ text: text.slice(start), ending: "" });
      break;
    }
    const carriage = newline > start && text.charCodeAt(newline - 1) === 0x0d;
    lines.push({
      text: text.slice(start, carriage ? newline - 1 : newline),
      ending: carriage ? "\r\n" : "\n",
    });
    start = newline + 1;
  }
  return lines;
}
