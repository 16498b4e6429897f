/**
 * Owns the commands of one worker: running them, their jobs, and ending all of them.
 * Leaves each step to its own file. Rule: after `close` nothing that was started here runs, and nothing starts.
 */
import type { Captured, CommandEnd, JobSummary, Jobs } from "../contract/shell.ts";
import { checkSyntax } from "./check-syntax.ts";
import { openRelays } from "./confine/relay.ts";
import { endCommand } from "./end-command.ts";
import { endMarked } from "./end-marked.ts";
import { CANCEL_GRACE_MS } from "./end-tree.ts";
import { type Jobs as OwnJobs, openJobs } from "./jobs.ts";
import type { LocalCommand } from "./local-command.ts";
import { makeMark } from "./mark.ts";
import { openPipeStore } from "./pipes.ts";
import { runCommand } from "./run-command.ts";
import { type StartedCommand, startCommand } from "./start-command.ts";

export interface Commands {
  /** Never rejects for what a command does. */
  run(request: LocalCommand): Promise<CommandEnd>;
  readonly jobs: Jobs;
  close(): Promise<void>;
}

export interface CommandsRequest {
  /** Names the worker; every command carries it in its environment. */
  readonly marker: string;
  /** The number of the first job. */
  readonly firstJob?: number;
  readonly onJobEnded?: (job: JobSummary) => void;
}

export function openCommands({ marker, firstJob = 1, onJobEnded = () => {} }: CommandsRequest): Commands {
  const pipes = openPipeStore();
  const relays = openRelays({ mark: makeMark(marker, "relay") });
  const jobs: OwnJobs = openJobs({ firstJob, onJobEnded });
  const running = new Set<StartedCommand>();
  const calls = new Set<Promise<unknown>>();
  let count = 0;
  let isClosed = false;

  async function run(request: LocalCommand): Promise<CommandEnd> {
    const fault = request.checkSyntax ? await checkSyntax(request) : undefined;
    if (request.signal.aborted || isClosed) return CANCELLED;
    if (fault !== undefined) return fault;
    const fence = request.fence === undefined ? undefined : await relays.enter(request.fence);
    if (fence !== undefined && "error" in fence) return { kind: "not-started", error: fence.error };
    if (request.signal.aborted || isClosed) return CANCELLED;
    const entered = fence === undefined ? request : { ...request, fence };
    const started = await startCommand({ request: entered, mark: makeMark(marker, ++count), pipes });
    if ("error" in started) return { kind: "not-started", error: started.error };
    // Closed while it was started: it goes on through the usual end, with nothing left to wait for.
    if (isClosed) await endCommand(started, 0);
    if (request.background)
      return { ...nothingYet(started), kind: "background", job: jobs.adopt(started), pid: started.pid };
    running.add(started);
    return runCommand({ started, request, jobs }).finally(() => running.delete(started));
  }

  return {
    run(request) {
      const call = run(request);
      calls.add(call);
      return call.finally(() => calls.delete(call));
    },
    jobs,
    async close() {
      isClosed = true;
      // First, so that they end as stopped, and by no signal of unknown origin.
      const stopped = jobs.close();
      // All at once, because each tree by itself looks for its own: many would wait for each other's looks.
      // What carries no marker is left to those trees.
      if (count > 0) await endMarked(marker, CANCEL_GRACE_MS);
      await Promise.all([...running].map((started) => endCommand(started, CANCEL_GRACE_MS)));
      await Promise.allSettled(calls);
      await stopped;
      // What a call has left since.
      await jobs.close();
      await relays.close();
      await pipes.close();
    },
  };
}

const NOTHING: Captured = {
  seen: 0,
  head: new Uint8Array(),
  tail: new Uint8Array(),
  omittedBytes: 0,
  omittedLines: 0,
};

function nothingYet(started: StartedCommand) {
  return { stdout: NOTHING, stderr: NOTHING, durationMs: started.durationMs() };
}

const CANCELLED: CommandEnd = {
  kind: "ended",
  exit: { kind: "cancelled" },
  stdout: NOTHING,
  stderr: NOTHING,
  durationMs: 0,
  pid: 0,
  pids: [],
};
