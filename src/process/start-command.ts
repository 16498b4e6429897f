/**
 * Owns starting one command: bash in a group and session of its own, its two outputs captured, its tree watched.
 * Leaves how it ends to run-command.ts and jobs.ts. Rule: standard input is /dev/null, and the outputs are read from the
 * first moment to the last, whoever holds them.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { type Capture, openCapture } from "./capture.ts";
import { fenceCommand, type Supervision, superviseChild } from "./confine/supervise.ts";
import { type Drain, drainPipe, drainStream } from "./drain.ts";
import { drainRest } from "./drain-rest.ts";
import type { LocalCommand } from "./local-command.ts";
import { carriesCommand } from "./mark.ts";
import type { Pipe, PipeStore } from "./pipes.ts";
import { MARK, processTable } from "./process-table.ts";
import { sampleTree } from "./sample-tree.ts";
import { prepareScript } from "./script-text.ts";
import { openTree, type Tree } from "./tree.ts";
import type { ShellReport } from "./watch-shell.ts";

export interface Stream {
  readonly capture: Capture;
  readonly drain: Drain;
  /** Called for each chunk, by who asked; the bytes are valid only until it returns. */
  readonly onChunk: Map<object, (bytes: Uint8Array) => void>;
}

export interface StartedCommand {
  readonly command: string;
  readonly pid: number;
  readonly child: ChildProcess;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Undefined where the system tells nothing of its processes: then the shell alone is known. */
  readonly tree: Tree | undefined;
  /** Present where the command is confined: then `child` is the fence, and the shell is in it. */
  readonly supervision?: Supervision;
  /** Resolves when the shell has ended. */
  readonly exited: Promise<ShellExit>;
  durationMs(): number;
  /** Once, after the shell has ended. */
  report(): ShellReport;
  /** Nothing is looked at or read any more. */
  release(): void;
}

export type ShellExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string };

export interface StartRequest {
  readonly request: LocalCommand;
  readonly mark: string;
  readonly pipes: PipeStore;
}

export async function startCommand(of: StartRequest): Promise<StartedCommand | { readonly error: string }> {
  const { request } = of;
  if (request.command.includes("\0")) return { error: "the command holds a NUL character" };
  const outputs = [await of.pipes.take(), await of.pipes.take()] as const;
  const folder = request.environment.TMPDIR ?? request.cwd;
  try {
    const script = prepareScript({ ...request, folder });
    const startedMs = performance.now();
    const child = spawnShell(of, { script: script.text, outputs });
    const ended = watchExit(child);
    if (child.pid === undefined) {
      script.finish();
      return await failToStart(child, { outputs, cwd: request.cwd });
    }
    const supervision = request.fence === undefined ? undefined : superviseChild(child, ended);
    const tree = openTreeOf(child.pid, { mark: of.mark, outputs, isFenced: supervision !== undefined });
    const stdout = openStream(request.maxBytes, { pipe: outputs[0], stream: child.stdout });
    const stderr = openStream(request.maxBytes, { pipe: outputs[1], stream: child.stderr });
    const fault = await supervision?.begun;
    if (fault !== undefined) {
      await supervision?.gone;
      script.finish();
      return { error: await explainFence(fault, { stdout, stderr }) };
    }
    const stopSampling = tree === undefined ? () => {} : sampleTree(tree, processTable);
    return {
      command: request.command,
      pid: child.pid,
      child,
      stdout,
      stderr,
      tree,
      ...(supervision === undefined ? {} : { supervision }),
      exited: supervision?.exited ?? ended,
      durationMs: () => Math.round(performance.now() - startedMs),
      report: script.finish,
      release() {
        stopSampling();
        stdout.drain.close();
        stderr.drain.close();
      },
    };
  } catch (error) {
    // No room for the text of a long one, or no descriptor left.
    for (const pipe of outputs) if (pipe !== undefined) closeSync(pipe.readFd);
    return { error: explainError(error) };
  } finally {
    // The command has its own by now; while ours is open, there is no end to read to.
    for (const pipe of outputs) if (pipe !== undefined) closeSync(pipe.writeFd);
  }
}

