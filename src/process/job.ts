/**
 * Owns one job: a command that runs in the background, or what a command left running.
 * Leaves the list of jobs to jobs.ts and waiting for something in it to wait-for-job.ts. Rule: it is over when nothing of
 * it runs any more, its shell's children included; what it printed stays readable after that.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Exit, JobOutput, JobSummary } from "../contract/shell.ts";
import { drainRest } from "./drain-rest.ts";
import { endCommand, withinNews } from "./end-command.ts";
import type { StartedCommand } from "./start-command.ts";

export interface Job {
  readonly id: string;
  readonly started: StartedCommand;
  /** Resolves when it is over. */
  readonly over: Promise<void>;
  isOver(): boolean;
  summarise(): JobSummary;
  /** What is new, given once. */
  take(): JobOutput;
  /** Ends all of it. */
  stop(of: { readonly graceMs: number }): Promise<void>;
}

export interface JobRequest {
  readonly id: string;
  readonly command: string;
  readonly started: StartedCommand;
  /** Whether the shell itself is part of it; else its children alone. */
  readonly hasShell: boolean;
}

/** Between two looks at whether anything runs. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 500;

export function openJob({ id, command, started, hasShell }: JobRequest): Job {
  let exit: Exit | undefined;
  let stopping: Promise<void> | undefined;
  const stopped = new AbortController();
  const over = watch();

  async function watch(): Promise<void> {
    const shell: Exit = hasShell ? await started.exited : { kind: "ended" };
    await waitForTree(started, stopped.signal);
    await stopping;
    if (started.supervision !== undefined) await withinNews(started.supervision.gone);
    await drainRest(started);
    started.report();
    started.release();
    exit = stopping === undefined ? shell : { kind: "stopped" };
  }

  function take(): JobOutput {
    const isDone = exit !== undefined;
    const { stdout, stderr } = started;
    const output = {
      stdout: stdout.capture.take({ isOver: isDone || stdout.drain.isOver() }),
      stderr: stderr.capture.take({ isOver: isDone || stderr.drain.isOver() }),
    };
    return { job: summarise(), ...output };
  }

  function summarise(): JobSummary {
    return {
      id,
      command,
      ...(exit === undefined ? {} : { exit }),
      pids: started.tree?.seen() ?? [started.pid],
      unreadBytes: started.stdout.capture.untaken() + started.stderr.capture.untaken(),
    };
  }

  return {
    id,
    started,
    over,
    isOver: () => exit !== undefined,
    summarise,
    take,
    async stop({ graceMs }) {
      if (exit !== undefined) return;
      stopping ??= endCommand(started, graceMs).finally(() => stopped.abort());
      await stopping;
      await over;
    },
  };
}

/** Until nothing of it runs, or what could be ended of it has been ended. */
async function waitForTree({ tree }: StartedCommand, stopped: AbortSignal): Promise<void> {
  if (tree === undefined) return;
  for (let waitMs = FIRST_LOOK_MS; tree.isRunning() && !stopped.aborted; ) {
    await sleep(waitMs, undefined, { ref: false, signal: stopped }).catch(() => {});
    waitMs = Math.min(LAST_LOOK_MS, waitMs * 1.5);
  }
}
