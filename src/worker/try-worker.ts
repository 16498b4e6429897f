/**
 * Owns finding out whether a worker can be had on this machine: one is started, greeted and ended.
 * Leaves what follows from it to its callers. Rule: nothing is left of it, and nothing is run in it.
 */
import { randomUUID } from "node:crypto";
import { WorkerError } from "../contract/errors.ts";
import { openConnection } from "./connection.ts";
import { readPackageVersion } from "./package-version.ts";
import { startChild } from "./start-child.ts";
import type { ToolsFence } from "./tools-fence.ts";
import { WORKER_BOUNDS } from "./worker-process.ts";

/** Why there is none, as a verb phrase; undefined where there is one. `entry` is the worker's main file. */
export async function tryWorker(entry: string, fence?: ToolsFence): Promise<string | undefined> {
  const fencing = fence?.put();
  if (fencing !== undefined && fencing.kind !== "fenced") return "cannot be confined";
  try {
    const connection = await openConnection({
      child: startChild({ entry, fence: fencing?.fence }),
      version: readPackageVersion(),
      marker: randomUUID(),
      firstJob: 1,
      bounds: WORKER_BOUNDS,
      onJobEnded: () => {},
      cleanUp: async () => {},
    });
    await connection.close();
    return undefined;
  } catch (error) {
    if (error instanceof WorkerError) return error.why;
    throw error;
  }
}
