/**
 * Owns running a program that is no shell's command: ripgrep.
 * Leaves signals to signal.ts, finding programs to find-ripgrep.ts, keeping output to output-file.ts, and what it means to the tools.
 * Rule: no shell, standard input is /dev/null, a process group of its own. Cancelling ends the whole group, and
 * nothing is reported before the program is gone.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { ProgramEnd, ProgramRequest } from "../contract/program.ts";
import { scrubEnvironment } from "./environment.ts";
import { openOutputFile } from "./output-file.ts";
import { MARK } from "./process-table.ts";
import { killChild } from "./signal.ts";

export interface LocalProgram extends ProgramRequest {
  /** What it carries in its environment, so that it is found and ended where the worker dies. */
  readonly mark?: string;
}

export async function runProgram(request: LocalProgram): Promise<ProgramEnd> {
  const { signal } = request;
  signal.throwIfAborted();
  const output = openOutputFile();
  if ("error" in output) return { kind: "not-started", error: output.error };
  try {
    const child = start(request, output.fd);
    const cancel = () => killChild(child);
    signal.addEventListener("abort", cancel, { once: true });
    const end = await waitFor(child).finally(() => signal.removeEventListener("abort", cancel));
    signal.throwIfAborted();
    return "error" in end ? end : { ...end, output: output.read() };
  } finally {
    output.close();
  }
}

function start({ program, args, cwd, mark }: LocalProgram, output: number): ChildProcess {
  return spawn(program, args, {
    cwd,
    env: { ...scrubEnvironment(process.env), ...(mark === undefined ? {} : { [MARK]: mark }) },
    // Never the host's own input: a program that finds an open pipe there would wait for it, or read what is not its own.
    stdio: ["ignore", output, "ignore"],
    // A group of its own on POSIX, so that what it starts ends with it.
    detached: process.platform !== "win32",
    shell: false,
    windowsHide: true,
  });
}

type Ending =
  | { readonly kind: "ended"; readonly status: number | null }
  | { readonly kind: "not-started"; readonly error: string };

function waitFor(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      // What could not be started has no pid; what could not be signalled goes on to its end.
      if (child.pid === undefined) resolve({ kind: "not-started", error: error.message });
    });
    child.once("close", (status) => resolve({ kind: "ended", status }));
  });
}
