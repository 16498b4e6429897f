/**
 * Owns reading the command in a rule, `git commit -m "a *"`, to words, and whether one word takes another.
 * Leaves commands as a whole to shell-pattern.ts. Rule: linear; a quoted `*` is a star. What only a shell could make
 * something of is a fault of the rule: it would never be covered.
 */
import type { PatternFault } from "./path-pattern.ts";

export type PatternWord =
  | { readonly kind: "text"; readonly text: string }
  /** Texts around the stars. */
  | { readonly kind: "stars"; readonly parts: readonly string[] }
  | { readonly kind: "any" };

/** The commands of a pattern; several are parted by `;`, and each is a command that the rule speaks of. */
export function readCommandPattern(text: string): readonly (readonly PatternWord[])[] | PatternFault {
  const commands: PatternWord[][] = [[]];
  // Every alternative but the last takes something, so the search is linear.
  const token =
    /\s+|;|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(\*)|([&|<>$`()'"\\])|([^\s;'"\\*&|<>$`()]+)/y;
  let word: string[] | undefined;
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(makeWord(word));
    word = undefined;
  };
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [all, single, double, escaped, star, odd, plain] = found;
    if (odd !== undefined)
      return { expected: `the words of a command, with ${odd} in quotes if it belongs to a word` };
    if (/^\s/.test(all) || all === ";") {
      end();
      if (all === ";") commands.push([]);
      continue;
    }
    word ??= [""];
    if (star !== undefined) word.push("");
    else {
      const piece = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "";
      word[word.length - 1] = (word.at(-1) ?? "") + piece;
    }
  }
  end();
  const full = commands.filter((command) => command.length > 0);
  return full.length > 0 ? full : { expected: "the words of a command, for example npm test or git *" };
}

function makeWord(parts: readonly string[]): PatternWord {
  if (parts.length === 1) return { kind: "text", text: parts[0] ?? "" };
  return parts.every((part) => part === "") ? { kind: "any" } : { kind: "stars", parts };
}

export function takesWord(pattern: PatternWord, word: string): boolean {
  if (pattern.kind === "any") return true;
  if (pattern.kind === "text") return pattern.text === word;
  const { parts } = pattern;
  const [first, last] = [parts[0] ?? "", parts.at(-1) ?? ""];
  if (word.length < first.length + last.length || !word.startsWith(first) || !word.endsWith(last))
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = word.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= word.length - last.length;
}

/** A word as a pattern that takes nothing else. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
