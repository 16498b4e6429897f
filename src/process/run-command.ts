/**
 * Owns how a command in the foreground comes to its end: its shell ends, its time is over, or it is cancelled.
 * Leaves starting it to start-command.ts, ending trees to end-tree.ts, and what goes on after it to jobs.ts.
 * Rule: it answers when the shell has ended, not when the pipes close; nothing that was cancelled or timed out runs on.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandEnd, Exit } from "../contract/shell.ts";
import { drainRest } from "./drain-rest.ts";
import { endCommand, withinNews } from "./end-command.ts";
import { CANCEL_GRACE_MS, TIMEOUT_GRACE_MS } from "./end-tree.ts";
import type { Jobs } from "./jobs.ts";
import type { LocalCommand } from "./local-command.ts";
import type { ProcessRow } from "./process-table.ts";
import type { StartedCommand } from "./start-command.ts";
import { watchOutput } from "./watch-output.ts";

/** What ends with its shell needs a moment to do so: `echo x > >(cat)` is no background child. */
const SETTLE_MS = 50;
const SETTLE_LOOK_MS = 2;

/** A timer for longer than this fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

export interface Run {
  readonly started: StartedCommand;
  readonly request: LocalCommand;
  readonly jobs: Jobs;
}

export async function runCommand(run: Run): Promise<CommandEnd> {
  const { started, request } = run;
  const stopWatching = watchOutput({ ...started, onOutput: request.onOutput });
  try {
    const outcome = await waitForOutcome(run);
    if (outcome === "exited") return await finishExited(run);
    if (outcome === "timed-out" && request.onTimeout === "background") return goOnAsJob(run);
    return await finishEnded(run, outcome);
  } finally {
    stopWatching();
  }
}

type Outcome = "exited" | "timed-out" | "cancelled";

function waitForOutcome({ started, request }: Run): Promise<Outcome> {
  const { signal, timeoutMs } = request;
  return new Promise((resolve) => {
    const cancel = () => finish("cancelled");
    const timer = setTimeout(() => finish("timed-out"), Math.min(timeoutMs, MAX_TIMER_MS));
    const finish = (outcome: Outcome) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(outcome);
    };
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    void started.exited.then(() => finish("exited"));
  });
}

async function finishExited(run: Run): Promise<CommandEnd> {
  const { started, request, jobs } = run;
  const exit = await started.exited;
  const running = await settle(started);
  // Cancelled while it was settling: what is left is not wanted any more.
  if (running.length > 0 && request.signal.aborted) return finishEnded(run, "cancelled");
  await drainRest(started);
  const ended = describe(started, { exit, isOver: running.length === 0 });
  const report = started.report();
  if (running.length === 0) {
    started.release();
    return { ...ended, ...report };
  }
  return { ...ended, ...report, left: jobs.adoptLeft(started, running) };
}

/** The children that run on. */
async function settle(started: StartedCommand): Promise<ProcessRow[]> {
  const { supervision } = started;
  const running = supervision?.isAlone() === true ? [] : await findLeft(started);
  // The fence ends with the last that is in it.
  if (running.length === 0) await withinNews(supervision?.gone);
  return running;
}

async function findLeft({ tree }: StartedCommand): Promise<ProcessRow[]> {
  if (tree === undefined || tree.isUntouched() || tree.findRunning().length === 0) return [];
  const until = performance.now() + SETTLE_MS;
  for (let waitMs = SETTLE_LOOK_MS; performance.now() < until; waitMs *= 2) {
    await sleep(waitMs);
    if (!tree.isRunning()) return [];
  }
  return tree.findRunning();
}

async function finishEnded(run: Run, outcome: "timed-out" | "cancelled"): Promise<CommandEnd> {
  const { started, request } = run;
  const exit: Exit =
    outcome === "cancelled" ? { kind: "cancelled" } : { kind: "timed-out", afterMs: request.timeoutMs };
  await endCommand(started, outcome === "cancelled" ? CANCEL_GRACE_MS : TIMEOUT_GRACE_MS);
  const ended = describe(started, { exit, isOver: true });
  started.report();
  started.release();
  return ended;
}

function describe(
  started: StartedCommand,
  { exit, isOver }: { readonly exit: Exit; readonly isOver: boolean },
): CommandEnd & { readonly kind: "ended" } {
  const { pid, tree, stdout, stderr } = started;
  return {
    kind: "ended",
    exit,
    stdout: stdout.capture.take({ isOver }),
    stderr: stderr.capture.take({ isOver }),
    durationMs: started.durationMs(),
    pid,
    pids: tree?.seen() ?? [pid],
  };
}

function goOnAsJob({ started, jobs }: Run): CommandEnd {
  const stdout = started.stdout.capture.take({ isOver: false });
  const stderr = started.stderr.capture.take({ isOver: false });
  const durationMs = started.durationMs();
  return { kind: "background", job: jobs.adopt(started), stdout, stderr, durationMs, pid: started.pid };
}
