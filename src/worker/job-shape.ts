/**
 * Owns telling whether what came over the channel is a job.
 * Leaves what jobs are to contract/shell.ts. Rule: only what is read without asking is checked.
 */
import type { JobSummary } from "../contract/shell.ts";

export function isJob(value: unknown): value is JobSummary {
  if (typeof value !== "object" || value === null) return false;
  const { id, command, exit, pids, unreadBytes } = value as Partial<Record<keyof JobSummary, unknown>>;
  return (
    typeof id === "string" &&
    typeof command === "string" &&
    (exit === undefined || (typeof exit === "object" && exit !== null)) &&
    Array.isArray(pids) &&
    typeof unreadBytes === "number"
  );
}
