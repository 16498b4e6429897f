/**
 * Owns making the pipes into which commands print.
 * Leaves reading them to drain.ts. Rule: real pipes, and nothing of them is left on the disk once they are open.
 *
 * Node gives a child sockets instead, and those cannot be opened by name: `echo x >/dev/stderr` and `tee /dev/stderr`
 * fail in them. A pipe can; it is read half again as fast, into one buffer; and a process that holds it is known by
 * it. They are made a few at a time, because a program has to make them.
 */
import { spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmdirSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Pipe {
  /** Reads without waiting. */
  readonly readFd: number;
  readonly writeFd: number;
  /** As the system shows a descriptor that leads here. */
  readonly name: string;
}

export interface PipeStore {
  /** Undefined where this system has no pipes that can be made so. */
  take(): Promise<Pipe | undefined>;
  close(): Promise<void>;
}

/** Two for each command. */
const BATCH = 16;
const LOW = 6;

export function openPipeStore(): PipeStore {
  const store: Pipe[] = [];
  let isClosed = false;
  let isAvailable = process.platform !== "win32";
  let making: Promise<void> | undefined;

  function refill(): Promise<void> {
    making ??= makePipes().then((made) => {
      making = undefined;
      isAvailable = made.length > 0;
      if (isClosed) made.forEach(closePipe);
      else store.push(...made);
    });
    return making;
  }

  /** Once the command is started that took the last ones: it would wait for the program that makes more. */
  function refillInTime(): void {
    if (store.length <= LOW && isAvailable && !isClosed) void refill();
  }

  return {
    async take() {
      // Whoever waits beside us may have taken what was made.
      while (store.length === 0 && isAvailable && !isClosed) await refill();
      if (store.length <= LOW) setImmediate(refillInTime);
      return store.shift();
    },
    async close() {
      isClosed = true;
      await making;
      for (const pipe of store.splice(0)) closePipe(pipe);
    },
  };
}

function closePipe({ readFd, writeFd }: Pipe): void {
  closeSync(readFd);
  closeSync(writeFd);
}

async function makePipes(): Promise<Pipe[]> {
  let folder: string;
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-pipes-")));
  } catch {
    return [];
  }
  const paths = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)));
  try {
    return (await runMkfifo(paths)) ? paths.flatMap((path) => openPipe(path) ?? []) : [];
  } finally {
    removeAll(folder, paths);
  }
}

/** Name by name: to list the folder would take a descriptor, and there may be none left. */
function removeAll(folder: string, paths: readonly string[]): void {
  for (const remove of [...paths.map((path) => () => unlinkSync(path)), () => rmdirSync(folder)]) {
    try {
      remove();
    } catch {
      // Not made, or taken away by somebody else.
    }
  }
}

function openPipe(path: string): Pipe | undefined {
  let readFd: number | undefined;
  try {
    readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { readFd, writeFd: openSync(path, constants.O_WRONLY), name: `${path} (deleted)` };
  } catch {
    if (readFd !== undefined) closeSync(readFd);
    return undefined;
  }
}

function runMkfifo(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("mkfifo", ["-m", "600", ...paths], {
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
      stdio: "ignore",
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
