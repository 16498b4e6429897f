/**
 * Owns finding and counting line feeds in raw bytes, in encodings of one-byte and of two-byte units.
 * Leaves decoding to encodings.ts. Rule: works on bytes as they lie in the file, so that offsets are file offsets.
 *
 * In every encoding handled here the byte 0x0A appears only as a line feed (UTF-8 and the legacy encodings),
 * or as half of a two-byte unit (UTF-16), where only aligned units count.
 */
import type { Encoding } from "./encodings.ts";
import { countNewlines } from "./lines.ts";

const LF = 0x0a;
const CR = 0x0d;
/** Blocks in which the n-th line feed is looked for: small enough to step through, large enough to count fast. */
const BLOCK_BYTES = 16_384;

export interface NewlineScanner {
  /** Bytes of one unit: chunks must start at a multiple of it. */
  readonly unit: 1 | 2;
  /** Line feeds in the bytes. */
  count(bytes: Uint8Array): number;
  /** Offset of the next line feed at or after `from`, or -1. */
  next(bytes: Uint8Array, from: number): number;
  /** Offset of the last line feed that lies wholly before `before`, or -1. */
  previous(bytes: Uint8Array, before: number): number;
  /** Offset just behind the n-th line feed (n ≥ 1), or -1 where there are fewer. */
  behindNth(bytes: Uint8Array, n: number): number;
  /** Bytes of the carriage return that stands before the line feed at `at`, 0 where none does. `from` is where the line starts. */
  returnBefore(bytes: Uint8Array, at: number, from: number): number;
  /** Whether the bytes end with a line feed. */
  endsLine(bytes: Uint8Array): boolean;
}

export function scannerFor(encoding: Encoding): NewlineScanner {
  if (encoding === "utf-16le") return wideScanner(0);
  if (encoding === "utf-16be") return wideScanner(1);
  return byteScanner;
}

const byteScanner: NewlineScanner = {
  unit: 1,
  count: (bytes) => countNewlines(bytes),
  next: (bytes, from) => bytes.indexOf(LF, from),
  previous: (bytes, before) => (before <= 0 ? -1 : bytes.lastIndexOf(LF, before - 1)),
  behindNth(bytes, n) {
    let left = n;
    let block = 0;
    for (; block < bytes.length; block += BLOCK_BYTES) {
      const inBlock = countNewlines(bytes, block, Math.min(block + BLOCK_BYTES, bytes.length));
      if (inBlock >= left) break;
      left -= inBlock;
    }
    let at = block - 1;
    for (; left > 0; left--) {
      at = bytes.indexOf(LF, at + 1);
      if (at === -1) return -1;
    }
    return at + 1;
  },
  returnBefore: (bytes, at, from) => (at > from && bytes[at - 1] === CR ? 1 : 0),
  endsLine: (bytes) => bytes.at(-1) === LF,
};

/** `low` is the offset of the low byte within a unit. */
function wideScanner(low: 0 | 1): NewlineScanner {
  const high = 1 - low;
  const isUnit = (bytes: Uint8Array, at: number, unit: number) =>
    bytes[at + low] === unit && bytes[at + high] === 0;
  const next = (bytes: Uint8Array, from: number): number => {
    let hit = bytes.indexOf(LF, from + low);
    while (hit !== -1) {
      const start = hit - low;
      if (start % 2 === 0 && isUnit(bytes, start, LF)) return start;
      hit = bytes.indexOf(LF, hit + 1);
    }
    return -1;
  };
  return {
    unit: 2,
    count(bytes) {
      let count = 0;
      for (let at = next(bytes, 0); at !== -1; at = next(bytes, at + 2)) count++;
      return count;
    },
    next,
    previous(bytes, before) {
      for (let at = before - 2 - (before % 2); at >= 0; at -= 2) if (isUnit(bytes, at, LF)) return at;
      return -1;
    },
    behindNth(bytes, n) {
      let at = -2;
      for (let left = n; left > 0; left--) {
        at = next(bytes, at + 2);
        if (at === -1) return -1;
      }
      return at + 2;
    },
    returnBefore: (bytes, at, from) => (at - 2 >= from && isUnit(bytes, at - 2, CR) ? 2 : 0),
    endsLine: (bytes) => bytes.length >= 2 && bytes.length % 2 === 0 && isUnit(bytes, bytes.length - 2, LF),
  };
}

/** The scanner for a whole file as it lies there: only a BOM makes its units wide. */
export function scannerOf(bytes: Uint8Array): NewlineScanner {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return scannerFor("utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return scannerFor("utf-16be");
  return byteScanner;
}

/** Lines of a whole file, as `read` counts them: a BOM alone is none. */
export function countLinesOf(bytes: Uint8Array): number {
  const scanner = scannerOf(bytes);
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.subarray(scanner.unit === 2 ? 2 : isMarked ? 3 : 0);
  if (text.length === 0) return 0;
  return scanner.count(text) + (scanner.endsLine(text) ? 0 : 1);
}
