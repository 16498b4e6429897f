/**
 * Owns what is told of jobs: the list, and one job with what is new of its output.
 * Leaves asking to jobs.ts, the sections to text/terminal/. Rule: the first line says which job it is and how it stands.
 */
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Note } from "../../contract/output.ts";
import type { Captured, Exit, JobOutput, JobSummary } from "../../contract/shell.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { describeState, nameJob, noteEndedJobs, shortenCommand } from "../../text/shell/job-words.ts";
import { showSize, showStreams } from "../../text/terminal/show-streams.ts";

interface JobDetails {
  readonly id: string;
  readonly command: string;
  /** Absent while it runs. */
  readonly exit?: Exit;
  readonly pids: readonly number[];
  readonly unreadBytes: number;
}

export interface JobsDetails {
  readonly jobs: readonly JobDetails[];
  /** What was read of the one job. */
  readonly stdout?: { readonly seen: number; readonly kept: number };
  readonly stderr?: { readonly seen: number; readonly kept: number };
  /** What ended the waiting. */
  readonly met?: "pattern" | "port" | "end" | "time";
}

export interface ListedJobs {
  readonly jobs: readonly JobSummary[];
  readonly notes: readonly Note[];
}

/** A list tells of every end by itself. */
export function renderList({ jobs, notes }: ListedJobs): Done<JobsDetails> {
  const count = `${jobs.length === 0 ? "no" : jobs.length} ${jobs.length === 1 ? "job" : "jobs"}`;
  const rows = jobs.map((job) => {
    const unread = job.unreadBytes === 0 ? "" : `, ${showSize(job.unreadBytes)} unread`;
    return `${job.id} ${describeState(job)}${unread}: ${shortenCommand(job.command)}`;
  });
  return { content: [count, ...rows].join("\n"), details: { jobs: jobs.map(describeJob) }, notes };
}

type Waited = JobOutput & { readonly met?: JobsDetails["met"]; readonly line?: string };

export interface ReadJob {
  readonly action: "read" | "wait" | "stop";
  readonly args: { readonly pattern?: string | undefined; readonly port?: number | undefined };
  readonly output: Waited;
  readonly ended: readonly JobSummary[];
  readonly context: Pick<ToolContext, "limits" | "names" | "options">;
  readonly notes: readonly Note[];
}

export async function renderOutput(of: ReadJob): Promise<Done<JobsDetails>> {
  const { output, context } = of;
  const { job, stdout, stderr, met } = output;
  const shown = await showStreams({ stdout, stderr, maxBytes: context.limits.bashMax });
  const head = [`${nameJob(job)} ${describeState(job)}`, ...describeMet(of), ...shown.cut].join("; ");
  const others = of.ended.filter((one) => one.id !== job.id);
  return {
    content: `${head}\n${shown.body === "" ? "(no new output)" : shown.body}`,
    details: {
      jobs: [describeJob(job)],
      stdout: measure(stdout),
      stderr: measure(stderr),
      ...(met === undefined ? {} : { met }),
    },
    notes: [...of.notes, ...shown.notes, ...noteEndedJobs(others, context.names)],
  };
}

const LONGEST_LINE = 200;

function describeMet({ action, args, output, context }: ReadJob): string[] {
  if (action !== "wait") return [];
  const { met, line } = output;
  if (met === "pattern") return [`a line matches: ${shortenLine(line ?? "")}`];
  if (met === "port") return [`something listens on port ${args.port}`];
  if (met !== "time") return isWaitingFor(args) === "its end" ? [] : [`ended before ${isWaitingFor(args)}`];
  return [`waited ${context.options.shell.timeoutMs} ms for ${isWaitingFor(args)} in vain`];
}

function isWaitingFor({ pattern, port }: ReadJob["args"]): string {
  if (pattern !== undefined)
    return port === undefined ? "a matching line" : `a matching line or port ${port}`;
  return port === undefined ? "its end" : `port ${port}`;
}

function shortenLine(line: string): string {
  const characters = [...keepOnOneLine(line).toWellFormed()];
  return characters.length <= LONGEST_LINE
    ? characters.join("")
    : `${characters.slice(0, LONGEST_LINE).join("")}…`;
}

function describeJob({ id, command, exit, pids, unreadBytes }: JobSummary): JobDetails {
  return { id, command, ...(exit === undefined ? {} : { exit }), pids, unreadBytes };
}

function measure({ seen, omittedBytes }: Captured): { seen: number; kept: number } {
  return { seen, kept: seen - omittedBytes };
}
