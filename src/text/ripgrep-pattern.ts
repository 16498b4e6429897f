/**
 * Owns printing a pattern as ripgrep reads it, for telling which lines cannot match.
 * Leaves what matches to the finders. Rule: wherever our pattern matches on a line, the printed one does too; it may
 * match more. So neither version's tables of Unicode nor its idea of a line ending can change an answer:
 * what depends on them is printed wider.
 */
import type { CodeSet } from "./code-set.ts";
import { setHas, subtractSet, uniteSets } from "./code-set.ts";
import type { PatternNode } from "./pattern-node.ts";
import { isNullable } from "./pattern-program.ts";
import type { SearchPattern } from "./regex-pattern.ts";

/** Sets with more stretches beyond ASCII than these take all of it: their tables differ from version to version, and cost. */
const MAX_STRETCHES = 24;
/** Never in UTF-8. */
const SURROGATES: CodeSet = [0xd800, 0xdfff];
/** A file with a NUL is left to us, and ripgrep refuses patterns that ask for a line break or a NUL. */
const UNASKED: CodeSet = [0, 0, 10, 10];
const BEYOND_ASCII: CodeSet = [0x80, 0x10ffff];
const ASCII_WORD: CodeSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** Stands for what never matches: one noncharacter, which hardly ever does. */
const HARDLY_EVER = "\\x{10FFFF}";

/** A pattern such that a line without a match of it has none of ours; undefined where there is none worth asking for. */
export function printForRipgrep(pattern: SearchPattern): string | undefined {
  if (!pattern.multiline) {
    // What matches nothing matches everywhere, or nearly so.
    if (isNullable(pattern.node)) return undefined;
    return print(pattern.node, { before: undefined, after: undefined, last: true });
  }
  // Across lines only texts without which nothing matches can be looked for line by line: the longest line of each.
  const texts = pattern.literals?.texts.map((text) => longestOf(text.split("\n")));
  if (texts === undefined || texts.some((text) => text === "" || text.includes("\0"))) return undefined;
  return texts
    .map((text) => [...text].map((one) => printCode(one.codePointAt(0) as number)).join(""))
    .join("|");
}

function longestOf(lines: readonly string[]): string {
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest), "");
}

interface Surroundings {
  readonly before: PatternNode | undefined;
  readonly after: PatternNode | undefined;
  /** Nothing of the pattern follows. */
  readonly last: boolean;
}

function print(node: PatternNode, at: Surroundings): string {
  switch (node.kind) {
    case "empty":
      return "";
    case "set":
      return printSet(node.set);
    case "sequence":
      return node.items
        .map((item, index) => {
          const here = printItem(item, {
            before: node.items[index - 1],
            after: node.items[index + 1],
            last: at.last && index === node.items.length - 1,
          });
          return here;
        })
        .join("");
    case "choice":
      return `(?:${node.items.map((item) => print(item, { ...at, before: undefined, after: undefined })).join("|")})`;
    case "repeat":
      return printRepeat(node);
    case "assert":
      return printAssertion(node.what, at);
  }
}

function printItem(item: PatternNode, at: Surroundings): string {
  const printed = print(item, at);
  return item.kind === "sequence" ? `(?:${printed})` : printed;
}

function printRepeat({ item, min, max }: PatternNode & { kind: "repeat" }): string {
  const inner = print(item, { before: undefined, after: undefined, last: false });
  if (inner === "") return "";
  const body = item.kind === "set" ? inner : `(?:${inner})`;
  if (max === Number.POSITIVE_INFINITY) return `${body}${min === 0 ? "*" : min === 1 ? "+" : `{${min},}`}`;
  return min === 0 && max === 1 ? `${body}?` : `${body}{${min},${max}}`;
}

type Assertion = (PatternNode & { kind: "assert" })["what"];

function printAssertion(what: Assertion, { before, after, last }: Surroundings): string {
  if (what === "line-start" || what === "text-start") return "(?m:^)";
  // A `\r` in front of the line break belongs to it with us. Where more follows, it would stand behind that `\r`.
  if (what === "line-end" || what === "text-end") return last ? "(?:\\r?(?m:$))" : "";
  if (what === "no-word-boundary") return "";
  // Beside a letter of ASCII, whatever stands on the other side and is a word is one by Unicode's tables too.
  const beside = (after !== undefined && isAsciiWord(after, "first")) || isBesideWord(before);
  return beside ? "(?-u:\\b)" : "";
}

function isBesideWord(node: PatternNode | undefined): boolean {
  return node !== undefined && isAsciiWord(node, "last");
}

/** Whether every match begins (or ends) with a letter, digit or underscore of ASCII. */
function isAsciiWord(node: PatternNode, side: "first" | "last"): boolean {
  switch (node.kind) {
    case "set":
      return node.set.length > 0 && subtractSet(node.set, ASCII_WORD).length === 0;
    case "sequence": {
      const item = node.items.at(side === "first" ? 0 : -1);
      return item !== undefined && isAsciiWord(item, side);
    }
    case "choice":
      return node.items.every((item) => isAsciiWord(item, side));
    case "repeat":
      return node.min > 0 && isAsciiWord(node.item, side);
    default:
      return false;
  }
}

function printSet(set: CodeSet): string {
  const wide = set.filter((code, index) => index % 2 === 1 && code > 0x7f).length > MAX_STRETCHES;
  const widened = wide ? uniteSets(set, BEYOND_ASCII) : set;
  const kept = subtractSet(widened, uniteSets(UNASKED, SURROGATES));
  if (kept.length === 0) return HARDLY_EVER;
  if (kept.length === 2 && kept[0] === kept[1]) return printCode(kept[0] as number);
  let inside = "";
  for (let i = 0; i < kept.length; i += 2) {
    const [low, high] = [kept[i] as number, kept[i + 1] as number];
    inside += low === high ? printCode(low) : `${printCode(low)}-${printCode(high)}`;
  }
  return `[${inside}]`;
}

/** Letters and digits as they are, so that ripgrep's own search for texts sees them; all else by number. */
function printCode(code: number): string {
  return setHas(ASCII_WORD, code) ? String.fromCharCode(code) : `\\x{${code.toString(16)}}`;
}
