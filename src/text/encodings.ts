/**
 * Owns which encoding a file's bytes are in, and going from bytes to text and back.
 * Leaves UTF-8 to utf-8.ts, the older encodings to legacy-encodings.ts, binary files to kinds.ts.
 * Rule: `decode` loses nothing silently, gives well-formed text, and decodes pages that end between characters
 * as it decodes the whole. A BOM is a character like any other here; who shows text cuts `bomBytes` off first.
 */
import {
  decodeLegacy,
  findLegacyLength,
  guessLegacyEncoding,
  type LegacyEncoding,
} from "./legacy-encodings.ts";
import { asBuffer, decodeUtf8, findUtf8Length, isUtf8Prefix } from "./utf-8.ts";

export type { LegacyEncoding } from "./legacy-encodings.ts";
export { firstInvalidUtf8 } from "./utf-8.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding;

export interface TextForm {
  readonly encoding: Encoding;
  readonly bomBytes: 0 | 2 | 3;
}

/** With the `u` flag a surrogate pair is one character, so that only lone ones match. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/**
 * The form of a file by its first bytes (at most 64 KiB are worth giving). A BOM decides. Without one, valid UTF-8
 * is UTF-8 wherever the sample ends, and so is everything that is no legacy encoding beyond doubt.
 */
export async function detectForm(sample: Uint8Array): Promise<TextForm> {
  const [first, second, third] = sample;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8", bomBytes: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", bomBytes: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", bomBytes: 2 };
  if (isUtf8Prefix(sample)) return { encoding: "utf-8", bomBytes: 0 };
  return { encoding: (await guessLegacyEncoding(sample)) ?? "utf-8", bomBytes: 0 };
}

/** The text of bytes. In UTF-16 a lone surrogate and a last half unit become U+FFFD: no text could hold them. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "utf-8") return decodeUtf8(bytes);
  if (encoding !== "utf-16le" && encoding !== "utf-16be") return decodeLegacy(bytes, encoding);
  const whole = bytes.length & ~1;
  const units = asBuffer(bytes).subarray(0, whole);
  // swap16 works in place, and the bytes are not ours.
  const text = (encoding === "utf-16le" ? units : Buffer.from(units).swap16()).toString("utf16le");
  return text.replace(LONE_SURROGATE, "\ufffd") + (bytes.length > whole ? "\ufffd" : "");
}

/** The bytes of a text, without a BOM of its own; undefined where the encoding is one that we read only and the text is not ASCII. */
export function encode(text: string, encoding: Encoding): Buffer | undefined {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  // Not latin1 with a later check: its encoder would fold U+0141 to "A" silently.
  return /^[\0-\x7f]*$/.test(text) ? Buffer.from(text, "latin1") : undefined;
}

/** Bytes of the character that starts at `at`, as `decode` reads it: a stray byte is a character of one byte. */
export function characterBytes(bytes: Uint8Array, at: number, encoding: Encoding): number {
  if (encoding === "utf-8") return findUtf8Length(bytes, at) || 1;
  if (encoding === "utf-16le") return measureUtf16(bytes, at, 1);
  if (encoding === "utf-16be") return measureUtf16(bytes, at, 0);
  return findLegacyLength(bytes, at, encoding) || 1;
}

/** `high` is where the high byte of a unit stands in it. */
function measureUtf16(bytes: Uint8Array, at: number, high: 0 | 1): number {
  if (at + 1 >= bytes.length) return 1;
  const leads = ((bytes[at + high] ?? 0) & 0xfc) === 0xd8;
  return leads && at + 3 < bytes.length && ((bytes[at + 2 + high] ?? 0) & 0xfc) === 0xdc ? 4 : 2;
}
