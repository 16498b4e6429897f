/**
 * Owns what `haft doctor` says of the worker: whether the process that starts programs, and runs tools where it is
 * asked to, can be had here. Leaves trying to worker/. Rule: tried, for a file that is missing is not all that may be.
 */
import { WORKER_ENTRY } from "../../../toolset/give-worker.ts";
import { tryWorker } from "../../../worker/try-worker.ts";
import type { Finding } from "./findings.ts";

export async function findWorker(): Promise<Finding> {
  const why = await tryWorker(WORKER_ENTRY);
  return {
    name: "worker",
    found: why === undefined,
    detail: why === undefined ? "starts; --isolation worker runs every tool in it" : `it ${why}`,
    costs:
      "bash, jobs and browse refuse, grep does without ripgrep, and with --isolation worker every tool refuses",
    required: false,
  };
}
