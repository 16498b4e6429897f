/**
 * Owns names of files as text: bytes, "binary" strings (one character a byte, so that their order is the order of bytes)
 * and strings to match patterns against. Leaves showing names to root/show-name.ts.
 * Rule: every name has one of each, whether it is UTF-8 or not.
 */
import { isUtf8 } from "node:buffer";

const NON_ASCII = /[\x80-\xff]/;

/** The bytes of a binary string. */
export function bytesOfBinary(binary: string): Buffer {
  return Buffer.from(binary, "latin1");
}

export function binaryOfText(text: string): string {
  return NON_ASCII_TEXT.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}
const NON_ASCII_TEXT = /[^\x00-\x7f]/;

/** The text of a binary string where it is valid UTF-8; else undefined. */
export function findText(binary: string): string | undefined {
  if (!NON_ASCII.test(binary)) return binary;
  const bytes = bytesOfBinary(binary);
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** A string to match against: a byte that is no UTF-8 becomes a lone surrogate, which no pattern spells but `?` and `*` take. */
export function matchableText(binary: string): string {
  const text = findText(binary);
  if (text !== undefined) return text;
  let out = "";
  for (const character of binary) {
    const code = character.charCodeAt(0);
    out += code < 0x80 ? character : String.fromCharCode(0xdc00 + code);
  }
  return out;
}

/** Compares binary strings by bytes. */
export function compareBinary(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
