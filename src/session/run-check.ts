/**
 * Owns running the command of a criterion: as a call of the session like any other.
 * Leaves what follows from its exit code to commitment/. Rule: the same arguments, permission, turn and ledger as for a
 * call of the model; whatever kept the command from ending by itself is no failure of it.
 */
import type { CommandCheck, CommandOutcome } from "../commitment/check-criterion.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import { clipMiddle } from "../text/search-summary.ts";
import type { CallResult } from "./session.ts";

export interface CheckRunner {
  readonly sessionId: string;
  /** The mounted name of a tool, where it is mounted. */
  readonly name: (bare: string) => string | undefined;
  readonly call: (
    name: string,
    args: unknown,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<CallResult>;
}

export async function runCheck(runner: CheckRunner, check: CommandCheck): Promise<CommandOutcome> {
  const { command, cwd, timeoutMs, signal } = check;
  const bash = runner.name("bash");
  if (bash === undefined) return { kind: "not-run", why: "this session has no bash to run its command" };
  const args = {
    command,
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
  };
  const result = await runner.call(bash, args, signal === undefined ? {} : { signal });
  const call = `${runner.sessionId}/${result.id}`;
  const code = readCode(result);
  if (code !== undefined) return { kind: "exited", code, call };
  const job = readJob(result);
  if (job !== undefined) await stopJob(runner, job);
  const why = job === undefined ? tellFirst(result) : "its command did not end in its time";
  return { kind: "not-run", why: `${why}, call ${call}` };
}

/** Undefined where the command did not end by itself. */
function readCode(result: CallResult): number | undefined {
  if (result.isError) {
    const { refusal } = result;
    return refusal.code === "command-failed" ? (refusal.facts.code ?? undefined) : undefined;
  }
  const { code } = (result.details ?? {}) as { readonly code?: unknown };
  return code === 0 && readJob(result) === undefined ? code : undefined;
}

/** What runs on because its time was over. Children that a command left behind are its own affair. */
function readJob({ isError, details }: CallResult): string | undefined {
  const { job, exit } = (details ?? {}) as {
    readonly job?: { readonly id?: unknown };
    readonly exit?: unknown;
  };
  return !isError && exit === undefined && typeof job?.id === "string" ? job.id : undefined;
}

async function stopJob({ name, call }: CheckRunner, id: string): Promise<void> {
  const jobs = name("jobs");
  if (jobs !== undefined) await call(jobs, { id, action: "stop" });
}

function tellFirst({ content }: CallResult): string {
  return clipMiddle(keepOnOneLine(content.split("\n", 1)[0] ?? ""), 300).replace(/\.$/, "");
}
