/**
 * Owns what the pattern of a command in a rule means: `npm test`, `git *`, `npm run test:*`.
 * Leaves reading command lines to text/shell/, joining what several rules allow to judge.ts.
 * Rule: words are compared with words, after unquoting. `*` inside a word is any text of that word, `*` as a word of
 * its own is one word, and as the last word it is all further words, none included. To allow, the words are exactly
 * these. To deny or ask, the pattern is read on the safe side: more words may follow, options may stand in another
 * order or be written together (`rm -rf` is `rm -f -r`), and a program may be called by a path.
 */
import type { SimpleCommand } from "../text/shell/parse-shell.ts";
import { hasOptions, isOption, type OtherWord, partOptions } from "./option-words.ts";
import type { PatternFault } from "./path-pattern.ts";
import { type PatternWord, readCommandPattern, takesWord } from "./shell-words.ts";

export interface ShellPattern {
  /** Allows this command. Only for a line in which all was seen. */
  covers(command: SimpleCommand): boolean;
  hits(command: SimpleCommand): boolean;
  /** A word that is not known before the command runs may make it one that is hit. */
  mayHit(command: SimpleCommand): boolean;
}

export function compileShellPattern(text: string): ShellPattern | PatternFault {
  const commands = readCommandPattern(text);
  if ("expected" in commands) return commands;
  return {
    covers: ({ words, assignments }) =>
      words.length > 0 && assignments.length === 0 && commands.some((pattern) => isSame(pattern, words)),
    hits: ({ words }) =>
      words.length > 0 && commands.some((pattern) => begins(pattern, words) || isLike(pattern, words)),
    mayHit: ({ words }) => isUnknown(words[0] ?? "") || commands.some((pattern) => mayBecome(pattern, words)),
  };
}

function isSame(pattern: readonly PatternWord[], words: readonly string[]): boolean {
  const isOpen = pattern.at(-1)?.kind === "any";
  const least = isOpen ? pattern.length - 1 : pattern.length;
  if (words.length < least || (!isOpen && words.length > least)) return false;
  return pattern.slice(0, least).every((word, index) => takesWord(word, words[index] ?? ""));
}

/** The same words, and whatever follows. */
function begins(pattern: readonly PatternWord[], words: readonly string[]): boolean {
  return isSame(withRest(pattern), words);
}

function withRest(pattern: readonly PatternWord[]): readonly PatternWord[] {
  return pattern.at(-1)?.kind === "any" ? pattern : [...pattern, { kind: "any" }];
}

/** The same program with the same options, however they are written, and the same other words in their order. */
function isLike(pattern: readonly PatternWord[], words: readonly string[]): boolean {
  const [program, ...rest] = pattern;
  if (program === undefined || !takesProgram(program, words[0] ?? "")) return false;
  const asked = partOptions(words.slice(1));
  const options = rest.filter((word) => word.kind === "text" && isOption(word.text));
  const others = rest.filter((word) => !options.includes(word));
  const wanted = partOptions(options.map((word) => (word.kind === "text" ? word.text : ""))).options;
  return hasOptions(asked.options, wanted) && beginsAmong(withRest(others), asked.others);
}

/** As `begins`, where words that may be values of options may also be none of the command's own. */
function beginsAmong(pattern: readonly PatternWord[], words: readonly OtherWord[]): boolean {
  const last = pattern.length - 1;
  let reached = new Set([0]);
  for (const { text, mayBeValue } of words) {
    if (reached.has(last)) return true;
    const next = new Set(mayBeValue ? reached : []);
    for (const at of reached) {
      const word = pattern[at];
      if (word !== undefined && takesWord(word, text)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(last);
}

/** By whatever path, and in whatever case: there are disks on which `RM` is `rm`. */
function takesProgram(program: PatternWord, name: string): boolean {
  const base = name.slice(name.lastIndexOf("/") + 1);
  return takesWord(program, name) || takesWord(program, base) || takesWord(program, base.toLowerCase());
}

/** Words that the shell makes others of stand as they were written. */
function isUnknown(word: string): boolean {
  return word !== "[" && /[$`*?[{~]/.test(word);
}

function mayBecome([program]: readonly PatternWord[], words: readonly string[]): boolean {
  return program !== undefined && takesProgram(program, words[0] ?? "") && words.some(isUnknown);
}
