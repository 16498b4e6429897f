/**
 * Owns what is seen of commands that run other commands: why such a line is opaque, and which commands can be made
 * out all the same. Leaves walking to command-walk.ts, the tables to program-kinds.ts.
 * Rule: what is made out serves rules that deny and people who are asked; it never makes a line less opaque.
 */
import { baseName, findProgram } from "./program-kinds.ts";
import { findRunningOption } from "./running-options.ts";

export interface SeenThrough {
  /** Why the command is opaque. */
  readonly why: string;
  /** The words of the command that it runs, as far as they are seen: what it may be where options may take values. */
  readonly words?: readonly (readonly string[])[];
  /** A text that it runs as a script, as far as it is seen. */
  readonly script?: string;
}

/** Runners of runners hold each other's words: more than these would be copied many times over. */
const MOST_WORDS = 5_000;

/** Undefined where a command does what its own words say. */
export function seeThrough(words: readonly string[]): SeenThrough | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const program = findProgram(first);
  switch (program?.kind) {
    case "runner":
      return { why: program.name, words: skipOptions(rest) };
    case "evaluator":
      return readEvaluator(program.name, rest);
    case "shell":
      return readShell(program.name, rest);
    case "interpreter":
      return readInterpreter(program.name, rest) ?? readOwnOptions(baseName(first), rest);
    default:
      return readOwnOptions(baseName(first), rest);
  }
}

/**
 * Which options take a value is not known: behind options, the first word may be one (`sudo -u root rm x`), and the
 * second is given too. Only rules that deny look at either.
 */
function skipOptions(words: readonly string[]): readonly (readonly string[])[] {
  const isCommand = (word: string) =>
    !word.startsWith("-") && !/^\w+=/.test(word) && !/^[\d.]+[smhd]?$/.test(word);
  const first = words.findIndex(isCommand);
  if (first < 0 || words.length > MOST_WORDS) return [];
  const found = [words.slice(first)];
  const second = words.findIndex((word, index) => index > first && isCommand(word));
  if (second > 0 && words.slice(0, first).some((word) => word.startsWith("-")))
    found.push(words.slice(second));
  return found;
}

function readEvaluator(name: string, rest: readonly string[]): SeenThrough | undefined {
  if (name === "eval") return { why: "eval", script: rest.join(" ") };
  if (name === "trap") return { why: "trap", ...(rest[0] === undefined ? {} : { script: rest[0] }) };
  return { why: name === "." ? "source" : name };
}

/** A script file is named like any argument; a text, or standard input, is not seen by a rule about words. */
function readShell(name: string, rest: readonly string[]): SeenThrough | undefined {
  const first = rest[0];
  if (first !== undefined && !/^[-+]/.test(first)) return undefined;
  const at = rest.findIndex((word) => /^-[a-z]*c/i.test(word) && !word.startsWith("--"));
  if (at < 0)
    return first === "--version" || first === "--help" ? undefined : { why: `${name} without a script file` };
  const script = rest.slice(at + 1).find((word) => !/^[-+]/.test(word));
  return { why: `${name} -c`, ...(script === undefined ? {} : { script }) };
}

function readInterpreter(name: string, rest: readonly string[]): SeenThrough | undefined {
  const readsInput = rest.length === 0 || rest.includes("-") || rest.some((word) => word.startsWith("/dev/"));
  return readsInput ? { why: `${name} reading its program from standard input` } : undefined;
}

function readOwnOptions(name: string, rest: readonly string[]): SeenThrough | undefined {
  if (/^g?find$/.test(name)) return readAfter("find -exec", { rest, option: /^-(exec|execdir|ok|okdir)$/ });
  if (name === "fd" || name === "fdfind")
    return readAfter("fd --exec", { rest, option: /^(-[a-z]*[xX]|--exec(-batch)?)(=|$)/ });
  if (name === "printf" && rest[0]?.startsWith("-v")) return { why: "variable" };
  // `test -v 'a[$(rm x)]'` runs what stands in the subscript, and so do numbers that are compared.
  if ((name === "test" || name === "[") && rest.some((word) => /[[$`]/.test(word)))
    return { why: "arithmetic" };
  if (/^(declare|typeset|local|export|readonly|read|unset|let|getopts)$/.test(name))
    return { why: "variable" };
  const why = findRunningOption(name, rest);
  return why === undefined ? undefined : { why };
}

function readAfter(why: string, of: { rest: readonly string[]; option: RegExp }): SeenThrough | undefined {
  const at = of.rest.findIndex((word) => of.option.test(word));
  return at < 0 ? undefined : { why, words: [of.rest.slice(at + 1)] };
}
