/**
 * Owns running other programs by way of the worker, and finding ripgrep so.
 * Leaves where ripgrep may lie to process/. Rule: a worker that cannot be had is told like a program that cannot be
 * started: whoever asks has another way, or says so.
 */
import { dirname } from "node:path";
import { WorkerError } from "../contract/errors.ts";
import type { ProgramEnd, ProgramRequest, Programs } from "../contract/program.ts";
import { listRipgreps } from "../process/find-ripgrep.ts";
import { isUsableRipgrep, VERSION_ARGUMENTS } from "../process/ripgrep-version.ts";
import type { Fence } from "./fence.ts";
import { FrameError } from "./frames.ts";
import type { WorkerKeeper } from "./keep-worker.ts";

/** A program that does not say its version within this time is not what we look for. */
const ANSWER_MS = 5_000;

export interface ProgramsRequest {
  readonly keeper: () => Promise<WorkerKeeper>;
  /** The root's real path: what lies below it is never run. */
  readonly root: string;
  /** A ripgrep that was found already. */
  readonly ripgrep?: string | undefined;
  /** Absent where programs are not confined. */
  readonly fence?: (() => Promise<Fence>) | undefined;
}

export function openPrograms({ keeper, root, ripgrep, fence }: ProgramsRequest): Programs {
  let searching: Promise<Found> | undefined =
    ripgrep === undefined ? undefined : Promise.resolve({ program: ripgrep, isSure: true });
  const run = async (request: ProgramRequest): Promise<ProgramEnd> => {
    const fenced = fence === undefined ? request : await fenceProgram(await fence(), request);
    return "error" in fenced ? { kind: "not-started", ...fenced } : runProgram(await keeper(), fenced);
  };
  return {
    run,
    async findRipgrep() {
      searching ??= findUsable(root, run);
      const { program, isSure } = await searching;
      if (!isSure) searching = undefined;
      return program;
    },
  };
}

/** It reads, and nothing else: the root is read-only for it, and what it prints goes to a file that is open already. */
async function fenceProgram(
  fence: Fence,
  request: ProgramRequest,
): Promise<ProgramRequest | { readonly error: string }> {
  const fencing = await fence.around({
    environment: pickPlain(process.env, ["HOME", "PATH"]),
    writable: [],
    programs: [request.program],
    isReader: true,
  });
  if (fencing.kind === "refused") return { error: fencing.error };
  if (fencing.kind === "open") return request;
  const { program, args } = fencing.fence;
  const { program: own, args: words, cwd } = request;
  return { ...request, program, args: [...args, "--chdir", cwd, "--", own, ...words] };
}

function pickPlain(from: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

async function runProgram(
  keeper: WorkerKeeper,
  { program, args, cwd, signal }: ProgramRequest,
): Promise<ProgramEnd> {
  try {
    const { value, parts } = await keeper.ask("program.run", { program, args, cwd }, { signal });
    signal.throwIfAborted();
    if (value.kind === "not-started") return value;
    return { ...value, output: Buffer.from(parts[0] ?? []) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkerError || error instanceof FrameError)
      return { kind: "not-started", error: error.message };
    throw error;
  }
}

interface Found {
  readonly program?: string;
  /** A worker that was lost while it was asked has not said that there is none. */
  readonly isSure: boolean;
}

async function findUsable(
  root: string,
  run: (request: ProgramRequest) => Promise<ProgramEnd>,
): Promise<Found> {
  let isSure = true;
  for (const program of listRipgreps({ root, path: process.env.PATH, packaged: true })) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const end = await run({ program, args: VERSION_ARGUMENTS, cwd: dirname(program), signal }).catch(
      () => undefined,
    );
    if (end?.kind === "ended" && end.status === 0 && isUsableRipgrep(end.output.toString("latin1")))
      return { program, isSure: true };
    if (end?.kind === "not-started") isSure = false;
  }
  return { isSure };
}
