/**
 * Owns the structure of JPEG files: marked segments, coded scans between them, an end marker.
 * Leaves the scans themselves alone. Rule: a thumbnail inside metadata is skipped with its segment, so that its size
 * is never taken for the picture's.
 */
import { type ImageStructure, TRUNCATED } from "./image-structure.ts";

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

export function inspectJpeg(bytes: Buffer): ImageStructure {
  let size: ImageStructure["size"];
  const tell = (fault: string): ImageStructure => (size === undefined ? { fault } : { size, fault });
  let scans = 0;
  let at = 2;
  for (;;) {
    if (at >= bytes.length) return tell(scans > 0 ? `${TRUNCATED}: no end marker` : TRUNCATED);
    if (bytes[at] !== 0xff) return tell("a segment without a marker");
    // Any number of fill bytes may stand before a marker.
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at++];
    if (marker === undefined) continue;
    if (marker === END_OF_IMAGE) {
      if (size === undefined || scans === 0) return tell("no picture before its end marker");
      return { size };
    }
    if (isBare(marker)) continue;
    const length = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : Number.POSITIVE_INFINITY;
    if (length < 2) return tell("a segment of impossible length");
    if (at + length > bytes.length) return tell(TRUNCATED);
    if (isFrame(marker)) {
      if (length < 8) return tell("a frame header that is too short");
      size ??= { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) };
    }
    at += length;
    if (marker === START_OF_SCAN) {
      scans++;
      at = skipScan(bytes, at);
    }
  }
}

/** Restart markers and TEM stand alone. */
function isBare(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
}

/** Start of frame, of any process; three codes of that range mean other things. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The next marker after coded data, in which 0xFF is followed by a zero or a restart marker. */
function skipScan(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const mark = bytes.indexOf(0xff, at);
    if (mark < 0 || mark + 1 >= bytes.length) return bytes.length;
    const next = bytes[mark + 1] as number;
    if (next !== 0 && next !== 0xff && !isBare(next)) return mark;
    at = next === 0xff ? mark + 1 : mark + 2;
  }
}