/** Confined, the fence is what is started, and the shell's words follow its own. */
function spawnShell(
  { request, mark }: StartRequest,
  of: { readonly script: string; readonly outputs: readonly (Pipe | undefined)[] },
): ChildProcess {
  const { fence, bash, cwd } = request;
  const { script, outputs } = of;
  const { program, args } =
    fence === undefined
      ? { program: bash, args: ["-c", "--", script] }
      : fenceCommand({ fence, cwd, bash, script });
  return spawn(program, args, {
    cwd,
    // Messages begin with it.
    argv0: fence === undefined ? "bash" : program,
    env: { ...request.environment, PWD: cwd, [MARK]: mark },
    stdio: [
      "ignore",
      outputs[0]?.writeFd ?? "pipe",
      outputs[1]?.writeFd ?? "pipe",
      ...(fence === undefined ? [] : (["pipe", "pipe"] as const)),
    ],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
}

/** What the driver printed says more than that it did not come up. */
async function explainFence(
  fault: string,
  streams: Pick<StartedCommand, "stdout" | "stderr">,
): Promise<string> {
  await drainRest(streams);
  const { capture } = streams.stderr;
  const printed = Buffer.from(capture.take({ isOver: true }).head)
    .toString("utf8")
    .trim()
    .toWellFormed();
  streams.stdout.drain.close();
  streams.stderr.drain.close();
  return `the fence: ${printed === "" ? fault : printed}`;
}

/** `ENOSPC: no space left on device, open '/…/haft-4f….sh'`: a temporary name tells nobody anything. */
function explainError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, \w+(?: '[^']*')?$/, "");
}

async function failToStart(
  child: ChildProcess,
  { outputs, cwd }: { readonly outputs: readonly (Pipe | undefined)[]; readonly cwd: string },
): Promise<{ readonly error: string }> {
  const error = await new Promise<Error>((resolve) => child.once("error", resolve));
  for (const pipe of outputs) if (pipe !== undefined) closeSync(pipe.readFd);
  // The system's own error names the shell, which is not what is missing.
  return { error: existsSync(cwd) ? error.message : "the working directory does not exist" };
}

function watchExit(child: ChildProcess): Promise<ShellExit> {
  return new Promise((resolve) => {
    child.on("error", () => undefined);
    child.once("exit", (code, signal) =>
      resolve(
        signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal: String(signal) },
      ),
    );
  });
}

/** Looked at before the event loop goes on: until then the pid is the shell's, even if it has ended. */
function openTreeOf(
  pid: number,
  of: {
    readonly mark: string;
    readonly outputs: readonly (Pipe | undefined)[];
    readonly isFenced: boolean;
  },
): Tree | undefined {
  const row = processTable.lookAt(pid);
  if (row === undefined) return undefined;
  return openTree({
    table: processTable,
    // Where the child has not come to it yet, its row still shows our own group and session.
    seeds: [{ ...row, group: pid, session: row.session === 0 ? 0 : pid }],
    since: row.startedAt,
    isOurMark: (mark) => carriesCommand(mark, of.mark),
    outputs: of.outputs.flatMap((pipe) => pipe?.name ?? []),
    // The fence, and process 1 of the namespace in it.
    ...(of.isFenced ? { isKeeper: (one) => one.pid === pid || one.parent === pid } : {}),
  });
}

function openStream(
  maxBytes: number,
  { pipe, stream }: { readonly pipe: Pipe | undefined; readonly stream: ChildProcess["stdout"] },
): Stream {
  const capture = openCapture(maxBytes);
  const onChunk: Stream["onChunk"] = new Map();
  const add = (buffer: Buffer, length: number) => {
    capture.add(buffer, length);
    if (onChunk.size > 0) for (const call of onChunk.values()) call(buffer.subarray(0, length));
  };
  const drain =
    pipe === undefined ? drainStream(stream as NonNullable<typeof stream>, add) : drainPipe(pipe.readFd, add);
  return { capture, drain, onChunk };
}
