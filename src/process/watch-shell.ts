/**
 * Owns learning from a shell, as it ends, how the stages of its last pipeline ended and in which folder it is.
 * Leaves deciding whether that is worth a line beside the command to the tool. Rule: the command's output, status and
 * line numbers are as without it. The command's own EXIT trap, or an `exec`, wins: then nothing is learnt.
 *
 * Told through a file, not through a descriptor: that would be inherited by all that the command starts.
 */
import { readFileSync, rmSync } from "node:fs";

export interface Watch {
  readonly stages: boolean;
  readonly directory: boolean;
}

export interface ShellReport {
  readonly stages?: readonly number[];
  readonly directory?: string;
}

/** The trap stands on the command's first line. What `set -x` would print of it goes nowhere. */
export function addReport(command: string, file: string): string {
  const report = `builtin printf '%s\\0' "\${HAFT_P[@]}" "$PWD" >${quote(file)}`;
  const trap = `{ HAFT_P=("\${PIPESTATUS[@]}"); set +x; ${report}; } 2>/dev/null || :`;
  return `trap ${quote(trap)} EXIT; ${command}`;
}

/** A DEBUG trap would run, and print, for the lines of ours too. */
export function canReport(command: string): boolean {
  return !/\bDEBUG\b/.test(command);
}

export function readReport(file: string, of: { readonly watch: Watch; readonly cwd: string }): ShellReport {
  let words: string[];
  try {
    words = readFileSync(file, "utf8").split("\0").slice(0, -1);
    rmSync(file, { force: true });
  } catch {
    return {};
  }
  const directory = words.at(-1);
  const stages = words.slice(0, -1).map(Number);
  const isMoved = directory?.startsWith("/") === true && directory !== of.cwd;
  return {
    ...(of.watch.stages && stages.length > 0 && stages.every(Number.isInteger) ? { stages } : {}),
    ...(of.watch.directory && isMoved ? { directory } : {}),
  };
}

/** As one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
