/**
 * Owns ending everything that a command started: TERM, grace, KILL until nothing is found.
 * Leaves finding to tree.ts and sending to signal.ts. Rule: what is found is stopped before it is killed, so that what
 * forks faster than we look runs out of parents; and it is over only when a thorough look finds nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessRow } from "./process-table.ts";
import { signalProcesses } from "./signal.ts";
import type { Tree } from "./tree.ts";

/** SPEC: what a command may still do when it is cancelled, and when its time is over. */
export const CANCEL_GRACE_MS = 500;
export const TIMEOUT_GRACE_MS = 2_000;

const LOOK_MS = 15;
/** What a signal cannot end in this time waits for the system itself (a dead disk): nobody else could end it either. */
const KILL_MS = 5_000;
/** Looks in which what is found is stopped, before a round of killing. What hangs in the system does not stop. */
const MAX_STOPS = 40;

export async function endTree(tree: Tree, { graceMs }: { readonly graceMs: number }): Promise<void> {
  if (await endGently(tree, graceMs)) return;
  const giveUpAt = performance.now() + KILL_MS;
  for (let running = stopAll(tree); running.length > 0; running = stopAll(tree)) {
    signalProcesses(running, "SIGKILL");
    if (performance.now() > giveUpAt) return;
    await sleep(LOOK_MS);
  }
}

/**
 * Whether all of it ended by itself. TERM is sent once, to what is there: what is started after it cleans up, and is
 * left to do so until the grace is over.
 */
export async function endGently(tree: Tree, graceMs: number): Promise<boolean> {
  const until = performance.now() + graceMs;
  let running = tree.findRunning();
  signalProcesses(running, "SIGTERM");
  // A stopped process hears nothing until it goes on.
  signalProcesses(running, "SIGCONT");
  while (running.length > 0) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await sleep(Math.min(LOOK_MS, leftMs));
    running = tree.findRunning();
  }
  return true;
}

/** Stops what is found until all of it stands still: only then nothing new can come of it. */
function stopAll(tree: Tree): ProcessRow[] {
  let running = tree.findRunning();
  for (let look = 0; look < MAX_STOPS && !running.every((row) => row.isStopped); look++) {
    signalProcesses(
      running.filter((row) => !row.isStopped),
      "SIGSTOP",
    );
    running = tree.findRunning();
  }
  return running;
}
