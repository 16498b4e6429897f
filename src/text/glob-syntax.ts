/**
 * Owns reading one segment of a glob (the text between two `/`) into a pattern tree, and the classes in brackets.
 * Leaves paths, `**` and literal folders to glob-pattern.ts. Rule: what does not close is literal.
 */
import { type CodeSet, negateSet, normaliseSet, uniteSets } from "./code-set.ts";
import { choiceOf, type PatternNode, repeatOf, sequenceOf } from "./pattern-node.ts";
import { POSIX_CLASSES } from "./posix-classes.ts";

const SLASH: CodeSet = [47, 47];
export const NOT_SLASH: PatternNode = { kind: "set", set: negateSet(SLASH) };
export const ANY_NAME_PART: PatternNode = repeatOf(NOT_SLASH, 0, Number.POSITIVE_INFINITY);

export function readSegment(text: string): PatternNode {
  const items: PatternNode[] = [];
  for (let i = 0; i < text.length; ) {
    const read = readOne(text, i);
    items.push(read.node);
    i = read.end;
  }
  return sequenceOf(items);
}

interface Read {
  readonly node: PatternNode;
  readonly end: number;
}

function readOne(text: string, at: number): Read {
  const character = text[at] as string;
  const group = "?*+@".includes(character) && text[at + 1] === "(" ? readGroup(text, at) : undefined;
  if (group !== undefined) return group;
  if (character === "*") return { node: ANY_NAME_PART, end: at + 1 };
  if (character === "?") return { node: NOT_SLASH, end: at + 1 };
  if (character === "{") {
    const brace = readBrace(text, at);
    if (brace !== undefined) return brace;
  }
  if (character === "[") {
    const bracket = readBracket(text, at);
    if (bracket !== undefined) return bracket;
  }
  const start = character === "\\" && at + 1 < text.length ? at + 1 : at;
  const code = text.codePointAt(start) as number;
  return { node: { kind: "set", set: [code, code] }, end: start + (code > 0xffff ? 2 : 1) };
}

function readGroup(text: string, at: number): Read | undefined {
  const close = findClose(text, at + 1);
  if (close === undefined) return undefined;
  const inner = choiceOf(splitTop(text.slice(at + 2, close), "|").map(readSegment));
  const kind = text[at];
  const min = kind === "+" || kind === "@" ? 1 : 0;
  const max = kind === "?" || kind === "@" ? 1 : Number.POSITIVE_INFINITY;
  return { node: min === 1 && max === 1 ? inner : repeatOf(inner, min, max), end: close + 1 };
}

function readBrace(text: string, at: number): Read | undefined {
  const close = findClose(text, at);
  if (close === undefined) return undefined;
  const parts = splitTop(text.slice(at + 1, close), ",");
  // `{x}` is a name: cookiecutter's `{{name}}` folders.
  if (parts.length < 2) return undefined;
  return { node: choiceOf(parts.map(readSegment)), end: close + 1 };
}

/** The index of the bracket that closes the one at `at`, minding escapes, classes and nesting. */
export function findClose(text: string, at: number): number | undefined {
  const open = text[at] as string;
  const close = open === "(" ? ")" : "}";
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const character = text[i];
    if (character === "\\") i++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return i;
  }
  return undefined;
}

/** Splits at separators that stand in no group, brace or escape. */
export function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === "\\") i++;
    else if (character === "{" || character === "(") {
      // A brace or parenthesis that never closes protects nothing.
      if (findClose(text, i) !== undefined) depth++;
    } else if ((character === "}" || character === ")") && depth > 0) depth--;
    else if (depth === 0 && character === separator) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function readBracket(text: string, at: number): Read | undefined {
  let i = at + 1;
  const negated = text[i] === "!" || text[i] === "^";
  if (negated) i++;
  const ranges: number[] = [];
  for (let first = true; ; first = false) {
    if (i >= text.length) return undefined;
    if (text[i] === "]" && !first) break;
    const named = /^\[:([a-z]+):\]/.exec(text.slice(i, i + 12));
    const set = named === null ? undefined : POSIX_CLASSES[named[1] as string];
    if (named !== null && set !== undefined) {
      ranges.push(...set);
      i += named[0].length;
      continue;
    }
    const low = readBracketCode(text, i);
    const high =
      text[low.end] === "-" && low.end + 1 < text.length && text[low.end + 1] !== "]"
        ? readBracketCode(text, low.end + 1)
        : low;
    if (high.code >= low.code) ranges.push(low.code, high.code);
    i = high.end;
  }
  const set = normaliseSet(ranges);
  const kept = negated ? negateSet(uniteSets(set, SLASH)) : negateSet(uniteSets(negateSet(set), SLASH));
  return { node: { kind: "set", set: kept }, end: i + 1 };
}

function readBracketCode(text: string, at: number): { code: number; end: number } {
  const start = text[at] === "\\" && at + 1 < text.length ? at + 1 : at;
  const code = text.codePointAt(start) as number;
  return { code, end: start + (code > 0xffff ? 2 : 1) };
}
