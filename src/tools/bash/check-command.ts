/**
 * Owns the text of a command before bash is given it: line endings, and what no shell can take.
 * Leaves its syntax to text/shell/ and to bash. Rule: what is changed is said.
 */
import type { Note } from "../../contract/output.ts";
import type { ParsedShell } from "../../text/shell/parsed-shell.ts";

export interface CommandText {
  readonly text: string;
  readonly notes: readonly Note[];
}

const CRLF_NOTE: Note = {
  code: "line-endings",
  text: "the command's CRLF line endings were taken as LF: bash takes a carriage return for a letter",
  audience: "model",
};

/** Where every line ends in CRLF, that is how the text was carried, and no part of the command. */
export function readCommand(command: string): CommandText {
  if (!command.includes("\r\n") || /(?<!\r)\n/.test(command)) return { text: command, notes: [] };
  return { text: command.replaceAll("\r\n", "\n"), notes: [CRLF_NOTE] };
}

/** Where our parser reads more than the bash of this machine may: patterns of names, newer expansions, odd redirections. */
const DOUBTFUL = /(?<![$<>])\(|\\.\(|\$\$\(|\$\{[\s|]|<<.*[`'"]|[<>]&?\s*\d+[<>]|\bcoproc\b|\[\[/;

/** Whether bash has to be asked if it can read a command to its end: it runs a script line by line, up to the line with an error. */
export function mustAskBash(text: string, { commands, opaque, error }: ParsedShell): boolean {
  const isUnread = commands.length === 0 && opaque.length > 0;
  return error !== undefined || isUnread || opaque.includes("syntax error") || DOUBTFUL.test(text);
}

/** Why no shell can be given this text. */
export function findTextFault(text: string): { message: string; line: number } | undefined {
  const nul = text.indexOf("\0");
  if (nul >= 0) return { message: "it holds a NUL character, which no shell takes", line: lineOf(text, nul) };
  if (text.isWellFormed()) return undefined;
  const half = text.search(/[\ud800-\udfff]/u);
  return {
    message: "it holds one half of a surrogate pair, which is no character",
    line: lineOf(text, half),
  };
}

function lineOf(text: string, end: number): number {
  return text.slice(0, end).split("\n").length;
}
