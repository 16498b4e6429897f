/**
 * Owns ending one command with all that it started, and reading what it had printed.
 * Leaves finding and signalling to end-tree.ts. Rule: when it returns, nothing of the command runs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { drainRest } from "./drain-rest.ts";
import { endGently, endTree } from "./end-tree.ts";
import { processTable } from "./process-table.ts";
import { killChild, signalProcesses } from "./signal.ts";
import type { StartedCommand } from "./start-command.ts";

/** Between the end of a process and the news of it. */
const NEWS_MS = 2_000;

export async function endCommand(started: StartedCommand, graceMs: number): Promise<void> {
  if (started.supervision !== undefined) await endFenced(started, graceMs);
  else if (started.tree === undefined) killChild(started.child);
  else await endTree(started.tree, { graceMs });
  await withinNews(started.exited);
  await drainRest(started);
}

/**
 * What is confined gets its grace, and then process 1 of its namespace is killed: the system ends all others with it,
 * whatever they did to be forgotten, and the fence is gone only when none is left.
 */
async function endFenced({ tree, child, supervision }: StartedCommand, graceMs: number): Promise<void> {
  if (tree !== undefined) await endGently(tree, graceMs);
  const first = processTable.list().filter((row) => row.parent === child.pid);
  if (first.length === 0) killChild(child);
  else signalProcesses(first, "SIGKILL");
  await withinNews(supervision?.gone);
  killChild(child);
}

/** Waits until a fence, where there is one, is gone; what hangs in the system is not waited for. */
export async function withinNews(gone: Promise<unknown> | undefined): Promise<void> {
  if (gone === undefined) return;
  const waiting = new AbortController();
  await Promise.race([gone, sleep(NEWS_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}
