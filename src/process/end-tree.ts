/**
 * Owns ending everything that a command started: TERM, grace, KILL until nothing is found.
 * Leaves finding to tree.ts and sending to signal.ts. Rule: what is found is stopped before it is killed, so that what
 * forks faster than we look runs out of parents; and it is over only when a thorough look finds nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { signalProcesses } from "./signal.ts";
import type { Tree } from "./tree.ts";

/** SPEC: what a command may still do when it is cancelled, and when its time is over. */
export const CANCEL_GRACE_MS = 500;
export const TIMEOUT_GRACE_MS = 2_000;

const LOOK_MS = 15;
/** What a signal cannot end in this time waits for the system itself (a dead disk): nobody else could end it either. */
const KILL_MS = 5_000;
/** Looks in which what is found is stopped, before a round of killing. */
const MAX_STOPS = 10;

export async function endTree(tree: Tree, { graceMs }: { readonly graceMs: number }): Promise<void> {
  if (await endGently(tree, graceMs)) return;
  const giveUpAt = performance.now() + KILL_MS;
  for (let running = stopAll(tree); running.length > 0; running = stopAll(tree)) {
    signalProcesses(running, "SIGKILL");
    if (performance.now() > giveUpAt) return;
    await sleep(LOOK_MS);
  }
}

/** Whether all of it ended by itself, told once to do so. */
async function endGently(tree: Tree, graceMs: number): Promise<boolean> {
  const told = new Set<string>();
  const until = performance.now() + graceMs;
  for (;;) {
    const running = tree.findRunning();
    if (running.length === 0) return true;
    if (performance.now() >= until) return false;
    const untold = running.filter((row) => !told.has(`${row.pid} ${row.startedAt}`));
    for (const row of running) told.add(`${row.pid} ${row.startedAt}`);
    signalProcesses(untold, "SIGTERM");
    // A stopped process hears nothing until it goes on.
    signalProcesses(untold, "SIGCONT");
    await sleep(Math.min(LOOK_MS, Math.max(1, until - performance.now())));
  }
}

function stopAll(tree: Tree) {
  let running = tree.findRunning();
  for (let look = 0; look < MAX_STOPS && running.length > 0; look++) {
    signalProcesses(running, "SIGSTOP");
    const before = running.length;
    running = tree.findRunning();
    if (running.length <= before) break;
  }
  return running;
}
