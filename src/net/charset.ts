/**
 * Owns which encoding the bytes of a response are in, and their text.
 * Leaves UTF-8 and the guesses to text/, whether they are text at all to content.ts. No I/O.
 * Rule: a BOM decides, then the header, then what the document says of itself, then the bytes. No label and no bytes
 * throw, and what did not fit is said.
 */
import { TextDecoder } from "node:util";
import { decode, firstInvalidUtf8 } from "../text/encodings.ts";
import { guessLegacyEncoding } from "../text/legacy-encodings.ts";
import { decodeStrayByte, isUtf8Prefix } from "../text/utf-8.ts";
import type { TextKind } from "./media-type.ts";

export interface Charset {
  /** The standard's name of the encoding that is used: `shift_jis`. */
  readonly encoding: string;
  readonly from: "bom" | "header" | "document" | "bytes";
  /** A label that names no encoding. */
  readonly unknownLabel?: string;
}

/** How far the standard for HTML looks for a declaration, and four times that: long scripts stand before it in practice. */
const PRESCAN_BYTES = 4096;

export async function findCharset(of: {
  readonly body: Uint8Array;
  readonly label: string | undefined;
  readonly kind: TextKind;
}): Promise<Charset> {
  const { body, label, kind } = of;
  const marked = readBom(body);
  if (marked !== undefined) return { encoding: marked, from: "bom" };
  let unknownLabel: string | undefined;
  for (const from of ["header", "document"] as const) {
    const given = from === "header" ? label : readDeclaration(body, kind);
    const encoding = given === undefined ? undefined : findEncoding(given);
    if (encoding !== undefined)
      return { encoding: from === "header" ? encoding : asDeclared(encoding), from, ...told() };
    unknownLabel ??= given;
  }
  if (unknownLabel !== undefined || isUtf8Prefix(body))
    return { encoding: "utf-8", from: "bytes", ...told() };
  return { encoding: (await guessLegacyEncoding(body.subarray(0, 65_536))) ?? "windows-1252", from: "bytes" };

  function told(): { unknownLabel?: string } {
    return unknownLabel === undefined ? {} : { unknownLabel: unknownLabel.slice(0, 40).toWellFormed() };
  }
}

function readBom([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** A declaration that could be read as ASCII does not stand in UTF-16, whatever it says. */
function asDeclared(encoding: string): string {
  return encoding.startsWith("utf-16") ? "utf-8" : encoding;
}

/** The standard's name for a label. `x-user-defined` and `replacement` are encodings of no text that anybody writes. */
function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

const META = /<meta\s[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)/i;
const XML_DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/i;
const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
const CSS_CHARSET = /^@charset "([A-Za-z0-9._:-]+)";/;

function readDeclaration(body: Uint8Array, kind: TextKind): string | undefined {
  const head = Buffer.from(body.subarray(0, PRESCAN_BYTES)).toString("latin1");
  if (kind === "html") return META.exec(head.replace(COMMENTS, ""))?.[1] ?? XML_DECLARATION.exec(head)?.[1];
  if (kind === "xml") return XML_DECLARATION.exec(head)?.[1];
  return kind === "plain" ? CSS_CHARSET.exec(head)?.[1] : undefined;
}

export interface DecodedText {
  readonly text: string;
  /** Whether some bytes are none of the encoding's. */
  readonly isDamaged: boolean;
}

/** The text without its BOM. A body that was cut may end inside a character, which is left out then. */
export function decodeText(of: {
  readonly body: Uint8Array;
  readonly encoding: string;
  readonly isCut: boolean;
}): DecodedText {
  const { body, encoding, isCut } = of;
  if (encoding === "utf-8") return decodeAsUtf8(isCut ? trimCutCharacter(body) : body);
  // By our own table: some versions of Node decode it as latin1.
  if (encoding === "windows-1252") return { text: decodeWestern(body), isDamaged: false };
  const text = new TextDecoder(encoding).decode(body, { stream: isCut }).toWellFormed();
  return { text, isDamaged: !decodesStrictly(of) };
}

function decodesStrictly(of: {
  readonly body: Uint8Array;
  readonly encoding: string;
  readonly isCut: boolean;
}): boolean {
  try {
    new TextDecoder(of.encoding, { fatal: true }).decode(of.body, { stream: of.isCut });
    return true;
  } catch {
    return false;
  }
}

function decodeAsUtf8(body: Uint8Array): DecodedText {
  const text = decode(body, "utf-8");
  return { text: text.startsWith("\ufeff") ? text.slice(1) : text, isDamaged: firstInvalidUtf8(body) >= 0 };
}

function trimCutCharacter(body: Uint8Array): Uint8Array {
  const bad = firstInvalidUtf8(body);
  return bad >= 0 && isUtf8Prefix(body) ? body.subarray(0, bad) : body;
}

function decodeWestern(body: Uint8Array): string {
  return Buffer.from(body)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (character) => decodeStrayByte(character.charCodeAt(0)));
}
