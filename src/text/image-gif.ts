/**
 * Owns the structure of GIF files: a screen, then blocks made of sub-blocks, then a trailer.
 * Leaves the packed pixels alone. Rule: a file without its trailer is cut off.
 */
import { type ImageStructure, TRUNCATED } from "./image-structure.ts";

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const SCREEN_END = 13;

export function inspectGif(bytes: Buffer): ImageStructure {
  if (bytes.length < SCREEN_END) return { fault: TRUNCATED };
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const fault = findFault(bytes);
  return fault === undefined ? { size } : { size, fault };
}

function findFault(bytes: Buffer): string | undefined {
  let at = SCREEN_END + measureColours(bytes[10] as number);
  let images = 0;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === TRAILER) return images > 0 ? undefined : "no picture before its trailer";
    if (block === EXTENSION) {
      at = skipSubBlocks(bytes, at + 2);
    } else if (block === IMAGE) {
      images++;
      // Position, size and flags, the colours, one byte of code size, the pixels.
      at = skipSubBlocks(bytes, at + 10 + measureColours(bytes[at + 9] ?? 0) + 1);
    } else {
      return "a block of unknown kind";
    }
  }
  return `${TRUNCATED}: no trailer`;
}

/** Bytes of the colour table that these flags announce. */
function measureColours(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function skipSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] as number;
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length;
}
