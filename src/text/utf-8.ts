/**
 * Owns reading bytes as UTF-8 without loss: which bytes are a character, where the first one stands that is
 * not, and text in which each stray byte is shown as windows-1252 has it.
 * Leaves choosing the encoding to encodings.ts.
 * Rule: what a byte becomes depends on its own character alone, so a file decoded in pages that end between
 * characters is the file decoded at once; and U+FFFD appears only where the file has U+FFFD.
 */
import { isUtf8 } from "node:buffer";

/** What windows-1252 puts at 0x80 to 0x9F. The five bytes that it leaves undefined stay U+0080 to U+009F. */
const WINDOWS_1252 =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f" + // 0x80 to 0x8F
  "\u0090‘’“”•–—˜™š›œ\u009džŸ"; // 0x90 to 0x9F

/** A byte that belongs to no character, as windows-1252 shows it: most such files are Western, and none loses a byte. */
export function decodeStrayByte(byte: number): string {
  return byte >= 0x80 && byte <= 0x9f ? WINDOWS_1252.charAt(byte - 0x80) : String.fromCharCode(byte);
}

/**
 * Bytes of the UTF-8 character that starts at `at`, or 0 where none does (Unicode, table 3-7: no overlong forms,
 * no surrogates, nothing above U+10FFFF).
 */
export function findUtf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0xff;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xe0) return isContinuation(second) ? 2 : 0;
  if (second < lowestSecond(lead) || second > highestSecond(lead)) return 0;
  if (!isContinuation(bytes[at + 2] ?? 0)) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function lowestSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
}

function highestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
}

/** The offset of the first byte that is not part of valid UTF-8, or -1. */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  return isUtf8(bytes) ? -1 : findInvalid(bytes, 0);
}

function findInvalid(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    if ((bytes[at] as number) < 0x80) {
      at++;
      continue;
    }
    const length = findUtf8Length(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Whether everything is valid but for a last character that the end cuts off. Pure ASCII is valid. */
export function isUtf8Prefix(bytes: Uint8Array): boolean {
  const bad = firstInvalidUtf8(bytes);
  if (bad < 0) return true;
  const missing = bytes.length - bad;
  if (missing > 3) return false;
  const lead = bytes[bad] as number;
  // The lowest continuation that fits completes the character exactly where it was only cut off.
  const completed = [...bytes.subarray(bad), 0x80, 0x80, 0x80];
  if (missing === 1) completed[1] = lowestSecond(lead);
  return findUtf8Length(Uint8Array.from(completed), 0) > missing;
}

/** Text of bytes that are meant to be UTF-8. A BOM is kept. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes);
  if (isUtf8(bytes)) return buffer.toString("utf8");
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const bad = findInvalid(bytes, start);
    const end = bad < 0 ? bytes.length : bad;
    if (end > start) parts.push(buffer.toString("utf8", start, end));
    if (bad < 0) return parts.join("");
    parts.push(decodeStrayByte(bytes[bad] as number));
    start = bad + 1;
  }
}

/** A view, never a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
