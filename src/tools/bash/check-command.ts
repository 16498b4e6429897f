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
  return error !== undefined || isUnread || opaque.includes("syntax error") || isDoubtful(text);
}

/** Where the text turns on patterns of names by itself, bash would not know of it when asked. */
function isDoubtful(text: string): boolean {
  return DOUBTFUL.test(text) && !text.includes("extglob");
}

/** Why no shell can be given this text. That it is well-formed is seen to by the gate. */
export function findTextFault(text: string): { message: string; line: number } | undefined {
  const nul = text.indexOf("\0");
  if (nul < 0) return undefined;
  return {
    message: "it holds a NUL character, which no shell takes",
    line: text.slice(0, nul).split("\n").length,
  };
}
