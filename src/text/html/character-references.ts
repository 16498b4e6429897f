/**
 * Owns reading character references in text and in attributes: `&amp;`, `&#8230;`, `&copy` without its semicolon.
 * Leaves the names to named-characters.ts. No I/O.
 * Rule: as the HTML standard reads them; what is no reference stays as it is.
 */
import { findNamedCharacter } from "./named-characters.ts";

/** No name is longer than 31 characters; a longer run is text. */
const REFERENCE = /&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z][A-Za-z0-9]{1,31}))(;?)/g;

export interface ReferenceOptions {
  /** In an attribute `&copy=1` and `&copyx` are parts of a URL. */
  readonly inAttribute: boolean;
}

export function decodeReferences(text: string, options: ReferenceOptions): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole, hex, decimal, name, semicolon, offset: number) => {
    if (typeof hex === "string") return decodeNumber(Number.parseInt(hex, 16));
    if (typeof decimal === "string") return decodeNumber(Number.parseInt(decimal, 10));
    const follows = text[offset + whole.length] ?? "";
    return decodeName({ name, semicolon, follows, ...options }) ?? whole;
  });
}

/** What the standard makes of the numbers 0x80 to 0x9f: they were meant as windows-1252. */
const WESTERN = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function decodeNumber(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WESTERN[code - 0x80] ?? "\ufffd";
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  return String.fromCodePoint(code);
}

function decodeName(of: {
  readonly name: string;
  readonly semicolon: string;
  readonly follows: string;
  readonly inAttribute: boolean;
}): string | undefined {
  const { name, semicolon } = of;
  if (semicolon !== "") {
    const whole = findNamedCharacter(name);
    if (whole !== undefined) return whole.characters;
  }
  // The longest beginning that is known without a semicolon; `&` and at least two letters, at most six.
  for (let length = Math.min(name.length, 6); length >= 2; length--) {
    const found = findNamedCharacter(name.slice(0, length));
    if (found?.isLegacy !== true) continue;
    const rest = name.slice(length) + semicolon;
    if (of.inAttribute && /^[A-Za-z0-9=]/.test(rest + of.follows)) return undefined;
    return found.characters + rest;
  }
  return undefined;
}
