/**
 * Owns the rules of one ignore file, compiled: exact names, endings, exact paths, and automata for the rest.
 * Leaves finding files and the order between them to root/ignore-rules.ts.
 * Rule: the last rule that matches decides, as in git. Names are binary strings (one character a byte): git matches bytes.
 */
import { type IgnoreLine, literalLength, readIgnoreLines, readWildcards } from "./ignore-line.ts";
import { choiceOf, type PatternNode } from "./pattern-node.ts";
import { ProgramTooLarge } from "./pattern-program.ts";
import { makeStepper } from "./text-stepper.ts";

/** What a file's rules say of an entry: ignored, kept (a `!` rule), or nothing. */
export type IgnoreVerdict = "ignored" | "kept" | undefined;

export interface IgnoreRules {
  /** The rules as they judge what lies in one folder: relative to the ignore file's own, empty or with a final `/`. */
  within(folder: string): JudgeName;
}

/** What is said of the entry of that name. */
export type JudgeName = (name: string, directory: boolean) => IgnoreVerdict;

interface Rule {
  readonly order: number;
  readonly negated: boolean;
  readonly directoryOnly: boolean;
}

interface Matcher {
  readonly rule: Rule;
  readonly bare: boolean;
  /** Whether it can match anything in a folder. */
  readonly reaches: (folder: string) => boolean;
  readonly matches: (text: string) => boolean;
}

/** Files compiled before, by their text: a tree has many, and is searched again and again. The oldest go first. */
const compiled = new Map<string, IgnoreRules | undefined>();
const MOST_COMPILED = 512;
const LONGEST_KEPT = 16_384;

/** Compiles an ignore file; undefined where it has no rule. */
export function compileIgnoreFile(binary: string): IgnoreRules | undefined {
  if (binary.length > LONGEST_KEPT) return compileText(binary);
  const known = compiled.get(binary);
  if (known !== undefined || compiled.has(binary)) return known;
  const rules = compileText(binary);
  for (const oldest of compiled.keys()) {
    if (compiled.size < MOST_COMPILED) break;
    compiled.delete(oldest);
  }
  compiled.set(binary, rules);
  return rules;
}

function compileText(binary: string): IgnoreRules | undefined {
  const lines = readIgnoreLines(binary);
  return lines.length === 0 ? undefined : compileIgnoreLines(lines);
}

