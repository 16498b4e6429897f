/**
 * Owns reading the multi-byte encodings that came before Unicode, and guessing which of them a sample is in.
 * Leaves writing them to nobody: only ASCII is ever written into such a file.
 * Rule: as in utf-8.ts, a byte that the encoding does not know is shown alone as windows-1252, never as U+FFFD,
 * and what a character becomes depends on its own bytes alone.
 */
import { TextDecoder } from "node:util";
import { decodeStrayByte } from "./utf-8.ts";

export type LegacyEncoding = "gb18030" | "shift_jis" | "euc-jp" | "euc-kr" | "big5";

/** The names that the guesser gives. It has single-byte answers too; those are not told apart from noise and stay out. */
const GUESSES: ReadonlyMap<string, LegacyEncoding> = new Map([
  ["GB18030", "gb18030"],
  ["Shift_JIS", "shift_jis"],
  ["EUC-JP", "euc-jp"],
  ["EUC-KR", "euc-kr"],
  ["Big5", "big5"],
]);

/**
 * The guesser gives 10 to every multi-byte encoding that fits at all and 90 to 100 to a line of real text; Western,
 * Greek and Cyrillic text in single bytes gets 30 to 66 under its own name.
 */
const CONFIDENT = 70;

/** Enough text for the guesser's statistics; it takes half a millisecond a KiB. */
const GUESS_BYTES = 8192;

/** The longest character: four bytes, in gb18030. */
const MAX_CHARACTER = 4;

/** One decoder and one memory of pairs for each encoding, made at its first use: a decoder costs more than a line. */
interface Reader {
  readonly decoder: TextDecoder;
  /** By first and second byte: how long the character is; 0 is not known yet, LONGER needs a look at more bytes. */
  readonly lengths: Uint8Array;
}
const readers = new Map<LegacyEncoding, Reader>();
const LONGER = 255;

function getReader(encoding: LegacyEncoding): Reader {
  const existing = readers.get(encoding);
  if (existing !== undefined) return existing;
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const reader: Reader = { decoder, lengths: new Uint8Array(0x10000) };
  readers.set(encoding, reader);
  return reader;
}

function decodeStrictly(encoding: LegacyEncoding, bytes: Uint8Array): string | undefined {
  try {
    return getReader(encoding).decoder.decode(bytes);
  } catch {
    // A decoder that has failed may keep half a character.
    readers.set(encoding, {
      ...getReader(encoding),
      decoder: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }),
    });
    return undefined;
  }
}

export function decodeLegacy(bytes: Uint8Array, encoding: LegacyEncoding): string {
  const whole = decodeStrictly(encoding, bytes);
  if (whole !== undefined) return whole;
  const parts: string[] = [];
  let start = 0;
  let at = 0;
  const flush = (): void => {
    if (at > start) parts.push(decodeStrictly(encoding, bytes.subarray(start, at)) ?? "");
  };
  while (at < bytes.length) {
    const length = findLegacyLength(bytes, at, encoding);
    if (length > 0) {
      at += length;
      continue;
    }
    flush();
    parts.push(decodeStrayByte(bytes[at] as number));
    at++;
    start = at;
  }
  flush();
  return parts.join("");
}

/** Bytes of the character that starts at `at`, or 0 where the encoding knows none. */
export function findLegacyLength(bytes: Uint8Array, at: number, encoding: LegacyEncoding): number {
  const lead = bytes[at] ?? 0xff;
  if (lead < 0x80) return 1;
  const { lengths } = getReader(encoding);
  const pair = (lead << 8) | (bytes[at + 1] ?? 0);
  const known = lengths[pair] ?? 0;
  if (known !== 0 && known !== LONGER) return known;
  // The shortest run of bytes that decodes is the character: no encoding here has one that begins with another.
  for (let length = known === LONGER ? 3 : 1; length <= MAX_CHARACTER; length++) {
    if (at + length > bytes.length) break;
    if (decodeStrictly(encoding, bytes.subarray(at, at + length)) === undefined) continue;
    if (length <= 2) lengths[pair] = length;
    return length;
  }
  if (at + 1 < bytes.length) lengths[pair] = LONGER;
  return 0;
}

/**
 * The legacy encoding of a sample that is not UTF-8, where the guess is confident and every byte of the sample fits
 * it. Anything less stays undefined: a wrong guess shows nonsense, none shows the ASCII part and says what it is.
 * The guesser is loaded here because almost no file ever needs it.
 */
export async function guessLegacyEncoding(sample: Uint8Array): Promise<LegacyEncoding | undefined> {
  const { analyse } = await import("chardet");
  const first = sample.findIndex((byte) => byte >= 0x80);
  const start = sample.lastIndexOf(0x0a, first) + 1;
  const best = analyse(sample.subarray(start, start + GUESS_BYTES))[0];
  const encoding = best === undefined || best.confidence < CONFIDENT ? undefined : GUESSES.get(best.name);
  if (encoding === undefined) return undefined;
  try {
    // As a stream, so that a last character that the sample cuts off is no error.
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return encoding;
  } catch {
    return undefined;
  }
}
