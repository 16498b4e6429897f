/**
 * Owns looking for processes by a word in their arguments, so that a test can say that none is left.
 * Leaves ending them to what is under test. Rule: looks only; a zombie is dead.
 */
import { spawnSync } from "node:child_process";

let words = 0;

/** A number of seconds that no other process sleeps: `sleep ${rareSeconds()}` can be found again. */
export function rareSeconds(): string {
  words++;
  return `900.${process.pid}${String(words).padStart(4, "0")}`;
}

/** The arguments of every live process that holds `word`. */
export function findLive(word: string): string[] {
  const listed = spawnSync("ps", ["-A", "-ww", "-o", "stat=,args="], {
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  return listed.stdout.split("\n").filter((line) => line.includes(word) && !line.trimStart().startsWith("Z"));
}

/** Waits until a process holds `word`. */
export async function waitForLive(word: string): Promise<void> {
  for (let tries = 0; findLive(word).length === 0; tries++) {
    if (tries > 200) throw new Error(`nothing runs with ${word}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until no process holds `word`, at most so long; gives what is left. */
export async function waitForNone(word: string, withinMs = 3_000): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const left = findLive(word);
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
