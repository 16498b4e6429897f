/**
 * Owns starting the worker: a process of the same program, with a channel on descriptor 3.
 * Leaves what is said on the channel to worker/. Rule: a group of its own, a scrubbed environment, none of the host's
 * streams. What it prints as an error is kept for the message that tells of its death.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { scrubEnvironment } from "./environment.ts";
import { outerMark } from "./mark.ts";
import { killChild } from "./signal.ts";

export interface WorkerProcessRequest {
  /** The entry's file. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** A folder that stays: not the root, which a command may remove. */
  readonly cwd: string;
  /** On top of the scrubbed environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface WorkerProcess {
  readonly pid: number;
  /** Both ways. */
  readonly channel: Socket;
  /** Resolves once the process is gone, or could not be started. */
  readonly ended: Promise<WorkerDeath>;
  /** The end of what it printed as an error. */
  lastWords(): string;
  /** Whether it keeps the host from ending. */
  ref(): void;
  unref(): void;
  /** At once. What it had started is ended by `endMarked`. */
  kill(): void;
}

export interface WorkerDeath {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

const MAX_LAST_WORDS = 2_000;

export function startWorkerProcess(
  request: WorkerProcessRequest,
): WorkerProcess | { readonly error: string } {
  // Options that the host's own program was started with (`--inspect`, a loader) are not the worker's.
  const child = spawn(process.execPath, [request.entry, ...(request.args ?? [])], {
    cwd: request.cwd,
    env: environmentFor(request),
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const ended = new Promise<WorkerDeath>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
    });
  });
  if (child.pid === undefined) return { error: `${process.execPath} could not be started` };
  const channel = child.stdio[3] as Socket;
  const errors = child.stderr as Socket;
  let words = "";
  errors.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-MAX_LAST_WORDS);
  });
  errors.on("error", () => undefined);
  return {
    pid: child.pid,
    channel,
    ended,
    lastWords: () => words.toWellFormed(),
    ref() {
      child.ref();
      channel.ref();
    },
    unref() {
      child.unref();
      channel.unref();
      errors.unref();
    },
    kill: () => killChild(child),
  };
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
