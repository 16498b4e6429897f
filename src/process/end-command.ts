/**
 * Owns ending one command with all that it started, and reading what it had printed.
 * Leaves finding and signalling to end-tree.ts. Rule: when it returns, nothing of the command runs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { drainRest } from "./drain-rest.ts";
import { endTree } from "./end-tree.ts";
import { killChild } from "./signal.ts";
import type { StartedCommand } from "./start-command.ts";

/** Between the end of a process and the news of it. */
const NEWS_MS = 2_000;

export async function endCommand(started: StartedCommand, graceMs: number): Promise<void> {
  if (started.tree === undefined) killChild(started.child);
  else await endTree(started.tree, { graceMs });
  const waiting = new AbortController();
  await Promise.race([started.exited, sleep(NEWS_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
  await drainRest(started);
}
