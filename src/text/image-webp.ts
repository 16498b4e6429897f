/**
 * Owns the structure of WebP files: a RIFF container of chunks, lossy, lossless or extended.
 * Leaves the bit streams alone but for the dimensions at their start. Rule: the container's own length must be there.
 */
import { type ImageStructure, TRUNCATED } from "./image-structure.ts";

const FIRST_CHUNK = 12;
/** Where the dimensions of a lossless picture end; those of the other two kinds end later. */
const LOSSLESS_END = 25;
const HEADER_END = 30;

export function inspectWebp(bytes: Buffer): ImageStructure {
  const size = readSize(bytes);
  const fault = findFault(bytes);
  return { ...(size === undefined ? {} : { size }), ...(fault === undefined ? {} : { fault }) };
}

function readSize(bytes: Buffer): ImageStructure["size"] {
  const type = bytes.toString("latin1", 12, 16);
  if (bytes.length < (type === "VP8L" ? LOSSLESS_END : HEADER_END)) return undefined;
  switch (type) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function findFault(bytes: Buffer): string | undefined {
  if (bytes.length < FIRST_CHUNK + 8) return TRUNCATED;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return TRUNCATED;
  let pixels = false;
  let at = FIRST_CHUNK;
  while (at + 8 <= end) {
    const type = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return `${TRUNCATED}: its ${type.trim()} chunk is longer than the file`;
    if (type === "VP8 " || type === "VP8L" || type === "ANMF") pixels = true;
    at += 8 + length + (length & 1);
  }
  return pixels ? undefined : "no picture in it";
}
