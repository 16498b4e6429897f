/**
 * Owns running commands and keeping jobs by way of the worker.
 * Leaves running them to process/, in the worker. Rule: what a command sees of the host's environment is decided
 * here, at the time of the call, and travels over the channel: never in an argument, never by inheritance.
 */
import { WorkerError } from "../contract/errors.ts";
import type { CommandEnd, CommandRequest, JobOutput, Jobs, JobWait, Shell } from "../contract/shell.ts";
import { keepTopmost } from "../process/confine/path-order.ts";
import { shellEnvironment } from "../process/environment.ts";
import type { Fence, Fencing } from "./fence.ts";
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
  /** Absent where commands are not confined. */
  readonly fence?: (() => Promise<Fence>) | undefined;
}

/** Variables that lead temporary files and caches into the scratch folders, or why there are none. */
export type ScratchVariables =
  | {
      readonly variables: Readonly<Record<string, string>>;
      /** The folder that stays writable where all around it is not. */
      readonly path?: string;
    }
  | { readonly error: string };

export function openShell(request: ShellRequest): Shell {
  return { run: (command) => runCommand(request, command), jobs: openJobs(request) };
}

async function runCommand(request: ShellRequest, command: CommandRequest): Promise<CommandEnd> {
  const { env, scratch } = request;
  const found = await scratch();
  if ("error" in found) return { kind: "not-started", error: found.error };
  const environment = shellEnvironment({ host: process.env, ...env, scratch: found.variables });
  const fence = await request.fence?.();
  if (fence === undefined) return askForCommand(request, { command, environment });
  const { TMPDIR } = found.variables;
  const setting = {
    environment,
    writable: keepTopmost([found.path, TMPDIR].filter((path) => path !== undefined)),
    programs: [request.bash, process.execPath],
    isReader: false,
  };
  for (let attempt = 1; ; attempt++) {
    const fencing = await fence.around(setting);
    if (fencing.kind === "refused") return { kind: "not-started", error: fencing.error };
    const told = fencing.kind === "fenced" ? { ...environment, ...fencing.variables } : environment;
    const asked = askForCommand(request, { command, environment: told, fencing });
    const end = await asked.catch(async (error) => {
      await fence.report(fencing, { kind: "not-started", error: "" });
      throw error;
    });
    const report = await fence.report(fencing, end);
    // Something on the way was made or removed while it was put up: what is there now is looked at once more.
    if (end.kind === "not-started" && end.error.startsWith(FENCE_FAULT) && attempt < MAX_ATTEMPTS) continue;
    const isRun = end.kind === "ended" || end.kind === "background";
    return report === undefined || !isRun ? end : { ...end, fence: report };
  }
}

const FENCE_FAULT = "the fence:";
const MAX_ATTEMPTS = 3;

async function askForCommand(
  { keeper, memory, bash }: ShellRequest,
  of: {
    readonly command: CommandRequest;
    readonly environment: Readonly<Record<string, string>>;
    readonly fencing?: Fencing;
  },
): Promise<CommandEnd> {
  const { environment, fencing } = of;
  const { signal, onOutput, ...command } = of.command;
  const fence = fencing?.kind === "fenced" ? { fence: fencing.fence } : {};
  try {
    const worker = await keeper();
    const answer = await worker.ask(
      "command.run",
      { ...command, environment, bash, ...fence },
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
      // Lost before it was asked: its successor knows nothing of the job.
      if (value === null) return memory.findLost(id) as T | undefined;
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
