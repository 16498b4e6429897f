/**
 * Owns running commands and keeping jobs by way of the worker.
 * Leaves running them to process/, in the worker. Rule: what a command sees of the host's environment is decided
 * here, at the time of the call, and travels over the channel: never in an argument, never by inheritance.
 */
import { WorkerError } from "../contract/errors.ts";
import type { CommandEnd, CommandRequest, JobOutput, Jobs, JobWait, Shell } from "../contract/shell.ts";
import { shellEnvironment } from "../process/environment.ts";
import { FrameError } from "./frames.ts";
import type { JobMemory } from "./job-memory.ts";
import type { WorkerKeeper } from "./keep-worker.ts";
import { type Parted, putStreamsBack, type TaskAnswer, type TaskTable } from "./tasks.ts";

export interface ShellRequest {
  readonly keeper: () => Promise<WorkerKeeper>;
  readonly memory: JobMemory;
  /** Absolute path of the shell. */
  readonly bash: string;
  /** What commands see beside the allowlist: names to pass on, values to set. */
  readonly env: { readonly pass: readonly string[]; readonly set: Readonly<Record<string, string>> };
  readonly scratch: () => Promise<ScratchVariables>;
}

/** Variables that lead temporary files and caches into the scratch folders, or why there are none. */
export type ScratchVariables =
  | { readonly variables: Readonly<Record<string, string>> }
  | { readonly error: string };

export function openShell(request: ShellRequest): Shell {
  return { run: (command) => runCommand(request, command), jobs: openJobs(request) };
}

async function runCommand(
  { keeper, memory, bash, env, scratch }: ShellRequest,
  { signal, onOutput, ...command }: CommandRequest,
): Promise<CommandEnd> {
  const found = await scratch();
  if ("error" in found) return { kind: "not-started", error: found.error };
  const environment = shellEnvironment({ host: process.env, ...env, scratch: found.variables });
  try {
    const worker = await keeper();
    const answer = await worker.ask(
      "command.run",
      { ...command, environment, bash },
      { signal, onProgress: onOutput },
    );
    const end = completeEnd(answer);
    if (end.kind === "background") memory.note(end.job);
    if (end.kind === "ended" && end.left !== undefined) memory.note(end.left);
    return end;
  } catch (error) {
    if (error instanceof FrameError) return { kind: "not-started", error: `the worker ${error.message}` };
    throw error;
  }
}

function completeEnd({ value, parts }: TaskAnswer<TaskTable["command.run"]["output"]>): CommandEnd {
  if (value.kind === "ended" || value.kind === "background")
    return putStreamsBack({ value, parts } as TaskAnswer<never>) as CommandEnd;
  return value;
}

/** Jobs of lost workers are answered here. Where no worker runs there are no others, and none is started to say so. */
function openJobs({ keeper, memory }: ShellRequest): Jobs {
  /** One for each call: a signal that all share would gather listeners. */
  const never = () => new AbortController().signal;
  const askAbout = async <T extends JobOutput>(
    id: string,
    ask: (worker: WorkerKeeper) => Promise<TaskAnswer<Parted<T> | null>>,
  ): Promise<T | undefined> => {
    const lost = memory.findLost(id);
    if (lost !== undefined) return lost as T;
    const worker = await keeper();
    if (!worker.isRunning()) return undefined;
    try {
      const { value, parts } = await ask(worker);
      if (value === null) return undefined;
      const output = putStreamsBack<JobOutput>({ value, parts } as never) as T;
      memory.note(output.job);
      return output;
    } catch (error) {
      // Lost while it was asked: what is known of the job is known here.
      const late = error instanceof WorkerError ? memory.findLost(id) : undefined;
      if (late === undefined) throw error;
      return late as T;
    }
  };
  return {
    async list() {
      const worker = await keeper();
      if (!worker.isRunning()) return memory.lost();
      const { value } = await worker.ask("jobs.list", null, { signal: never() });
      for (const job of value) memory.note(job);
      return [...memory.lost(), ...value];
    },
    read: (id) => askAbout(id, (worker) => worker.ask("jobs.read", { id }, { signal: never() })),
    stop: (id) => askAbout(id, (worker) => worker.ask("jobs.stop", { id }, { signal: never() })),
    async wait({ signal, ...wait }: JobWait) {
      const output = await askAbout(wait.id, (worker) => worker.ask("jobs.wait", wait, { signal }));
      return output === undefined ? undefined : { met: "end", ...output };
    },
    takeEnded: memory.takeEnded,
  };
}
