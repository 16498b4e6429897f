/**
 * Owns what children that were left running are called: `sleep 45, node server.js`.
 * Leaves finding them to tree.ts. Rule: their own words, never a text of ours that the shell was given; the topmost of
 * each branch, because what they start comes and goes.
 */
import { type ProcessRow, processTable } from "./process-table.ts";
import type { StartedCommand } from "./start-command.ts";

const MAX_WORDS = 200;
const MAX_NAMES = 5;

export function nameRunning({ command }: StartedCommand, running: readonly ProcessRow[]): string {
  const pids = new Set(running.map((row) => row.pid));
  const tops = running.filter((row) => !pids.has(row.parent));
  const names = tops.map((row) => nameOf(row.pid)).filter((name) => name !== undefined);
  const all = [...new Set(names)];
  // A part of the shell itself, or gone by now: known by the command alone.
  if (all.length === 0) return command;
  const more = all.length > MAX_NAMES ? [`${all.length - MAX_NAMES} more`] : [];
  return [...all.slice(0, MAX_NAMES), ...more].join(", ");
}

/** A part of the shell carries the shell's own words: the whole command, and whatever stands before it. */
function nameOf(pid: number): string | undefined {
  const words = processTable.wordsOf(pid);
  if (words.length === 0 || (words[0] === "bash" && words[1] === "-c")) return undefined;
  const line = words.join(" ").replace(/\s+/g, " ").trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).toWellFormed()}…` : line;
}
