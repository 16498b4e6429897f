/**
 * Owns running one piece of work on a thread of its own in the worker process, with limits of its time and memory.
 * Leaves the work to the thread's file, what an end means to whoever asked. Rule: whatever the work does, the process
 * goes on: it must not hold up a command, nor be taken for a worker that hangs. One thread, one answer.
 */
import { Worker } from "node:worker_threads";

export interface ThreadWork {
  /** The file of the thread, as built. */
  readonly file: URL;
  readonly data: unknown;
  /** Given to the thread, not copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly maxMs: number;
  /** MiB of its heap. */
  readonly maxHeap: number;
  /** Bytes by which the process may grow meanwhile: buffers do not count as heap. Absent where the work makes none. */
  readonly maxGrowth?: number;
  readonly signal: AbortSignal;
}

/** Besides an answer: why there is none. `message` is of what was thrown. */
export type ThreadEnd<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "time" | "memory" | "cancelled" | "gone" }
  | { readonly kind: "threw"; readonly message: string };

const LOOK_MS = 40;

export function runThread<Answer>(work: ThreadWork): Promise<ThreadEnd<Answer>> {
  const { data, signal, maxMs, maxHeap } = work;
  return new Promise((resolve) => {
    const thread = new Worker(work.file, {
      workerData: data,
      transferList: [...(work.transfer ?? [])],
      execArgv: [],
      env: {},
      // What a library prints there would else be printed by the worker.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    });
    const end = (ending: ThreadEnd<Answer>): void => {
      clearTimeout(timer);
      clearInterval(looking);
      signal.removeEventListener("abort", cancel);
      resolve(ending);
      void thread.terminate();
    };
    const timer = setTimeout(end, maxMs, { kind: "time" });
    const looking = watchGrowth(work, () => end({ kind: "memory" }));
    const cancel = () => end({ kind: "cancelled" });
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    thread.once("message", (answer: Answer) => end({ kind: "answered", answer }));
    thread.once("error", (error) => end(describe(error)));
    thread.once("exit", () => end({ kind: "gone" }));
  });
}

function watchGrowth({ maxGrowth }: ThreadWork, onTooMuch: () => void): NodeJS.Timeout | undefined {
  if (maxGrowth === undefined) return undefined;
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > maxGrowth) onTooMuch();
  }, LOOK_MS);
}

function describe(error: unknown): { kind: "memory" } | { kind: "threw"; message: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? { kind: "memory" } : { kind: "threw", message };
}
