/**
 * Owns which programs wait for keys even where there is neither a terminal nor any input.
 * Leaves finding the commands to parse-shell.ts. Rule: only those that were seen to wait so. What reads standard input
 * finds its end, what opens a terminal finds none, and both say so themselves.
 */
import { basename } from "node:path/posix";
import type { ParsedShell } from "./parsed-shell.ts";

const SCREEN_EDITORS = new Set(["vi", "vim", "view", "rvim", "vimdiff", "nvim", "vimtutor"]);

/** The first of them that a command runs. */
export function findScreenProgram({ commands }: Pick<ParsedShell, "commands">): string | undefined {
  for (const { words } of commands) {
    const name = basename(words[0] ?? "");
    if (SCREEN_EDITORS.has(name)) return name;
  }
  return undefined;
}
