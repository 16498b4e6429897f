/**
 * Owns reading a shell command before it runs: which simple commands it holds, and what in it cannot be seen through.
 * Leaves running it to process/, deciding about it to permission/, whether bash agrees on a syntax error to `bash -n`.
 * Rule: total, and linear in the text but for what is bounded here. Whatever is in doubt is opaque: a rule that
 * allows never covers what it cannot see. Nothing is decided by what the parser makes of a text that bash may read
 * otherwise, such as a NUL or a blank that is none.
 */
import { forEachChild, parse } from "unbash";
import { type Walk, walkScript, walkWords } from "./command-walk.ts";
import { findDeciders, findLastPipeline, mayEndElsewhere } from "./last-pipeline.ts";
import type { ParsedShell } from "./parsed-shell.ts";

export type { ParsedShell, SimpleCommand } from "./parsed-shell.ts";

/** UTF-16 units. More than a shell line can be in any program's argument. */
const LONGEST = 1_048_576;
/** The parser looks for the end of each here-document on every line, and reads nested expansions once a level. */
const MOST_HERE_DOCUMENTS = 1_000;
const MOST_EXPANSIONS = 4_000;

/** Controls but tab and newline, format characters, and every blank and line break but theirs and the space. */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}\p{Co}\p{Cn}]/u;

/** Nothing that bash would expand, split or take for an operator; `=` in an option alone, for elsewhere it may assign. */
const BARE = /^[\w./:@%+,-]+(?: (?:-[\w./:@%+,=-]*|[\w./:@%+,][\w./:@%+,-]*))*$/;
const RESERVED =
  /^(?:if|then|elif|else|fi|for|select|while|until|do|done|in|case|esac|function|time|coproc)$/;

export function parseShell(command: string): ParsedShell {
  // Most commands are a program and bare words. Read before each of them, by a parser that is out of the caches by then.
  const words = command.length <= LONGEST && BARE.test(command) ? command.split(" ") : [];
  const [name] = words;
  if (name !== undefined && !RESERVED.test(name)) return parseWords(name, words);
  const odd = findOdd(command);
  if (command.length > LONGEST || isTooMuch(command))
    return unseen([...odd, "a text too long to look through"]);
  try {
    return parseText(command, odd);
  } catch {
    // A fault of the parser must not decide anything.
    return unseen([...odd, "a text that cannot be parsed"]);
  }
}

function parseWords(name: string, words: readonly string[]): ParsedShell {
  const walk = openWalk();
  walkWords(walk, words);
  return {
    commands: walk.commands,
    opaque: [...walk.opaque],
    lastPipeline: [name],
    deciders: mayEndElsewhere(walk.commands) ? [] : [name],
    changesDirectory: walk.changesDirectory,
  };
}

function openWalk(odd: readonly string[] = []): Walk {
  return { commands: [], opaque: new Set(odd), changesDirectory: false, parse, eachChild: forEachChild };
}

function parseText(command: string, odd: readonly string[]): ParsedShell {
  const script = parse(command);
  const walk = openWalk(odd);
  const first = script.errors?.[0];
  if (first !== undefined) walk.opaque.add("syntax error");
  walkScript(walk, script);
  return {
    commands: walk.commands,
    opaque: [...walk.opaque],
    ...(first === undefined
      ? {}
      : { error: { message: first.message.toWellFormed(), line: countLines(command, first.pos) } }),
    lastPipeline: findLastPipeline(script),
    deciders: findDeciders(script, walk.commands),
    changesDirectory: walk.changesDirectory,
  };
}

function unseen(opaque: readonly string[]): ParsedShell {
  return { commands: [], opaque, lastPipeline: [], deciders: [], changesDirectory: true };
}

function findOdd(command: string): string[] {
  if (/^[\t\n\x20-\x7e]*$/.test(command)) return [];
  const bare = command.replace(/[\t\n ]/g, "");
  if (bare.includes("\0")) return ["NUL"];
  return ODD.test(bare) ? ["an odd blank or control character"] : [];
}

function isTooMuch(command: string): boolean {
  return (
    isOver(MOST_HERE_DOCUMENTS, command.matchAll(/<</g)) ||
    isOver(MOST_EXPANSIONS, command.matchAll(/\$[{([]|[<>]\(|`/g))
  );
}

function isOver(most: number, found: Iterable<unknown>): boolean {
  let count = 0;
  for (const _ of found) if (++count > most) return true;
  return false;
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
