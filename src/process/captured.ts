/**
 * Owns where the two kept ends of a stream are cut.
 * Leaves keeping them to capture.ts. Rule: at a line border where whole lines fill at least half of that side, else
 * between characters; what is cut away is counted with what was left out before.
 */
import type { Captured } from "../contract/shell.ts";
import { countNewlines } from "../text/lines.ts";

interface Ends {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly omittedBytes: number;
  readonly omittedLines: number;
  /** What a side may hold. */
  readonly half: number;
  /** The byte before the tail. */
  readonly beforeTail: number | undefined;
}

/** The given bytes may be reused afterwards: what is returned is a copy. */
export function cutAtBorders(ends: Ends): Captured {
  const { head, tail, omittedBytes, omittedLines, half, beforeTail } = ends;
  const seen = head.length + tail.length + omittedBytes;
  if (omittedBytes === 0)
    return {
      seen,
      head: Buffer.concat([head, tail]),
      tail: new Uint8Array(),
      omittedBytes: 0,
      omittedLines: 0,
    };
  const headEnd = findHeadEnd(head, half);
  const tailStart = beforeTail === NEWLINE ? 0 : findTailStart(tail, half);
  return {
    seen,
    head: Buffer.from(head.subarray(0, headEnd)),
    tail: Buffer.from(tail.subarray(tailStart)),
    omittedBytes: omittedBytes + (head.length - headEnd) + tailStart,
    omittedLines: omittedLines + countNewlines(head, headEnd) + countNewlines(tail, 0, tailStart),
  };
}

const NEWLINE = 10;

function findHeadEnd(head: Uint8Array, half: number): number {
  const lineEnd = head.lastIndexOf(NEWLINE) + 1;
  if (lineEnd >= half / 2) return lineEnd;
  let end = head.length;
  // The next byte is unknown here: a character is whole only where its own bytes say so.
  for (let back = 0; back < 3 && end > 0 && isInside(head[end - 1]); back++) end--;
  const lead = head[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  // More bytes than it needs, or fewer than three of none: no text in UTF-8, cut where it is.
  if (needed === 1) return head.length;
  const held = head.length - end + 1;
  return held >= needed ? head.length : end - 1;
}

function findTailStart(tail: Uint8Array, half: number): number {
  const lineStart = tail.indexOf(NEWLINE) + 1;
  if (lineStart > 0 && tail.length - lineStart >= half / 2) return lineStart;
  let start = 0;
  while (start < 3 && isInside(tail[start])) start++;
  // Four such bytes in a row begin nowhere: no text in UTF-8.
  return isInside(tail[start]) ? 0 : start;
}

/** A byte that goes on with a character of UTF-8. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
