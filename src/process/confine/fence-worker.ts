/**
 * Owns starting the worker in which tools run in its fence: the words of it, and ending it from outside.
 * Leaves the fence's arguments to bubblewrap-arguments.ts, the worker itself to start-worker.ts. Rule: the descriptors of
 * the worker's channel and line are handed on; the worker is not process 1 there, which no signal of its own ends, so
 * that it dies as it would outside. With process 1 all that is in there is gone, and only then is the driver.
 */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { killChild, killInside } from "../signal.ts";
import { makeSyscallFilter } from "./syscall-filter.ts";

/** The program that confines, and all its words but those of what is confined. */
export interface WorkerFence {
  readonly program: string;
  readonly args: readonly string[];
}

/** Beside the three streams, the channel and the line: what the driver reads and writes itself, and closes. */
const FILTER_FD = 5;
const INFO_FD = 6;
/** How long the driver may take to end once process 1 has. */
const LAST_MS = 300;
/** Of what the driver says of itself. */
const MAX_INFO = 4_096;

export function fenceWorker(
  { program, args }: WorkerFence,
  words: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  const own = args.filter((word) => word !== "--as-pid-1");
  const told = ["--seccomp", String(FILTER_FD), "--info-fd", String(INFO_FD)];
  return { program, args: [...own, ...told, "--", ...words] };
}

/** Gives the driver what it waits for; returns what ends it with all that is inside. */
export function superviseWorker(child: ChildProcess): { kill(): void } {
  let info = "";
  // More of them than Node's type knows.
  const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio;
  const filter = streams[FILTER_FD] as Writable | null | undefined;
  filter?.on("error", () => undefined).end(makeSyscallFilter());
  const telling = streams[INFO_FD] as Readable | null | undefined;
  let isKilled = false;
  const findInside = () => Number(/"child-pid":\s*(\d+)/.exec(info)?.[1] ?? 0);
  const kill = () => {
    isKilled = true;
    const inside = findInside();
    if (inside === 0 || !killInside(child, inside)) return killChild(child);
    setTimeout(() => killChild(child), LAST_MS).unref();
  };
  telling
    ?.setEncoding("utf8")
    .on("error", () => undefined)
    .on("data", (text: string) => {
      info = (info + text).slice(-MAX_INFO);
      if (isKilled) kill();
    });
  return { kill };
}
