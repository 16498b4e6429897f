/**
 * Owns making a refusal of a worker that is lost, for the tools that ask it.
 * Leaves losing it to worker/. Rule: everything else that is thrown goes on.
 */
import { WorkerError } from "./errors.ts";
import { type RefusalOf, refuse } from "./refusal.ts";

/** What was asked for, or the refusal that no worker could give it. `tool` is the mounted name. */
export async function refuseLostWorker<T>(
  tool: string,
  asking: Promise<T>,
): Promise<T | RefusalOf<"worker-lost">> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof WorkerError) return refuse("worker-lost", { tool, why: error.why });
    throw error;
  }
}
