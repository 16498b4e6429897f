/**
 * Owns reading bytes as symbols of an alphabet, forwards and backwards.
 * Leaves stepping the automaton to the finders. Rule: valid UTF-8 is read by characters, any other byte alone as the
 * invalid symbol, which no set holds; `\r\n` is one newline unless the pattern speaks of `\r` itself.
 */
import { type Alphabet, classOf } from "./alphabet.ts";

export interface SymbolReader {
  /** The class of an ASCII byte; -1 for bytes that need `read`. */
  readonly ascii: Int16Array;
  /** The symbol that starts at `at`: its class, plus its length in bytes times `LENGTH`. */
  read(bytes: Uint8Array, at: number, end: number): number;
  /** The symbol that ends before `at`, likewise. */
  readBefore(bytes: Uint8Array, at: number, start: number): number;
}

export const LENGTH = 0x10000;

export function makeSymbolReader(alphabet: Alphabet, joinsReturn: boolean): SymbolReader {
  const ascii = new Int16Array(256).fill(-1);
  for (let code = 0; code < 128; code++) ascii[code] = classOf(alphabet, code);
  const carriage = ascii[13] as number;
  if (joinsReturn) ascii[13] = -1;
  // Made where the first character beyond ASCII is met.
  let basic: Int32Array | undefined;
  const classOfCode = (code: number): number => {
    if (code > 0xffff) return classOf(alphabet, code);
    basic ??= new Int32Array(0x10000).fill(-1);
    const known = basic[code] as number;
    if (known >= 0) return known;
    const found = classOf(alphabet, code);
    basic[code] = found;
    return found;
  };
  const read = (bytes: Uint8Array, at: number, end: number): number => {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      if (lead !== 13 || !joinsReturn) return LENGTH + (ascii[lead] as number);
      const joined = at + 1 < end && bytes[at + 1] === 10;
      return joined ? 2 * LENGTH + alphabet.newline : LENGTH + carriage;
    }
    const length = characterLength(bytes, at, end);
    if (length === 0) return LENGTH + alphabet.invalid;
    return length * LENGTH + classOfCode(decodeAt(bytes, at, length));
  };
  const readBefore = (bytes: Uint8Array, at: number, start: number): number => {
    const last = bytes[at - 1] as number;
    if (last === 10) {
      const joined = joinsReturn && at - 2 >= start && bytes[at - 2] === 13;
      return (joined ? 2 : 1) * LENGTH + alphabet.newline;
    }
    if (last < 0x80) return LENGTH + (last === 13 ? carriage : (ascii[last] as number));
    for (let length = 2; length <= 4 && at - length >= start; length++) {
      if (characterLength(bytes, at - length, at) !== length) continue;
      return length * LENGTH + classOfCode(decodeAt(bytes, at - length, length));
    }
    return LENGTH + alphabet.invalid;
  };
  return { ascii, read, readBefore };
}

/** The length of the valid character at `at`, 0 where none is. Follows the table of well-formed sequences in Unicode. */
function characterLength(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] as number;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  for (let i = 1; i < length; i++) {
    if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[at + 1] as number;
  // Overlong forms, surrogates, and what lies above U+10FFFF.
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  return length;
}

function decodeAt(bytes: Uint8Array, at: number, length: number): number {
  let code = (bytes[at] as number) & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
  return code;
}
