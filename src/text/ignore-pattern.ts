/**
 * Owns the rules of one ignore file, compiled: exact names, endings, exact paths, and automata for the rest.
 * Leaves finding files and the order between them to root/ignore-rules.ts.
 * Rule: the last rule that matches decides, as in git. Names are binary strings (one character a byte): git matches bytes.
 */
import { type IgnoreLine, literalLength, readIgnoreLines, readWildcards } from "./ignore-line.ts";
import { ProgramTooLarge } from "./pattern-program.ts";
import { makeStepper } from "./text-stepper.ts";

/** What a file's rules say of an entry: ignored, kept (a `!` rule), or nothing. */
export type IgnoreVerdict = "ignored" | "kept" | undefined;

export interface IgnoreRules {
  /** `path` is relative to the ignore file's folder, `name` its last part; both binary strings. */
  judge(entry: { readonly path: string; readonly name: string; readonly directory: boolean }): IgnoreVerdict;
}

interface Rule {
  readonly order: number;
  readonly negated: boolean;
  readonly directoryOnly: boolean;
}

interface Matcher {
  readonly rule: Rule;
  readonly bare: boolean;
  readonly matches: (text: string) => boolean;
}

/** Compiles an ignore file; undefined where it has no rule. */
export function compileIgnoreFile(binary: string): IgnoreRules | undefined {
  const lines = readIgnoreLines(binary);
  return lines.length === 0 ? undefined : compileIgnoreLines(lines);
}

function compileIgnoreLines(lines: readonly IgnoreLine[]): IgnoreRules {
  const names = new Map<string, Rule[]>();
  const endings = new Map<string, Rule[]>();
  const paths = new Map<string, Rule[]>();
  const matchers: Matcher[] = [];
  lines.forEach((line, order) => {
    const rule = { order, negated: line.negated, directoryOnly: line.directoryOnly };
    const { pattern } = line;
    if (line.bare && literalLength(pattern) === pattern.length) push(names, pattern, rule);
    else if (line.bare && pattern[0] === "*" && literalLength(pattern.slice(1)) === pattern.length - 1) {
      push(endings, pattern.slice(1), rule);
    } else if (literalLength(pattern) === pattern.length) push(paths, pattern.replace(/^\//, ""), rule);
    else matchers.push({ rule, bare: line.bare, matches: compileMatcher(line) });
  });
  const lengths = [...new Set([...endings.keys()].map((ending) => ending.length))];
  matchers.reverse();
  return {
    judge: ({ path, name, directory }) => {
      let best = pickLast(names.get(name), directory, pickLast(paths.get(path), directory, undefined));
      for (const length of lengths) {
        if (length > name.length) continue;
        best = pickLast(endings.get(name.slice(name.length - length)), directory, best);
      }
      for (const { rule, bare, matches } of matchers) {
        if (best !== undefined && rule.order < best.order) break;
        if ((directory || !rule.directoryOnly) && matches(bare ? name : path)) {
          best = rule;
          break;
        }
      }
      if (best === undefined) return undefined;
      return best.negated ? "kept" : "ignored";
    },
  };
}

function push(map: Map<string, Rule[]>, key: string, rule: Rule): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
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
function compileMatcher(line: IgnoreLine): (text: string) => boolean {
  const pattern = !line.bare && line.pattern.startsWith("/") ? line.pattern.slice(1) : line.pattern;
  const literal = line.bare ? "" : pattern.slice(0, literalLength(pattern));
  let matches: ((text: string) => boolean) | undefined;
  return (text) => {
    if (!text.startsWith(literal)) return false;
    matches ??= compileRest(pattern.slice(literal.length));
    return matches(literal === "" ? text : text.slice(literal.length));
  };
}

function compileRest(pattern: string): (text: string) => boolean {
  try {
    const stepper = makeStepper(readWildcards(pattern));
    return (text) => {
      const state = stepper.step(stepper.start, text);
      return state !== undefined && stepper.accepts(state);
    };
  } catch (error) {
    // A pattern of more than ten thousand characters: longer than any path.
    if (error instanceof ProgramTooLarge) return () => false;
    throw error;
  }
}
