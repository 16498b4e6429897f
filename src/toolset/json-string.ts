/**
 * Owns reading one quoted string of a JSON-like text.
 * Leaves everything around it to json-repair.ts.
 * Rule: raw newlines and tabs are what they look like; any other doubt has no right answer. `"C:\dev"` may mean
 * two things, so a caller that changes something refuses it and one that changes nothing takes it literally.
 */

/** Where a reading stands, and what was done to get there. */
export interface Cursor {
  readonly text: string;
  at: number;
  readonly unknownEscapes: "refuse" | "literal";
  /** What was repaired, in words: `single quotes`. */
  readonly repairs: Set<string>;
  /** Escapes that JSON does not know and that were taken literally: `\d`. */
  readonly escapes: Set<string>;
}

/** Ends a reading; caught in json-repair.ts alone. */
export class StopReading extends Error {
  readonly truncated: boolean;
  readonly position: number;
  constructor(stop: { truncated: boolean; position: number; message: string }) {
    super(stop.message);
    this.truncated = stop.truncated;
    this.position = stop.position;
  }
}

const SIMPLE: Readonly<Record<string, string>> = Object.freeze({
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
});

/** Reads the string that starts at the cursor, which stands on its opening quote. */
export function readString(cursor: Cursor): string {
  const { text } = cursor;
  const quote = text.charCodeAt(cursor.at);
  if (quote === 0x27) cursor.repairs.add("single quotes");
  let out = "";
  let from = cursor.at + 1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      cursor.at = at + 1;
      return out + text.slice(from, at);
    }
    if (code === 0x5c) {
      cursor.at = at;
      out += text.slice(from, at) + readEscape(cursor, quote);
      from = cursor.at;
      at = from - 1;
    } else if (code < 0x20) cursor.repairs.add("raw control characters in a string");
  }
  throw new StopReading({ truncated: true, position: text.length, message: "the text ends inside a string" });
}

function readEscape(cursor: Cursor, quote: number): string {
  const { text, at } = cursor;
  const next = text[at + 1];
  if (next === undefined)
    throw new StopReading({
      truncated: true,
      position: text.length,
      message: "the text ends inside a string",
    });
  const simple = Object.hasOwn(SIMPLE, next) ? SIMPLE[next] : undefined;
  if (simple !== undefined || next.charCodeAt(0) === quote) {
    cursor.at = at + 2;
    return simple ?? next;
  }
  if (next === "u") {
    const digits = text.slice(at + 2, at + 6);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) {
      cursor.at = at + 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (digits.length < 4 && /^[0-9a-fA-F]*$/.test(digits))
      throw new StopReading({
        truncated: true,
        position: text.length,
        message: "the text ends inside a string",
      });
  }
  const shown = `\\${String.fromCodePoint(text.codePointAt(at + 1) ?? 0)}`;
  if (cursor.unknownEscapes === "refuse")
    throw new StopReading({
      truncated: false,
      position: at,
      message: `${JSON.stringify(shown).slice(1, -1).replaceAll("\\\\", "\\")} is no JSON escape; write a backslash as \\\\`,
    });
  cursor.escapes.add(shown);
  cursor.at = at + 1;
  return "\\";
}
