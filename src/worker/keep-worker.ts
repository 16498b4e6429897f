/**
 * Owns the one worker of a toolset: starting it when it is first needed, replacing it when it is lost, ending it.
 * Leaves talking to it to connection.ts, what it is asked to shell.ts and programs.ts. Rule: fail closed. Where no
 * worker can be had there is an error with words; nothing is ever done in the host instead.
 */
import { randomUUID } from "node:crypto";
import { WorkerError } from "../contract/errors.ts";
import { endMarked } from "../process/end-marked.ts";
import { nameWriter } from "../root/temporary-name.ts";
import { type Connection, openConnection, type WorkerCall } from "./connection.ts";
import type { JobMemory } from "./job-memory.ts";
import { readPackageVersion } from "./package-version.ts";
import { startChild } from "./start-child.ts";
import type { TaskAnswer, TaskName, TaskTable } from "./tasks.ts";
import type { ToolsFence } from "./tools-fence.ts";
import { WORKER_BOUNDS, type WorkerBounds } from "./worker-process.ts";

export interface KeepWorkerRequest {
  /** Absolute path of the worker's main file. */
  readonly entry: string;
  readonly memory: JobMemory;
  readonly bounds?: Partial<WorkerBounds> | undefined;
  readonly maxHeapMegabytes?: number | undefined;
  /** Absent where the worker itself is not confined. */
  readonly fence?: ToolsFence | undefined;
}

export type TaskCall = Omit<WorkerCall, "task" | "input">;

export interface WorkerKeeper {
  /** Rejects with `WorkerError` where there is no worker, with the signal's reason where none was asked yet. */
  ask<Name extends TaskName>(
    task: Name,
    input: TaskTable[Name]["input"],
    call: TaskCall,
  ): Promise<TaskAnswer<TaskTable[Name]["output"]>>;
  /** Whether there is a worker that may hold jobs. */
  isRunning(): boolean;
  /** Ends the worker, and refuses every later call. */
  close(): Promise<void>;
}

export function keepWorker(request: KeepWorkerRequest): WorkerKeeper {
  let current: Kept | undefined;
  let closed: Promise<void> | undefined;
  /** Those that were replaced, and answer what they were asked before. */
  const retired = new Set<Promise<void>>();
  const start = (key: string): Promise<Connection> => {
    const starting = { connection: startWorker(request), key };
    current = starting;
    const forget = () => {
      if (current === starting) current = undefined;
    };
    starting.connection.then(({ gone }) => gone.then(forget), forget);
    return starting.connection;
  };
  /** What a worker that is confined was let see is settled when it starts. */
  const retire = ({ connection }: Kept): void => {
    current = undefined;
    const ending = connection.then(
      (one) => {
        one.retire();
        return one.gone;
      },
      () => undefined,
    );
    retired.add(ending);
    void ending.then(() => retired.delete(ending));
  };
  /** One that is on its way out is waited for: what it had started is ended before anything new begins. */
  const find = async (): Promise<Connection> => {
    for (;;) {
      if (closed !== undefined) throw new WorkerError("was ended with the toolset");
      const key = request.fence?.key() ?? "";
      if (current !== undefined && current.key !== key) retire(current);
      const connection = await (current?.connection ?? start(key));
      if (!connection.isGoing()) return connection;
      await connection.gone;
    }
  };
  return {
    async ask(task, input, call) {
      const { signal } = call;
      let connection = await unlessAborted(find(), signal);
      while (connection.isGoing()) connection = await unlessAborted(find(), signal);
      const answer = await connection.call({ ...call, task, input }).catch((error: unknown) => {
        // What a task throws that was cancelled says no more than that it was.
        if (signal.aborted && !(error instanceof WorkerError)) throw signal.reason;
        throw error;
      });
      return answer as TaskAnswer<TaskTable[typeof task]["output"]>;
    },
    isRunning: () => current !== undefined,
    close() {
      closed ??= (async () => {
        // One that could not be started needs no end.
        const connection = await current?.connection.catch(() => undefined);
        await Promise.all([connection?.close(), ...retired]);
      })();
      return closed;
    },
  };
}

interface Kept {
  readonly connection: Promise<Connection>;
  /** Of the fence that it is in. */
  readonly key: string;
}

async function startWorker({
  entry,
  maxHeapMegabytes,
  memory,
  bounds,
  fence,
}: KeepWorkerRequest): Promise<Connection> {
  const marker = randomUUID();
  const fencing = fence?.put();
  if (fencing?.kind === "refused") throw new WorkerError(`cannot be confined: ${fencing.error}`);
  const confined = fencing?.kind === "fenced" ? fencing.fence : undefined;
  const child = startChild({ entry, maxHeapMegabytes, fence: confined });
  return openConnection({
    child,
    version: readPackageVersion(),
    marker,
    firstJob: memory.next(),
    writer: confined === undefined || child.pid === undefined ? undefined : nameWriter(child.pid),
    bounds: { ...WORKER_BOUNDS, ...bounds },
    onJobEnded: memory.ended,
    async cleanUp({ why, cleared }) {
      memory.lose(why);
      if (!cleared) await endMarked(marker);
    },
  });
}

/** What is waited for may still come; whoever was cancelled does not wait for it. */
function unlessAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancel));
  });
}
