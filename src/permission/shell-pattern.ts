/**
 * Owns what the pattern of a command in a rule means: `npm test`, `git *`, `npm run test:*`.
 * Leaves reading command lines to text/shell/, joining what several rules allow to judge.ts.
 * Rule: words are compared with words, after unquoting. `*` inside a word is any text of that word, `*` as a word of
 * its own is one word, and as the last word it is all further words, none included. To allow, the words are exactly
 * these. To deny or ask, the pattern is read on the safe side: more words may follow, options may stand in another
 * order or be written together (`rm -rf` is `rm -f -r`), and a program may be called by a path.
 */
import type { SimpleCommand } from "../text/shell/parse-shell.ts";
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
  return [...wanted].every((option) => asked.options.has(option)) && begins(others, asked.others);
}

function takesProgram(program: PatternWord, name: string): boolean {
  return takesWord(program, name) || takesWord(program, name.slice(name.lastIndexOf("/") + 1));
}

function isOption(word: string): boolean {
  return /^-./.test(word) && word !== "--";
}

/** `-rf` is `r` and `f`; `--force=yes` is `--force`. */
function partOptions(words: readonly string[]): {
  readonly options: ReadonlySet<string>;
  readonly others: readonly string[];
} {
  const options = new Set<string>();
  const others: string[] = [];
  let over = false;
  for (const word of words) {
    if (over || !isOption(word)) {
      if (word === "--" && !over) over = true;
      else others.push(word);
    } else if (word.startsWith("--")) options.add(word.replace(/=[\s\S]*$/, ""));
    else for (const letter of word.slice(1)) options.add(letter);
  }
  return { options, others };
}

/** Words that the shell makes others of stand as they were written. */
function isUnknown(word: string): boolean {
  return word !== "[" && /[$`*?[{~]/.test(word);
}

function mayBecome([program]: readonly PatternWord[], words: readonly string[]): boolean {
  return program !== undefined && takesProgram(program, words[0] ?? "") && words.some(isUnknown);
}
