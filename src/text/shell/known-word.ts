/**
 * Owns the question whether a word of a shell command is known before the command runs, and what it is then.
 * Leaves walking the command to command-walk.ts.
 * Rule: a word is known only where bash makes exactly this one word of it. A pattern of file names or braces can
 * become any words, an expansion any text: a rule about `cat secrets` must not be dodged by `cat s*`.
 */
import type { Word, WordPart } from "unbash";

export interface KnownWord {
  /** Unquoted; expansions stand as they were written. */
  readonly text: string;
  /** Why it is not known, or undefined. */
  readonly why: string | undefined;
}

const REASONS: Readonly<Record<Exclude<WordPart["type"], "Literal">, string | undefined>> = {
  SingleQuoted: undefined,
  AnsiCQuoted: undefined,
  DoubleQuoted: undefined,
  LocaleString: "translated string",
  Glob: "pattern of file names",
  ExtendedGlob: "pattern of file names",
  BraceExpansion: "brace expansion",
  SimpleExpansion: "variable",
  ParameterExpansion: "variable",
  CommandExpansion: "command substitution",
  ArithmeticExpansion: "arithmetic",
  ProcessSubstitution: "process substitution",
};

export function knowWord(word: Word): KnownWord {
  return { text: word.value, why: findReason(word) };
}

function findReason(word: Word): string | undefined {
  if (word.parts === undefined) return readLiteral(word.text, word.text);
  for (const part of word.parts) {
    const why = readPart(part, word.text);
    if (why !== undefined) return why;
  }
  return undefined;
}

function readPart(part: WordPart, whole: string): string | undefined {
  if (part.type === "Literal") return readLiteral(part.text, whole);
  if (part.type === "DoubleQuoted") {
    const inner = part.parts.find((one) => one.type !== "Literal");
    return inner === undefined ? undefined : REASONS[inner.type];
  }
  // bash ends the string at a NUL, and what escapes above ASCII become hangs on the locale.
  if (part.type === "AnsiCQuoted" && /[^\t\n\x20-\x7e]/.test(part.value)) return "escaped character";
  return REASONS[part.type];
}

/** Patterns and braces that the parser takes for plain text count as well: bash may see them with other options. */
function readLiteral(text: string, whole: string): string | undefined {
  // Where the shell is, or was; `~` alone is the person's folder, and spelled so in rules.
  if (/^~[+-]/.test(whole)) return "variable";
  if (whole === "[" || whole === "{}" || !/[*?[{$`]/.test(text)) return undefined;
  const bare = text.replace(/\\./gs, "");
  if (/[*?[]/.test(bare)) return "pattern of file names";
  if (bare.includes("{") && /,|\.\./.test(whole)) return "brace expansion";
  return /[`]|\$./.test(bare) ? "variable" : undefined;
}
