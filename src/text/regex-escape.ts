/**
 * Owns what stands after a backslash, and classes in brackets, in a regular expression.
 * Leaves groups and repetition to regex-syntax.ts. Rule: RE2's syntax; `\w`, `\d`, `\s` by Unicode, as in ripgrep.
 */
import {
  type CodeSet,
  findPropertySet,
  foldSet,
  getDigitSet,
  getWordSet,
  LAST_CODE,
  negateSet,
  normaliseSet,
  SPACE_SET,
} from "./code-set.ts";
import type { Assertion } from "./pattern-node.ts";
import { POSIX_CLASSES } from "./posix-classes.ts";

/** The text is no regular expression. */
export class RegexSyntaxError extends Error {}

/** The text is one, of a kind that needs backtracking. */
export class RegexUnsupportedError extends Error {
  readonly construct: string;
  /** A whole pattern that says nearly the same and may still hold another such construct. */
  readonly rewrite: string | undefined;
  constructor(construct: string, rewrite?: string) {
    super(construct);
    this.construct = construct;
    this.rewrite = rewrite;
  }
}

export type Escape =
  | { readonly kind: "set"; readonly set: CodeSet; readonly end: number }
  | { readonly kind: "code"; readonly code: number; readonly end: number }
  | { readonly kind: "assert"; readonly what: Assertion; readonly end: number };

const CONTROL: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7, 0: 0 };
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  b: "word-boundary",
  B: "no-word-boundary",
  A: "text-start",
  z: "text-end",
  Z: "text-end",
  "<": "word-start",
  ">": "word-end",
};
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads the escape whose backslash stands at `at`. */
export function readEscape(text: string, at: number): Escape {
  const next = text[at + 1];
  if (next === undefined) throw new RegexSyntaxError("a backslash ends the pattern");
  const end = at + 2;
  const set = findPerlSet(next);
  if (set !== undefined) return { kind: "set", set, end };
  const what = ASSERTIONS[next];
  if (what !== undefined) return { kind: "assert", what, end };
  if (next === "p" || next === "P") return readProperty(text, at);
  if (/[1-9]/.test(next)) throw new RegexUnsupportedError(`back-reference \\${next}`, undefined);
  if (next === "k") throw new RegexUnsupportedError("named back-reference \\k", undefined);
  if (next === "G" || next === "K" || next === "R" || next === "X" || next === "C") {
    const rewrite = next === "R" ? `${text.slice(0, at)}\\n${text.slice(end)}` : undefined;
    throw new RegexUnsupportedError(`\\${next}`, rewrite);
  }
  const octal = /^[0-7]{2,3}/.exec(text.slice(at + 1, at + 4));
  if (octal !== null)
    return { kind: "code", code: Number.parseInt(octal[0], 8), end: at + 1 + octal[0].length };
  const control = CONTROL[next];
  if (control !== undefined) return { kind: "code", code: control, end };
  if (HEX_LENGTHS[next] !== undefined) return readHex(text, at);
  if (/[A-Za-z]/.test(next)) throw new RegexSyntaxError(`unknown escape \\${next}`);
  const code = text.codePointAt(at + 1) as number;
  return { kind: "code", code, end: at + 1 + (code > 0xffff ? 2 : 1) };
}

function findPerlSet(letter: string): CodeSet | undefined {
  switch (letter) {
    case "d":
      return getDigitSet();
    case "D":
      return negateSet(getDigitSet());
    case "w":
      return getWordSet();
    case "W":
      return negateSet(getWordSet());
    case "s":
      return SPACE_SET;
    case "S":
      return negateSet(SPACE_SET);
    default:
      return undefined;
  }
}

function readHex(text: string, at: number): Escape {
  const letter = text[at + 1] as string;
  const braced = /^\{([0-9a-fA-F]{1,8})\}/.exec(text.slice(at + 2, at + 12));
  const digits = braced?.[1] ?? text.slice(at + 2, at + 2 + (HEX_LENGTHS[letter] as number));
  const length = braced?.[0].length ?? (HEX_LENGTHS[letter] as number);
  const code = Number.parseInt(digits, 16);
  if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < (braced === null ? length : 1) || code > LAST_CODE) {
    throw new RegexSyntaxError(`\\${letter} needs a code point in hexadecimal`);
  }
  return { kind: "code", code, end: at + 2 + length };
}

function readProperty(text: string, at: number): Escape {
  const braced = /^\{(\^?)([^}]*)\}/.exec(text.slice(at + 2));
  const name = braced?.[2] ?? text[at + 2] ?? "";
  const set = findPropertySet(name);
  if (set === undefined) throw new RegexSyntaxError(`unknown property ${name}`);
  const negated = (text[at + 1] === "P") !== (braced?.[1] === "^");
  return { kind: "set", set: negated ? negateSet(set) : set, end: at + 2 + (braced?.[0].length ?? 1) };
}

/** RE2 has two more. */
const POSIX: Readonly<Record<string, CodeSet>> = {
  ...POSIX_CLASSES,
  ascii: [0, 127],
  word: [48, 57, 65, 90, 95, 95, 97, 122],
};

export interface Bracket {
  readonly set: CodeSet;
  readonly end: number;
  /** True where the class spells out a carriage return. */
  readonly namesReturn: boolean;
}

/** Reads the class whose `[` stands at `at`. */
export function readClass(text: string, at: number, ignoreCase: boolean): Bracket {
  let i = at + 1;
  const negated = text[i] === "^";
  if (negated) i++;
  const ranges: number[] = [];
  let namesReturn = false;
  for (let first = true; first || text[i] !== "]"; first = false) {
    if (i >= text.length) throw new RegexSyntaxError("[ is not closed");
    const named = readPosix(text, i);
    if (named !== undefined) {
      ranges.push(...named.set);
      i = named.end;
      continue;
    }
    const low = readMember(text, i);
    i = low.end;
    if (low.kind === "set") {
      ranges.push(...low.set);
      continue;
    }
    let high = low.code;
    if (text[i] === "-" && i + 1 < text.length && text[i + 1] !== "]") {
      const member = readMember(text, i + 1);
      if (member.kind === "set" || member.code < low.code) throw new RegexSyntaxError("bad range in [ ]");
      high = member.code;
      i = member.end;
    }
    namesReturn ||= low.code === 13 && high === 13;
    ranges.push(low.code, high);
  }
  const joined = normaliseSet(ranges);
  const set = ignoreCase ? foldSet(joined) : joined;
  return { set: negated ? negateSet(set) : set, end: i + 1, namesReturn: namesReturn && !negated };
}

function readPosix(text: string, at: number): { set: CodeSet; end: number } | undefined {
  const named = /^\[:(\^?)([a-z]+):\]/.exec(text.slice(at, at + 14));
  if (named === null) return undefined;
  const set = POSIX[named[2] as string];
  if (set === undefined) throw new RegexSyntaxError(`unknown class ${named[0]}`);
  return { set: named[1] === "^" ? negateSet(set) : set, end: at + named[0].length };
}

function readMember(text: string, at: number): Exclude<Escape, { kind: "assert" }> {
  if (text[at] !== "\\") {
    const code = text.codePointAt(at) as number;
    return { kind: "code", code, end: at + (code > 0xffff ? 2 : 1) };
  }
  // In a class, `\b` is the backspace of other dialects; RE2 has none.
  const read = readEscape(text, at);
  if (read.kind === "assert") throw new RegexSyntaxError("an assertion stands in [ ]");
  return read;
}
