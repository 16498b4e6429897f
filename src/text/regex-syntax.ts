/**
 * Owns reading a regular expression into a pattern tree: RE2's syntax.
 * Leaves escapes and classes to regex-escape.ts, and what to do with a text that does not parse to regex-pattern.ts.
 * Rule: what needs backtracking is recognised and named, never taken for something else.
 */
import { type CodeSet, foldSet, negateSet, subtractSet } from "./code-set.ts";
import { choiceOf, EMPTY, type PatternNode, sequenceOf } from "./pattern-node.ts";
import { RegexSyntaxError, RegexUnsupportedError, readClass, readEscape } from "./regex-escape.ts";

export interface RegexTree {
  readonly node: PatternNode;
  /** The pattern spells out a line break: it can only match across lines. */
  readonly namesNewline: boolean;
  /** The pattern spells out a carriage return: then it is part of the text, else of the line ending. */
  readonly namesReturn: boolean;
}

export interface RegexOptions {
  readonly ignoreCase: boolean;
  /** Sets may take a newline. */
  readonly multiline: boolean;
}

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
  readonly x: boolean;
}

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
  flags: Flags;
  namesNewline: boolean;
  namesReturn: boolean;
  readonly multiline: boolean;
}

const NEWLINE: CodeSet = [10, 10];
/** RE2's own bound. */
const MAX_COUNT = 1000;
/** Deeper nesting would only serve to exhaust the stack. */
const MAX_DEPTH = 250;

/** Throws RegexSyntaxError or RegexUnsupportedError. */
export function readRegex(text: string, options: RegexOptions): RegexTree {
  const reader: Reader = {
    text,
    at: 0,
    depth: 0,
    // `^` and `$` are about lines, as in every tool that searches them.
    flags: { i: options.ignoreCase, m: true, s: false, U: false, x: false },
    namesNewline: false,
    namesReturn: false,
    multiline: options.multiline,
  };
  const node = readChoice(reader);
  if (reader.at < text.length) throw new RegexSyntaxError("unmatched )");
  return { node, namesNewline: reader.namesNewline, namesReturn: reader.namesReturn };
}

function readChoice(reader: Reader): PatternNode {
  if (++reader.depth > MAX_DEPTH)
    throw new RegexUnsupportedError(`groups nested more than ${MAX_DEPTH} deep`);
  const flags = reader.flags;
  const items = [readSequence(reader)];
  while (reader.text[reader.at] === "|") {
    reader.at++;
    items.push(readSequence(reader));
  }
  reader.flags = flags;
  reader.depth--;
  return choiceOf(items);
}

function readSequence(reader: Reader): PatternNode {
  const items: PatternNode[] = [];
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at] as string;
    if (character === "|" || character === ")") break;
    if (reader.flags.x && skipVerbose(reader)) continue;
    const node = readAtom(reader);
    items.push(node === undefined ? EMPTY : readRepeats(reader, node));
  }
  return sequenceOf(items);
}

