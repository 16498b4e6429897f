/**
 * Owns starting the worker's process and saying what became of it.
 * Leaves the process to process/, talking to it to connection.ts. Rule: what became of it is one verb phrase without
 * a stack or a path of this machine in it: a model reads it.
 */
import type { WorkerFence } from "../process/confine/fence-worker.ts";
import { startWorkerProcess } from "../process/start-worker.ts";
import type { WorkerProcess } from "./worker-process.ts";

/**
 * Of JavaScript objects and strings; bytes of files lie beside it. A tool answers with some megabytes, and holds a
 * file of 256 MiB as text at most twice: what goes beyond this would end in swapping the whole machine.
 */
const MAX_HEAP_MEGABYTES = 2_048;

export interface ChildRequest {
  readonly entry: string;
  readonly maxHeapMegabytes?: number | undefined;
  /** Absent where the worker itself is not confined. */
  readonly fence?: WorkerFence | undefined;
}

export interface StartedChild extends WorkerProcess {
  /** Undefined where it could not be started. In a fence, the driver's: it lives as long as the worker does. */
  readonly pid: number | undefined;
}

export function startChild({
  entry,
  maxHeapMegabytes = MAX_HEAP_MEGABYTES,
  fence,
}: ChildRequest): StartedChild {
  const child = startWorkerProcess({ entry, maxHeapMegabytes, fence });
  return { ...child, ended: child.ended.then(describeDeath) };
}

/** `told` is what became of it, and behind a colon its last words: Node's own, many lines of them. */
export function describeDeath(told: string): string {
  if (told.includes("Cannot find module")) return "could not be started: a file of the package is missing";
  if (told.startsWith("could not be started")) return told;
  const [, fault] = /: bwrap: (.+)/.exec(told) ?? [];
  if (fault !== undefined) return `could not be confined: ${fault.replace(/\/[^\s:]+/g, "…")}`;
  const [how = told] = told.split(":", 1);
  return /out of memory/i.test(told) ? `${how} (out of memory)` : how;
}
