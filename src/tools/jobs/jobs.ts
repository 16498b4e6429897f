/**
 * Owns `jobs`: what runs in the background, what it has printed since, waiting for it and stopping it.
 * Leaves keeping jobs to the shell's port, the words to render-jobs.ts.
 * Rule: reading gives what is new and nothing twice; a job that ended in failure is no failure of this call.
 */
import { z } from "zod";
import type { ToolContext } from "../../contract/context.ts";
import { refuseLostWorker } from "../../contract/lost-worker.ts";
import type { Note, ToolResult } from "../../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { JobOutput, Jobs } from "../../contract/shell.ts";
import { NO_ACCESS, type Tool } from "../../contract/tool.ts";
import { finishIn, makeSlices } from "../../root/search-pump.ts";
import { makePatternTables } from "../../text/pattern-tables.ts";
import { type JobsDetails, renderList, renderOutput } from "./render-jobs.ts";

export type { JobsDetails } from "./render-jobs.ts";

const input = z.object({
  id: z.string().optional().describe("The job, for example `job_1`. Without it all jobs are listed."),
  action: z
    .enum(["list", "read", "wait", "stop"])
    .optional()
    .describe("read: new output (default with id); wait: for pattern, port or the end; stop: end it."),
  pattern: z.string().optional().describe("Wait until a line of its output matches (syntax of grep)."),
  port: z.int().min(1).max(65_535).optional().describe("Wait until something listens on this TCP port."),
});

type Arguments = z.output<typeof input>;

/** Stopping has its own grace in the worker; a wait is given up at once. */
const CANCEL_GRACE_MS = 1_400;

export const jobsTool: Tool<"jobs", typeof input, JobsDetails> = {
  name: "jobs",
  annotations: {
    title: "Background jobs",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  alwaysLoaded: false,
  input,
  describe: ({ options }) =>
    `Lists background jobs, reads what one has printed since the last read, waits (at most ${options.shell.timeoutMs} ms) for a matching line, a port or its end, or stops it. All jobs end with the session.`,
  access: () => NO_ACCESS,
  run: runJobs,
  cancelGraceMs: CANCEL_GRACE_MS,
};

type Action = NonNullable<Arguments["action"]>;

function chooseAction({ id, action, pattern, port }: Arguments): Action {
  if (action !== undefined) return action;
  if (pattern !== undefined || port !== undefined) return "wait";
  return id === undefined ? "list" : "read";
}

async function runJobs(args: Arguments, context: ToolContext): Promise<ToolResult<JobsDetails>> {
  const { names, ports } = context;
  const tool = names.name("jobs") ?? "jobs";
  const jobs = ports.shell?.jobs;
  if (jobs === undefined)
    return refuse("command-not-started", { error: "there is no bash on this machine outside of the root" });
  const action = chooseAction(args);
  const taken = action === "wait" ? await takePattern(args, context) : [];
  if (isRefusal(taken)) return taken;
  const notes = [...noteIgnored(args, action), ...taken];
  if (action === "list") {
    const all = await refuseLostWorker(tool, jobs.list());
    return isRefusal(all) ? all : renderList({ jobs: all, notes });
  }
  const output = await act(action, args, { context, jobs, tool });
  if (isRefusal(output)) return output;
  return renderOutput({ action, args, output, ended: jobs.takeEnded(), context, notes });
}

interface Asked {
  readonly context: ToolContext;
  readonly jobs: Jobs;
  readonly tool: string;
}

async function act(
  action: Exclude<Action, "list">,
  args: Arguments,
  { context, jobs, tool }: Asked,
): Promise<JobOutput | Refusal> {
  const { id } = args;
  if (id === undefined)
    return refuse("input-invalid", {
      tool,
      problems: [{ path: "id", message: `is missing: ${action} needs the job` }],
      takes: Object.keys(input.shape).map((name) => `${name}?`),
    });
  const { signal, options } = context;
  const asking: Promise<JobOutput | undefined> =
    action === "read"
      ? jobs.read(id)
      : action === "stop"
        ? jobs.stop(id)
        : jobs.wait({
            id,
            ...(args.pattern === undefined ? {} : { pattern: args.pattern }),
            ...(args.port === undefined ? {} : { port: args.port }),
            timeoutMs: options.shell.timeoutMs,
            signal,
          });
  const output = await refuseLostWorker(tool, asking);
  if (output !== undefined) return output;
  const all = await refuseLostWorker(tool, jobs.list());
  return isRefusal(all) ? all : refuse("job-unknown", { id, jobs: all.map((job) => job.id) });
}

/** The worker matches what grep matches; what grep refuses is refused here, and what it takes otherwise is said, as there. */
async function takePattern({ pattern }: Arguments, { signal }: ToolContext): Promise<Note[] | Refusal> {
  if (pattern === undefined) return [];
  const { compilePattern } = await import("../../text/regex-pattern.ts");
  const asked = { pattern, literal: false, ignoreCase: false, multiline: false };
  await finishIn(makeSlices(signal), makePatternTables(asked));
  const compiled = compilePattern(asked);
  if (isRefusal(compiled)) return compiled;
  const { taken } = compiled;
  return taken === undefined ? [] : [{ code: "other", text: `pattern: ${taken}`, audience: "model" }];
}

function noteIgnored(args: Arguments, action: Action): Note[] {
  const ignored = [
    action === "list" && args.id !== undefined ? "id" : undefined,
    action !== "wait" && args.pattern !== undefined ? "pattern" : undefined,
    action !== "wait" && args.port !== undefined ? "port" : undefined,
  ].filter((name) => name !== undefined);
  if (ignored.length === 0) return [];
  const text = `${ignored.join(" and ")} ${ignored.length === 1 ? "has" : "have"} no effect with action ${action}`;
  return [{ code: "argument-ignored", text, audience: "model" }];
}