function skipVerbose(reader: Reader): boolean {
  const skipped = /^(?:\s+|#[^\n]*)/.exec(reader.text.slice(reader.at));
  if (skipped === null) return false;
  reader.at += skipped[0].length;
  return true;
}

/** Undefined for what only sets flags: nothing to repeat. */
function readAtom(reader: Reader): PatternNode | undefined {
  const { text, at, flags } = reader;
  const character = text[at] as string;
  switch (character) {
    case "(":
      return readGroup(reader);
    case "[": {
      const read = readClass(text, at, flags.i);
      reader.at = read.end;
      reader.namesReturn ||= read.namesReturn;
      return setNode(reader, read.set);
    }
    case ".":
      reader.at++;
      return setNode(reader, flags.s && reader.multiline ? negateSet([]) : negateSet(NEWLINE));
    case "^":
    case "$":
      reader.at++;
      return { kind: "assert", what: findAnchor(character, flags.m) };
    case "*":
    case "+":
    case "?":
      throw new RegexSyntaxError(`nothing to repeat before ${character}`);
    case "\\":
      return readBackslash(reader);
    default: {
      const code = text.codePointAt(at) as number;
      reader.at += code > 0xffff ? 2 : 1;
      return codeNode(reader, code);
    }
  }
}

function findAnchor(
  character: string,
  lines: boolean,
): "line-start" | "line-end" | "text-start" | "text-end" {
  if (character === "^") return lines ? "line-start" : "text-start";
  return lines ? "line-end" : "text-end";
}

function readBackslash(reader: Reader): PatternNode {
  const { text, at } = reader;
  if (text[at + 1] === "Q") {
    const close = text.indexOf("\\E", at + 2);
    const quoted = text.slice(at + 2, close < 0 ? undefined : close);
    reader.at = close < 0 ? text.length : close + 2;
    return sequenceOf([...quoted].map((character) => codeNode(reader, character.codePointAt(0) as number)));
  }
  const read = readEscape(text, at);
  reader.at = read.end;
  if (read.kind === "assert") return { kind: "assert", what: read.what };
  return read.kind === "set" ? setNode(reader, read.set) : codeNode(reader, read.code);
}

function codeNode(reader: Reader, code: number): PatternNode {
  if (code === 10) reader.namesNewline = true;
  if (code === 13) reader.namesReturn = true;
  const set = [code, code];
  return setNode(reader, reader.flags.i ? foldSet(set) : set);
}

function setNode(reader: Reader, set: CodeSet): PatternNode {
  return { kind: "set", set: reader.multiline ? set : subtractSet(set, NEWLINE) };
}

const LOOK_AROUND: Readonly<Record<string, string>> = {
  "?=": "look-ahead (?=…)",
  "?!": "negative look-ahead (?!…)",
  "?<=": "look-behind (?<=…)",
  "?<!": "negative look-behind (?<!…)",
};

function readGroup(reader: Reader): PatternNode | undefined {
  const rest = reader.text.slice(reader.at + 1, reader.at + 80);
  const look = /^\?<?[=!]/.exec(rest);
  if (look !== null) throw new RegexUnsupportedError(LOOK_AROUND[look[0]] as string);
  if (rest.startsWith("?>"))
    throw new RegexUnsupportedError("atomic group (?>…)", replaceAt(reader, 3, "(?:"));
  if (/^\?P[=>]/.test(rest)) throw new RegexUnsupportedError("back-reference (?P=…)");
  if (/^\?\(/.test(rest)) throw new RegexUnsupportedError("conditional group (?(…)…)");
  if (/^\?(?:R\)|[0-9&])/.test(rest)) throw new RegexUnsupportedError("recursion (?R)");
  if (rest.startsWith("?|"))
    throw new RegexUnsupportedError("branch reset (?|…)", replaceAt(reader, 3, "(?:"));
  const opening = /^\?(?:P?<[A-Za-z_][A-Za-z0-9_]*>|([imsUxu]*)(?:-([imsUxu]+))?([:)]))/.exec(rest);
  if (rest.startsWith("?") && opening === null) throw new RegexSyntaxError("unknown group (?");
  const flags = reader.flags;
  if (opening !== null) reader.flags = changeFlags(flags, opening);
  reader.at += 1 + (opening?.[0].length ?? 0);
  if (opening?.[3] === ")") return undefined;
  const node = readChoice(reader);
  if (reader.text[reader.at] !== ")") throw new RegexSyntaxError("( is not closed");
  reader.at++;
  reader.flags = flags;
  return node;
}

/** The whole pattern with `length` characters at the current place exchanged. */
function replaceAt({ text, at }: Reader, length: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + length);
}

function changeFlags(flags: Flags, opening: RegExpExecArray): Flags {
  const on = opening[1] ?? "";
  const off = opening[2] ?? "";
  if (off.includes("u")) throw new RegexUnsupportedError("bytes instead of characters (?-u)");
  const pick = (name: keyof Flags) => (flags[name] || on.includes(name)) && !off.includes(name);
  return { i: pick("i"), m: pick("m"), s: pick("s"), U: pick("U"), x: pick("x") };
}

function readRepeats(reader: Reader, item: PatternNode): PatternNode {
  const count = readCount(reader);
  if (count === undefined) return item;
  let greedy = true;
  if (reader.text[reader.at] === "?") {
    greedy = false;
    reader.at++;
  } else if (reader.text[reader.at] === "+") {
    const plain = reader.text.slice(count.from, reader.at);
    throw new RegexUnsupportedError(`possessive quantifier ${plain}+`, replaceAt(reader, 1, ""));
  } else if (reader.text[reader.at] === "*") {
    throw new RegexSyntaxError("a repetition of a repetition");
  }
  // RE2 knows none of these either; as text the braces would be taken otherwise than in other engines.
  if (readCount(reader) !== undefined) throw new RegexSyntaxError("a repetition of a repetition");
  if (reader.flags.U) greedy = !greedy;
  const { min, max } = count;
  return { kind: "repeat", item, min, max, greedy };
}

function readCount(reader: Reader): { min: number; max: number; from: number } | undefined {
  const from = reader.at;
  const character = reader.text[from];
  if (character === "*" || character === "+" || character === "?") {
    reader.at++;
    return { min: character === "+" ? 1 : 0, max: character === "?" ? 1 : Number.POSITIVE_INFINITY, from };
  }
  // `{}`, `{a}` and `{,3}` are no counts but text.
  const braces = /^\{(\d+)(?:(,)(\d*))?\}/.exec(reader.text.slice(from, from + 40));
  if (braces === null) return undefined;
  const min = Number(braces[1]);
  const max = braces[2] === undefined ? min : braces[3] === "" ? Number.POSITIVE_INFINITY : Number(braces[3]);
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY)) {
    throw new RegexUnsupportedError(`a count above ${MAX_COUNT}: ${braces[0]}`);
  }
  if (max < min) throw new RegexSyntaxError("a count whose bounds are exchanged");
  reader.at += braces[0].length;
  return { min, max, from };
}