function compileIgnoreLines(lines: readonly IgnoreLine[]): IgnoreRules {
  const names = new Map<string, NameRules>();
  // By their last character: most names end in one that no rule does.
  const endings: ([string, Rule][] | undefined)[] = new Array(BYTES).fill(undefined);
  const paths = new Map<string, Rule[]>();
  const everything: Rule[] = [];
  const matchers: Matcher[] = [];
  lines.forEach((line, order) => {
    const rule = { order, negated: line.negated, directoryOnly: line.directoryOnly };
    const { pattern } = line;
    if (pattern === "*") everything.push(rule);
    else if (line.bare && literalLength(pattern) === pattern.length)
      rulesOfName(names, pattern).bare.push(rule);
    else if (line.bare && pattern[0] === "*" && literalLength(pattern.slice(1)) === pattern.length - 1) {
      const last = pattern.charCodeAt(pattern.length - 1);
      endings[last] = [...(endings[last] ?? []), [pattern.slice(1), rule]];
    } else if (literalLength(pattern) === pattern.length) push(paths, pattern.replace(/^\//, ""), rule);
    else matchers.push({ rule, bare: line.bare, ...compileMatcher(line) });
  });
  for (const path of paths.keys()) rulesOfName(names, path.slice(path.lastIndexOf("/") + 1)).endsPath = true;
  matchers.reverse();
  const mayMatchName = compileAnyName(lines, matchers);
  const within = (folder: string): JudgeName => {
    const here = matchers.filter(({ reaches }) => reaches(folder));
    const lastHere = here[0]?.rule.order ?? -1;
    const allBare = here.every(({ bare }) => bare);
    return (name, directory) => {
      const own = names.get(name);
      let best = everything.length === 0 ? undefined : pickLast(everything, directory, undefined);
      if (own !== undefined) best = pickLast(own.bare, directory, best);
      if (own?.endsPath === true) best = pickLast(paths.get(folder + name), directory, best);
      for (const [ending, rule] of endings[name.charCodeAt(name.length - 1)] ?? NONE) {
        const later = best === undefined || rule.order > best.order;
        if (later && (directory || !rule.directoryOnly) && name.endsWith(ending)) best = rule;
      }
      if (best !== undefined ? best.order > lastHere : here.length === 0) return verdictOf(best);
      const skipsBare = !mayMatchName(name);
      if (skipsBare && allBare) return verdictOf(best);
      for (const { rule, bare, matches } of here) {
        if (best !== undefined && rule.order < best.order) break;
        if (bare && skipsBare) continue;
        if ((directory || !rule.directoryOnly) && matches(bare ? name : folder + name)) {
          best = rule;
          break;
        }
      }
      return verdictOf(best);
    };
  };
  return { within };
}

/** What is said of one name: one look-up for most entries. */
interface NameRules {
  readonly bare: Rule[];
  /** Whether an exact path ends in it. */
  endsPath: boolean;
}

const BYTES = 256;
const NONE: readonly [string, Rule][] = [];

function rulesOfName(names: Map<string, NameRules>, name: string): NameRules {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = { bare: [], endsPath: false };
  names.set(name, made);
  return made;
}

function verdictOf(rule: Rule | undefined): IgnoreVerdict {
  if (rule === undefined) return undefined;
  return rule.negated ? "kept" : "ignored";
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** One automaton for all patterns of names: for most names one pass tells that none of them matches. */
function compileAnyName(
  lines: readonly IgnoreLine[],
  matchers: readonly Matcher[],
): (name: string) => boolean {
  const bare = matchers.flatMap(({ bare, rule }) => (bare ? (lines[rule.order]?.pattern ?? []) : []));
  if (bare.length < 2) return () => true;
  let matches: ((name: string) => boolean) | undefined;
  return (name) => {
    matches ??= compileNode(() => choiceOf(bare.map(readWildcards)), true);
    return matches(name);
  };
}

function pickLast(
  rules: readonly Rule[] | undefined,
  directory: boolean,
  best: Rule | undefined,
): Rule | undefined {
  if (rules === undefined) return best;
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i] as Rule;
    if (best !== undefined && rule.order < best.order) return best;
    if (directory || !rule.directoryOnly) return rule;
  }
  return best;
}

/** git compares the literal beginning by itself, so that what follows is read as if the pattern began there. */
function compileMatcher(line: IgnoreLine): Pick<Matcher, "reaches" | "matches"> {
  const pattern = !line.bare && line.pattern.startsWith("/") ? line.pattern.slice(1) : line.pattern;
  const literal = line.bare ? "" : pattern.slice(0, literalLength(pattern));
  const depth = line.bare ? undefined : depthOf(pattern);
  let matches: ((text: string) => boolean) | undefined;
  return {
    reaches: (folder) =>
      (depth === undefined || depth === countSlashes(folder)) &&
      (folder.startsWith(literal) || literal.startsWith(folder)),
    matches: (text) => {
      if (!text.startsWith(literal)) return false;
      matches ??= compileNode(() => readWildcards(pattern.slice(literal.length)), false);
      return matches(literal === "" ? text : text.slice(literal.length));
    },
  };
}

/** How many folders deep all that matches lies; undefined where that is not told by the slashes of the pattern. */
function depthOf(pattern: string): number | undefined {
  return pattern.includes("**") || pattern.includes("[") ? undefined : countSlashes(pattern);
}

function countSlashes(path: string): number {
  let count = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) count++;
  return count;
}

/** A pattern of more than ten thousand characters is longer than any path: `tooLarge` answers for it. */
function compileNode(read: () => PatternNode, tooLarge: boolean): (text: string) => boolean {
  try {
    return makeStepper(read()).matches;
  } catch (error) {
    if (error instanceof ProgramTooLarge) return () => tooLarge;
    throw error;
  }
}
