/**
 * Owns learning from a shell, as it ends, how the stages of its last pipeline ended and in which folder it is.
 * Leaves deciding whether that is worth a line beside the command to the tool. Rule: the command's output, status and
 * line numbers are as without it. The command's own EXIT trap, or an `exec`, wins: then nothing is learnt.
 *
 * Told through a file, not through a descriptor: that would be inherited by all that the command starts.
 */
import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync } from "node:fs";

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
  const words = readOnce(file).split("\0").slice(0, -1);
  const directory = words.at(-1);
  const stages = words.slice(0, -1).map(Number);
  const isMoved = directory?.startsWith("/") === true && directory !== of.cwd;
  return {
    ...(of.watch.stages && stages.length > 0 && stages.every(Number.isInteger) ? { stages } : {}),
    ...(of.watch.directory && isMoved ? { directory } : {}),
  };
}

/** More than a path and a few statuses; what is longer is no report of ours. */
const MAX_REPORT_BYTES = 65_536;

/**
 * Reads the file and removes it. The attack: the command finds its name in the shell's words and puts a FIFO or a link
 * to /dev/zero there, at which the worker, and with it every job, would wait or read for ever.
 */
function readOnce(file: string): string {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return "";
      const bytes = Buffer.alloc(MAX_REPORT_BYTES);
      const length = readSync(fd, bytes, 0, bytes.length, 0);
      return length < bytes.length ? bytes.toString("utf8", 0, length) : "";
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  } finally {
    removeQuietly(file);
  }
}

/** What the command has put under that name is its own, and ends with the other temporary files. */
export function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Gone, or a folder.
  }
}

/** As one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
