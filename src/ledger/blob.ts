/**
 * Owns how bytes are kept: by their sha-256, in pieces, with a mark for each piece.
 * Leaves storing the pieces to the stores and reading parts of them to read-blob.ts. Rule: a piece never ends inside
 * a character, so that each can be decoded alone; the marks say how many lines and characters stand before it, so
 * that a part of a long text costs what the part holds.
 */
import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { countNewlines } from "../text/lines.ts";

/**
 * Bytes of a piece. A hundred lines of ordinary text are some 8 KB: one or two pieces, of the 64 that a megabyte
 * has. Smaller pieces would make long results slower to keep than they save on reading.
 */
const PIECE_BYTES = 16_384;
/** Two 32-bit numbers a piece, little-endian. */
const MARK_BYTES = 8;
const NEWLINE = 0x0a;

/** Bytes with their address. */
export interface EncodedBlob {
  /** sha-256, in hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export interface CutBlob {
  readonly pieces: readonly Uint8Array[];
  readonly characters: number;
  readonly lines: number;
  readonly marks: Uint8Array;
}

export function encodeBytes(bytes: Uint8Array): EncodedBlob {
  return { hash: createHash("sha256").update(bytes).digest("hex"), bytes };
}

/** Text as UTF-8. A lone surrogate, which no tool gives, becomes U+FFFD: it has no UTF-8. */
export function encodeText(text: string): EncodedBlob {
  return encodeBytes(Buffer.from(text, "utf8"));
}

/** Cuts bytes into pieces and counts lines and characters, as if they were UTF-8. */
export function cutBlob(bytes: Uint8Array): CutBlob {
  const pieces: Uint8Array[] = [];
  const marks: number[] = [];
  let newlines = 0;
  let characters = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = findCut(bytes, start);
    marks.push(newlines, characters);
    newlines += countNewlines(bytes, start, end);
    characters += countCharacters(bytes, start, end);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  const unfinished = bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE;
  return { pieces, characters, lines: newlines + (unfinished ? 1 : 0), marks: packMarks(marks) };
}

/** The end of the piece that begins at `start`. */
function findCut(bytes: Uint8Array, start: number): number {
  const end = start + PIECE_BYTES;
  if (end >= bytes.length) return bytes.length;
  // A character has at most three bytes after its first; what is longer is no UTF-8 and may be cut anywhere.
  for (let cut = end; cut > end - 4; cut--) if (!isContinuation(bytes[cut])) return cut;
  return end;
}

function countCharacters(bytes: Uint8Array, start: number, end: number): number {
  // Said by native code in no time, of most pieces.
  if (isAscii(bytes.subarray(start, end))) return end - start;
  let continuations = 0;
  for (let at = start; at < end; at++) if (((bytes[at] as number) & 0xc0) === 0x80) continuations++;
  return end - start - continuations;
}

export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function packMarks(numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer((numbers.length * MARK_BYTES) / 2));
  for (const [at, number] of numbers.entries()) view.setUint32(at * 4, number, true);
  return new Uint8Array(view.buffer);
}

export interface Marks {
  readonly count: number;
  /** Newlines, and characters, before a piece. */
  newlines(piece: number): number;
  characters(piece: number): number;
}

export function unpackMarks(packed: Uint8Array): Marks {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return {
    count: packed.byteLength / MARK_BYTES,
    newlines: (piece) => view.getUint32(piece * MARK_BYTES, true),
    characters: (piece) => view.getUint32(piece * MARK_BYTES + 4, true),
  };
}
