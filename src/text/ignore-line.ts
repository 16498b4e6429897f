/**
 * Owns reading one line of an ignore file as git reads it, and turning a wildcard pattern into a tree over bytes.
 * Leaves which rule wins to ignore-pattern.ts. Rule: the oracle is `git check-ignore`, its oddities included.
 */
import { type CodeSet, negateSet, normaliseSet, uniteSets } from "./code-set.ts";
import { choiceOf, EMPTY, NEVER, type PatternNode, repeatOf, sequenceOf } from "./pattern-node.ts";
import { POSIX_CLASSES } from "./posix-classes.ts";

export interface IgnoreLine {
  /** Bytes as a binary string: without `!`, and without the final `/`. */
  readonly pattern: string;
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** True where there is no `/` inside: the pattern is matched against the last name alone. */
  readonly bare: boolean;
}

export function readIgnoreLines(binary: string): IgnoreLine[] {
  const text = binary.startsWith("\xef\xbb\xbf") ? binary.slice(3) : binary;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line) => readIgnoreLine(line.endsWith("\r") ? line.slice(0, -1) : line) ?? []);
}

function readIgnoreLine(raw: string): IgnoreLine | undefined {
  if (raw === "" || raw.startsWith("#")) return undefined;
  let pattern = trimTrailingSpaces(raw);
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const directoryOnly = pattern.endsWith("/");
  if (directoryOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  return { pattern, negated, directoryOnly, bare: !pattern.includes("/") };
}

/** Spaces only, and none that a backslash protects; a line that ends in a lone backslash keeps its spaces. */
function trimTrailingSpaces(line: string): string {
  let from = -1;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === " ") {
      if (from < 0) from = i;
      continue;
    }
    from = -1;
    if (line[i] === "\\" && ++i >= line.length) return line;
  }
  return from < 0 ? line : line.slice(0, from);
}

/** The length of the part in front of the first wildcard or backslash. */
export function literalLength(pattern: string): number {
  const at = pattern.search(/[*?[\\]/);
  return at < 0 ? pattern.length : at;
}

const SLASH: CodeSet = [47, 47];
const ANY_BYTE: PatternNode = { kind: "set", set: [0, 255] };
const NOT_SLASH: PatternNode = { kind: "set", set: [0, 46, 48, 255] };
const ALL = Number.POSITIVE_INFINITY;
const ANYTHING = repeatOf(ANY_BYTE, 0, ALL);
const NAME_PART = repeatOf(NOT_SLASH, 0, ALL);

/** Reads a wildcard pattern; undefined where git never matches it (a class or an escape that does not end). */
export function readWildcards(pattern: string): PatternNode {
  const items: PatternNode[] = [];
  for (let i = 0; i < pattern.length; ) {
    const character = pattern[i] as string;
    if (character === "*") {
      const star = readStars(pattern, i);
      items.push(star.node);
      i = star.end;
    } else if (character === "?") {
      items.push(NOT_SLASH);
      i++;
    } else if (character === "[") {
      const bracket = readBracket(pattern, i);
      if (bracket === undefined) return NEVER;
      items.push({ kind: "set", set: bracket.set });
      i = bracket.end;
    } else {
      const at = character === "\\" ? i + 1 : i;
      if (at >= pattern.length) return NEVER;
      const code = pattern.charCodeAt(at);
      items.push({ kind: "set", set: [code, code] });
      i = at + 1;
    }
  }
  return sequenceOf(items);
}

function readStars(pattern: string, at: number): { node: PatternNode; end: number } {
  let end = at;
  while (pattern[end] === "*") end++;
  const alone = end - at >= 2 && (at === 0 || pattern[at - 1] === "/");
  if (!alone) return { node: NAME_PART, end };
  if (end === pattern.length) return { node: ANYTHING, end };
  const slash = pattern[end] === "\\" && pattern[end + 1] === "/" ? end + 1 : end;
  if (pattern[slash] !== "/") return { node: NAME_PART, end };
  const below = sequenceOf([ANYTHING, { kind: "set", set: SLASH }]);
  // Only the plain slash may stand for no folder at all.
  return { node: slash === end ? choiceOf([EMPTY, below]) : below, end: slash + 1 };
}

/** To git a vertical tab and a form feed are no space. */
const POSIX: Readonly<Record<string, CodeSet>> = { ...POSIX_CLASSES, space: [9, 10, 13, 13, 32, 32] };

function readBracket(pattern: string, at: number): { set: CodeSet; end: number } | undefined {
  let i = at + 1;
  const negated = pattern[i] === "!" || pattern[i] === "^";
  if (negated) i++;
  const ranges: number[] = [];
  let previous = -1;
  for (let first = true; first || pattern[i] !== "]"; first = false) {
    if (i >= pattern.length) return undefined;
    const character = pattern[i] as string;
    if (character === "[" && pattern[i + 1] === ":") {
      const named = readNamed(pattern, i);
      if (named === undefined) return undefined;
      ranges.push(...named.set);
      previous = named.literal ? 91 : -1;
      i = named.end;
      continue;
    }
    const ranged = character === "-" && previous > 0 && i + 1 < pattern.length && pattern[i + 1] !== "]";
    let code = i + (ranged ? 1 : 0);
    if (pattern[code] === "\\") code++;
    if (code >= pattern.length) return undefined;
    const value = pattern.charCodeAt(code);
    if (ranged && value >= previous) ranges.push(previous, value);
    if (!ranged) ranges.push(value, value);
    previous = ranged ? -1 : value;
    i = code + 1;
  }
  const set = normaliseSet(ranges);
  const outside = uniteSets(negated ? set : negateSet(set), SLASH);
  return { set: negateSet(outside), end: i + 1 };
}

/** `[:alpha:]`; where no `:]` follows, the `[` is a plain character; an unknown name spoils the pattern. */
function readNamed(pattern: string, at: number): { set: CodeSet; end: number; literal: boolean } | undefined {
  const close = pattern.indexOf("]", at + 2);
  if (close < 0) return undefined;
  if (pattern[close - 1] !== ":" || close - 1 < at + 2) return { set: [91, 91], end: at + 1, literal: true };
  const set = POSIX[pattern.slice(at + 2, close - 1)];
  return set === undefined ? undefined : { set, end: close + 1, literal: false };
}
