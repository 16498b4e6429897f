/**
 * Owns starting the worker: a process of the same program, with a channel on descriptor 3 and a line on 4.
 * Leaves what is said on the channel to worker/. Rule: a group of its own, a scrubbed environment, none of the host's
 * streams. What it prints as an error is kept for the message that tells of its death.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { dirname } from "node:path";
import { type Duplex, PassThrough } from "node:stream";
import { fenceWorker, superviseWorker, type WorkerFence } from "./confine/fence-worker.ts";
import { scrubEnvironment } from "./environment.ts";
import { outerMark } from "./mark.ts";
import { killChild } from "./signal.ts";

export interface WorkerProcessRequest {
  /** The entry's file. */
  readonly entry: string;
  /** Of its JavaScript heap. */
  readonly maxHeapMegabytes?: number;
  /** On top of the scrubbed environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Absent where the worker itself is not confined. */
  readonly fence?: WorkerFence | undefined;
}

export interface WorkerProcess {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Both ways. */
  readonly channel: Duplex;
  /** The other way alone and one question at a time: the worker waits for each answer. */
  readonly line: Duplex;
  /** Resolves once the process is gone, or could not be started, with what became of it: `was ended by SIGKILL`. */
  readonly ended: Promise<string>;
  /** At once. What it had started is ended by `endMarked`. */
  kill(): void;
  /** Whether it keeps the host from ending. */
  keep(holds: boolean): void;
}

const MAX_LAST_WORDS = 2_000;

export function startWorkerProcess(request: WorkerProcessRequest): WorkerProcess {
  const { entry, fence } = request;
  // Options that the host's own program was started with (`--inspect`, a loader) are not the worker's.
  const words = [...heapArguments(request), entry];
  const { program, args } =
    fence === undefined
      ? { program: process.execPath, args: words }
      : fenceWorker(fence, [process.execPath, ...words]);
  const child = spawn(program, args, {
    // Not the root, which a command may remove.
    cwd: dirname(entry),
    env: environmentFor(request),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", ...(fence === undefined ? [] : FENCE_PIPES)],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const isFenced = fence !== undefined;
  const { kill } = isFenced ? superviseWorker(child) : { kill: () => killChild(child) };
  const lastWords = listen(child.stderr as Socket | null);
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve(tellEnd({ ...(isFenced ? readDriver(code, signal) : { code, signal }), words: lastWords() })),
    );
    child.once("error", (error) => {
      if (child.pid === undefined) resolve(`could not be started: ${error.message}`);
    });
  });
  return {
    pid: child.pid,
    channel: (child.stdio[3] as Socket | null) ?? new PassThrough().destroy(),
    line: (child.stdio[4] as Socket | null | undefined) ?? new PassThrough().destroy(),
    ended,
    kill,
    keep(holds) {
      const method = holds ? "ref" : "unref";
      child[method]();
      for (const stream of child.stdio.slice(2, 5)) (stream as Socket | null)?.[method]();
    },
  };
}

const FENCE_PIPES = ["pipe", "pipe"] as const;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** The driver ends as a shell does: what the worker was ended by, and 128. */
function readDriver(code: number | null, signal: string | null): Pick<Death, "code" | "signal"> {
  const inside = code === null ? undefined : SIGNALS.get(code - 128);
  return inside === undefined ? { code, signal } : { code: null, signal: inside };
}

function heapArguments({ maxHeapMegabytes }: WorkerProcessRequest): string[] {
  return maxHeapMegabytes === undefined ? [] : [`--max-old-space-size=${maxHeapMegabytes}`];
}

/** Its errors are kept: they say more of its death than a status does. */
function listen(errors: Socket | null): () => string {
  let words = "";
  errors?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-MAX_LAST_WORDS);
  });
  errors?.on("error", () => undefined);
  return () => words.trim().toWellFormed();
}

interface Death {
  readonly code: number | null;
  readonly signal: string | null;
  readonly words: string;
}

function tellEnd({ code, signal, words }: Death): string {
  const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
  return words === "" ? how : `${how}: ${words}`;
}

function environmentFor(request: WorkerProcessRequest): Record<string, string> {
  const inElectron: Record<string, string> =
    process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: "1" };
  return {
    ...scrubEnvironment(process.env),
    ...outerMark(process.env),
    ...inElectron,
    ...request.environment,
  };
}
