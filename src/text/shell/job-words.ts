/**
 * Owns the words in which jobs are told of, alike in the results of bash and of jobs.
 * Leaves what they print to terminal/show-streams.ts. Rule: no pid and no time; a command is one short line.
 */
import type { MountedNames } from "../../contract/context.ts";
import type { Note } from "../../contract/output.ts";
import type { JobSummary } from "../../contract/shell.ts";
import { keepOnOneLine } from "../one-line.ts";
import { describeExit } from "./exit-words.ts";

const LONGEST_COMMAND = 200;

/** A command on one line, shortened between characters. */
export function shortenCommand(command: string): string {
  const line = keepOnOneLine(command.trim().replace(/\s*\n\s*/g, "; ")).toWellFormed();
  if (line.length <= LONGEST_COMMAND) return line;
  const end = /[\ud800-\udbff]/.test(line[LONGEST_COMMAND - 1] ?? "") ? LONGEST_COMMAND - 1 : LONGEST_COMMAND;
  return `${line.slice(0, end)}…`;
}

/** `job_2 (sleep 45, node server.js)`. */
export function nameJob({ id, command }: Pick<JobSummary, "id" | "command">): string {
  return `${id} (${shortenCommand(command)})`;
}

/** `running`, `exit code 0`. */
export function describeState({ exit }: Pick<JobSummary, "exit">): string {
  return exit === undefined ? "running" : describeExit(exit);
}

/** How to see what a job prints, or that nobody can here. */
export function adviseJob(names: MountedNames, id: string): string {
  const call = names.suggest("jobs", { id });
  return call === undefined ? "it ends with this session" : `see it with ${call}`;
}

/** That jobs have ended, each told once. */
export function noteEndedJobs(ended: readonly JobSummary[], names: MountedNames): Note[] {
  return ended.map((job) => {
    const call = job.unreadBytes > 0 ? names.suggest("jobs", { id: job.id }) : undefined;
    const rest = call === undefined ? "" : `; read the rest with ${call}`;
    return {
      code: "job-ended",
      text: `${nameJob(job)} has ended: ${describeState(job)}${rest}`,
      audience: "model",
    };
  });
}
