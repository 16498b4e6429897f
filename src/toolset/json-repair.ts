/**
 * Owns reading arguments that come as text: JSON, or what models write when they mean JSON.
 * Leaves what the values mean to normalise.ts.
 * Rule: a repair changes how a text is written, never what it says. A text that ends too early is never
 * completed: half of a file's content that is written as if it were all of it is the worst of outcomes, and
 * it is what the common repair libraries do.
 */
import { repeatsNames } from "./json-names.ts";
import { type Cursor, readString, StopReading } from "./json-string.ts";

export type JsonReading =
  | {
      readonly kind: "value";
      readonly value: unknown;
      readonly repairs: readonly string[];
      readonly escapes: readonly string[];
    }
  | { readonly kind: "truncated" }
  | { readonly kind: "broken"; readonly message: string };

export interface ReadingRules {
  /** `refuse` for calls that change something. */
  readonly unknownEscapes: "refuse" | "literal";
}

/** Deeper than any arguments; a stack is not to be overflowed by brackets. */
const MAX_DEPTH = 100;
/** A text inside a text inside a text: models encode twice, now and then three times. */
const MAX_ENCODINGS = 3;

/** Reads a text; where the value is itself a text that holds an object or array, that is read too. */
export function readJson(text: string, rules: ReadingRules): JsonReading {
  const repairs = new Set<string>();
  const escapes = new Set<string>();
  let value: unknown = text;
  for (let round = 0; round < MAX_ENCODINGS && typeof value === "string"; round++) {
    if (round > 0 && !/^\s*(?:[{["']|```)/.test(value)) break;
    if (round > 0) repairs.add("encoded twice");
    const read = readOnce(value, { ...rules, repairs, escapes });
    if (read.kind !== "value") return read;
    value = read.value;
  }
  return { kind: "value", value, repairs: [...repairs], escapes: [...escapes] };
}

interface Tally extends ReadingRules {
  readonly repairs: Set<string>;
  readonly escapes: Set<string>;
}

function readOnce(
  text: string,
  tally: Tally,
): { kind: "value"; value: unknown } | Exclude<JsonReading, { kind: "value" }> {
  try {
    const value: unknown = JSON.parse(text);
    if (!repeatsNames(text, value)) return { kind: "value", value };
    // The last of two values would be taken without a word: read by hand, which refuses that.
  } catch {
    // Not JSON as it stands: read it by hand below.
  }
  const cursor: Cursor = { ...tally, text: stripFence(text, tally.repairs), at: 0 };
  try {
    skipBlanks(cursor);
    const value = readValue(cursor, 0);
    skipBlanks(cursor);
    if (cursor.at < cursor.text.length) throw stop(cursor, "there is more text after the value");
    return { kind: "value", value };
  } catch (error) {
    if (!(error instanceof StopReading)) throw error;
    if (error.truncated) return { kind: "truncated" };
    return { kind: "broken", message: `${error.message} (${describePosition(cursor.text, error.position)})` };
  }
}

function stripFence(text: string, repairs: Set<string>): string {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const opening = /^```[A-Za-z0-9_-]*[ \t]*\r?\n?/.exec(trimmed);
  if (opening === null) return trimmed;
  repairs.add("code fence");
  const inside = trimmed.slice(opening[0].length);
  return inside.endsWith("```") ? inside.slice(0, -3) : inside;
}

function readValue(cursor: Cursor, depth: number): unknown {
  const char = cursor.text[cursor.at];
  if (char === undefined) throw end(cursor);
  if (depth > MAX_DEPTH) throw stop(cursor, `nested deeper than ${MAX_DEPTH} levels`);
  if (char === "{") return readObject(cursor, depth);
  if (char === "[") return readArray(cursor, depth);
  if (char === '"' || char === "'") return readString(cursor);
  return readWord(cursor, depth);
}

function readObject(cursor: Cursor, depth: number): unknown {
  const out: Record<string, unknown> = Object.create(null);
  cursor.at += 1;
  for (let first = true; ; first = false) {
    if (endsHere(cursor, "}", first)) return out;
    const start = cursor.at;
    const key = readKey(cursor);
    skipBlanks(cursor);
    if (cursor.at >= cursor.text.length) throw end(cursor);
    if (cursor.text[cursor.at] !== ":") throw stop(cursor, '":" is expected after a name');
    cursor.at += 1;
    skipBlanks(cursor);
    const value = readValue(cursor, depth + 1);
    if (Object.hasOwn(out, key) && JSON.stringify(out[key]) !== JSON.stringify(value))
      throw stop({ ...cursor, at: start }, `${JSON.stringify(key)} is given twice, with two values`);
    out[key] = value;
  }
}

function readArray(cursor: Cursor, depth: number): unknown {
  const out: unknown[] = [];
  cursor.at += 1;
  for (let first = true; ; first = false) {
    if (endsHere(cursor, "]", first)) return out;
    out.push(readValue(cursor, depth + 1));
  }
}

/** Takes the comma before a next member, and says whether the bracket closes instead. */
function endsHere(cursor: Cursor, closing: string, first: boolean): boolean {
  skipBlanks(cursor);
  const char = cursor.text[cursor.at];
  if (char === undefined) throw end(cursor);
  if (char === closing) {
    cursor.at += 1;
    return true;
  }
  if (first) return false;
  if (char !== ",")
    throw stop(cursor, `"," or "${closing}" is expected; a quote inside a string is written \\"`);
  cursor.at += 1;
  skipBlanks(cursor);
  if (cursor.text[cursor.at] === undefined) throw end(cursor);
  if (cursor.text[cursor.at] !== closing) return false;
  cursor.repairs.add("trailing comma");
  cursor.at += 1;
  return true;
}

function readKey(cursor: Cursor): string {
  const char = cursor.text[cursor.at];
  if (char === '"' || char === "'") return readString(cursor);
  const bare = /[A-Za-z_$-][\w$-]*/y;
  bare.lastIndex = cursor.at;
  const found = bare.exec(cursor.text);
  if (found === null) throw stop(cursor, "a name in quotes is expected");
  cursor.at += found[0].length;
  cursor.repairs.add("bare keys");
  return found[0];
}

const WORDS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

function readWord(cursor: Cursor, depth: number): unknown {
  const pattern = /[^\s,:{}[\]"'`/#]+/y;
  pattern.lastIndex = cursor.at;
  const word = pattern.exec(cursor.text)?.[0];
  if (word === undefined) throw stop(cursor, "a value is expected");
  const atEnd = cursor.at + word.length === cursor.text.length;
  if (WORDS.has(word) || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) {
    // A number or word at the very end of an open bracket is caught by whoever waits for that bracket.
    cursor.at += word.length;
    if (/^[TFN]/.test(word)) cursor.repairs.add("Python literals");
    return WORDS.has(word) ? WORDS.get(word) : Number(word);
  }
  const begun =
    [...WORDS.keys()].some((whole) => whole.startsWith(word)) || /^-?\d*(?:\.\d*)?[eE]?[+-]?$/.test(word);
  // Without a bracket before it, nothing was begun that could have been cut off.
  if (atEnd && begun && depth > 0) throw end(cursor);
  throw stop(cursor, `${JSON.stringify(clip(word, 40))} is no JSON value; text stands in quotes`);
}

function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const char = text[cursor.at];
    if (char === undefined) return;
    if (/\s/.test(char)) cursor.at += 1;
    else if (char === "#" || text.startsWith("//", cursor.at)) skipComment(cursor, "\n");
    else if (text.startsWith("/*", cursor.at)) skipComment(cursor, "*/");
    else if (char === "/" && cursor.at + 1 === text.length) throw end(cursor);
    else return;
  }
}

function skipComment(cursor: Cursor, closing: string): void {
  cursor.repairs.add("comments");
  const found = cursor.text.indexOf(closing, cursor.at + (closing === "*/" ? 2 : 1));
  if (found < 0 && closing === "*/") throw end(cursor);
  cursor.at = found < 0 ? cursor.text.length : found + closing.length;
}

function end(cursor: Cursor): StopReading {
  return new StopReading({
    truncated: true,
    position: cursor.text.length,
    message: "the text ends too early",
  });
}

function stop(cursor: Cursor, message: string): StopReading {
  return new StopReading({ truncated: false, position: cursor.at, message });
}

/** `at character 17: say ▸"hi"`: the place, counted from 1, with what stands there. */
function describePosition(text: string, at: number): string {
  let character = 1;
  for (let unit = 0; unit < at; unit++) if ((text.charCodeAt(unit) & 0xfc00) !== 0xdc00) character++;
  const around = `${text.slice(Math.max(0, at - 12), at)}▸${text.slice(at, at + 12)}`.toWellFormed();
  return `at character ${character}: ${around.replace(/\s+/g, " ").trim()}`;
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
