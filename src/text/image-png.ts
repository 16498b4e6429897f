/**
 * Owns the structure of PNG files: chunks with a length, a type and a checksum, from IHDR to IEND.
 * Leaves the pixels inside IDAT alone. Rule: every checksum is checked, since image services refuse a wrong one.
 */
import { type ImageStructure, TRUNCATED } from "./image-structure.ts";

const FIRST_CHUNK = 8;
/** Length and type before the data of a chunk, and the checksum behind it. */
const FRAME = 12;

export function inspectPng(bytes: Buffer): ImageStructure {
  if (bytes.length < FIRST_CHUNK + FRAME + 13) return { fault: TRUNCATED };
  if (bytes.toString("latin1", 12, 16) !== "IHDR" || bytes.readUInt32BE(8) !== 13) {
    return { fault: "no IHDR chunk at its start" };
  }
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const fault = findFault(bytes);
  return fault === undefined ? { size } : { size, fault };
}

function findFault(bytes: Buffer): string | undefined {
  let at = FIRST_CHUNK;
  let pixels = false;
  while (at + FRAME <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + FRAME + length;
    if (end > bytes.length) return TRUNCATED;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) return "a chunk without a type";
    if (checksum(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return `bad checksum in ${type}`;
    if (type === "IDAT") pixels = true;
    if (type === "IEND") return pixels ? undefined : "no pixels (no IDAT chunk)";
    at = end;
  }
  return TRUNCATED;
}

/** Loaded for the image that needs it: most calls see none. */
function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule("node:zlib").crc32(bytes);
}
