/**
 * Owns waiting for something in a job: a line, a port, its end, the end of the time.
 * Leaves matching to line-watch.ts and ports to listening-port.ts. Rule: what was printed before and not yet read counts;
 * nothing is taken here, so that a wait that is cancelled loses nothing.
 */
import type { JobWait } from "../contract/shell.ts";
import type { Job } from "./job.ts";
import { type LineWatch, makeLineWatches } from "./line-watch.ts";
import { isListening } from "./listening-port.ts";
import type { Stream } from "./start-command.ts";

export interface Met {
  readonly met: "pattern" | "port" | "end" | "time";
  readonly line?: string;
}

const LOOK_MS = 100;

/** Rejects with the signal's reason where it is cancelled. */
export async function waitForJob(job: Job, wait: JobWait): Promise<Met> {
  wait.signal.throwIfAborted();
  const streams = [job.started.stdout, job.started.stderr];
  const watches = wait.pattern === undefined ? [] : makeLineWatches(wait.pattern, streams.length);
  let line: string | undefined;
  let quiet = 0;
  const see = (watch: LineWatch, bytes: Uint8Array) => {
    quiet = 0;
    line ??= watch.add(bytes);
  };
  for (const [index, watch] of watches.entries()) watchStream(streams[index] as Stream, watch, see);
  try {
    return await waitUntil(job, wait, () => {
      const isOver = job.isOver();
      // Nothing came for a moment: the line may have no end.
      if (isOver || quiet++ > 0) for (const watch of watches) line ??= watch.checkOpenLine();
      if (line !== undefined) return { met: "pattern", line };
      return isOver ? { met: "end" } : undefined;
    });
  } finally {
    for (const stream of streams) stream.onChunk.delete(wait);
  }

  function watchStream(stream: Stream, watch: LineWatch, on: typeof see): void {
    const { head, tail } = stream.capture.peek();
    on(watch, head);
    on(watch, tail);
    stream.onChunk.set(wait, (bytes) => on(watch, bytes));
  }
}

type Check = () => Met | undefined;

async function waitUntil({ started }: Job, wait: JobWait, check: Check): Promise<Met> {
  const until = performance.now() + wait.timeoutMs;
  for (;;) {
    if (wait.port !== undefined && (await isListening(wait.port, findFenced(started))))
      return { met: "port" };
    const met = check();
    if (met !== undefined) return met;
    const leftMs = until - performance.now();
    if (leftMs <= 0) return { met: "time" };
    await pause(wait, Math.min(LOOK_MS, leftMs));
  }
}

/** One of its processes, where it is confined. */
function findFenced({ supervision, tree }: Job["started"]): number | undefined {
  return supervision === undefined ? undefined : tree?.findRunning()[0]?.pid;
}

/** Ends early with a cancellation, which it throws. */
async function pause({ signal }: JobWait, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish, { once: true });
  });
  signal.throwIfAborted();
}
