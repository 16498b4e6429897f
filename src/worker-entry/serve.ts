/**
 * Owns the worker's side of the channel: its greeting, the calls that it works on, its orderly end.
 * Leaves the work to tasks.ts, the process to main.ts. Rule: every call gets one answer; what a call throws is an
 * answer too. However the channel ends, everything that was started ends with it.
 */
import type { Duplex } from "node:stream";
import type { JobSummary } from "../contract/shell.ts";
import { type Channel, openChannel } from "../worker/channel.ts";
import { FrameError, MAX_BODY_BYTES, NOT_PROTOCOL } from "../worker/frames.ts";
import { gatherPieces } from "../worker/line.ts";
import { type FromWorker, PROTOCOL, readToWorker, type ToWorker } from "../worker/messages.ts";
import { MAX_ANSWER_BYTES, type TaskAnswer } from "../worker/tasks.ts";
import { type Ask, type CallAsks, openAsks } from "./asks.ts";

/** Longer than any grace in process/: what is left then is left to the host. */
const LAST_MS = 5_000;

export interface TaskContext {
  /** The call's. */
  readonly id: number;
  /** Bytes that belong to the input. */
  readonly parts: readonly Uint8Array[];
  /** Asks the host for something that this call needs. */
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Dropped where the host is slow to read: progress never holds up the work. */
  readonly onProgress: (text: string) => void;
}

export interface WorkerTasks {
  /** The named tasks. */
  readonly tasks: ReadonlyMap<string, (input: unknown, context: TaskContext) => Promise<TaskAnswer>>;
  /** Ends everything that was started. */
  close(): Promise<void>;
}

export interface TasksRequest {
  readonly marker: string;
  readonly firstJob: number;
  readonly onJobEnded: (job: JobSummary) => void;
  /** How the names of temporary files call this process outside, where that is not as it would. */
  readonly writer?: string | undefined;
}

export interface ServeRequest {
  readonly stream: Duplex;
  readonly version: string;
  readonly openTasks: (request: TasksRequest) => WorkerTasks;
}

export interface Server {
  /** Resolves when everything has ended. */
  readonly ended: Promise<void>;
  /** Ends by itself; the host is told. */
  close(): void;
}

interface Serving {
  readonly request: ServeRequest;
  readonly channel: Channel;
  readonly running: Map<number, RunningCall>;
  /** Bytes of the message that comes next. */
  readonly pieces: ReturnType<typeof gatherPieces>;
  readonly close: () => void;
  work: WorkerTasks | undefined;
  /** No call is answered any more. */
  silent: boolean;
}

interface RunningCall {
  readonly controller: AbortController;
  readonly asks: CallAsks;
}

export function serve(request: ServeRequest): Server {
  const running = new Map<number, RunningCall>();
  let tellEnded = (_ending: Promise<void>) => {};
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve;
  });
  let closing = false;
  const close = () => {
    if (closing) return;
    closing = true;
    for (const { controller } of running.values()) controller.abort();
    tellEnded(endWork(serving));
  };
  const channel = openChannel(request.stream, {
    frame: (frame) => obey(serving, readToWorker(frame), frame.body),
    end: close,
  });
  const serving: Serving = {
    request,
    channel,
    running,
    pieces: gatherPieces(),
    work: undefined,
    silent: false,
    close,
  };
  say(channel, { kind: "hello", protocol: PROTOCOL, version: request.version });
  return {
    ended,
    close() {
      // What ends now was not cancelled by the host, and must not be told as if it had been.
      serving.silent = true;
      say(channel, { kind: "closing" });
      close();
    },
  };
}

async function endWork({ work, channel }: Serving): Promise<void> {
  const overdue = new Promise<"overdue">((resolve) => {
    setTimeout(resolve, LAST_MS, "overdue").unref();
  });
  try {
    // The host that is not told so ends what is left.
    if ((await Promise.race([work?.close(), overdue])) !== "overdue") say(channel, { kind: "closed" });
  } finally {
    await channel.finish();
  }
}

function say(channel: Channel, message: FromWorker, body?: Uint8Array): void {
  channel.send(message, body);
}

function obey(serving: Serving, message: ToWorker, body: Uint8Array): void {
  const { pieces, running } = serving;
  if (message.kind === "piece") pieces.add(body);
  else if (message.kind === "open") openWork(serving, message);
  else if (message.kind === "ping") say(serving.channel, { kind: "pong", beat: message.beat });
  else if (message.kind === "cancel") running.get(message.id)?.controller.abort();
  else if (message.kind === "call") void work(serving, message, pieces.take(message.parts ?? []));
  else if (message.kind === "reply")
    running.get(message.id)?.asks.answer(message, pieces.take(message.parts));
  else if (message.kind === "failed" || message.kind === "heard")
    running.get(message.id)?.asks.answer(message, []);
  else serving.close();
}

function openWork(
  serving: Serving,
  { protocol, marker, firstJob, writer }: ToWorker & { kind: "open" },
): void {
  const { request, channel } = serving;
  if (protocol !== PROTOCOL || serving.work !== undefined) throw new FrameError(NOT_PROTOCOL);
  const onJobEnded = (job: JobSummary) => say(channel, { kind: "job-ended", job });
  serving.work = request.openTasks({ marker, firstJob, onJobEnded, writer });
}

async function work(
  serving: Serving,
  { id, task, input }: ToWorker & { kind: "call" },
  parts: readonly Uint8Array[],
): Promise<void> {
  const { channel, running } = serving;
  const controller = new AbortController();
  const asks = openAsks({
    ask: (ask, port, asked) => say(channel, { kind: "ask", id, ask, port, input: asked }),
    unask: (ask) => say(channel, { kind: "unask", id, ask }),
  });
  running.set(id, { controller, asks });
  const onProgress = (text: string) => {
    if (channel.isRoomy()) say(channel, { kind: "progress", id, text });
  };
  try {
    const run = serving.work?.tasks.get(task);
    if (run === undefined) throw new Error(`the worker knows no task ${JSON.stringify(task)}`);
    const done = await run(input, { id, parts, ask: asks.ask, signal: controller.signal, onProgress });
    if (!serving.silent) await answer(channel, id, done);
  } catch (error) {
    if (serving.silent) return;
    say(channel, { kind: "error", id, message: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

/** Piece by piece, each once there is room for it: other calls are answered between them, and little lies in memory twice. */
async function answer(channel: Channel, id: number, { value, parts }: TaskAnswer): Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (bytes > MAX_ANSWER_BYTES)
    throw new Error(`the result is too large to be handed over: ${bytes} bytes, at most ${MAX_ANSWER_BYTES}`);
  for (const part of parts) {
    for (let from = 0; from < part.length; from += MAX_BODY_BYTES) {
      if (!channel.isRoomy()) await channel.whenRoomy();
      say(channel, { kind: "piece", id }, part.subarray(from, from + MAX_BODY_BYTES));
    }
  }
  say(channel, { kind: "result", id, value, parts: parts.map((part) => part.length) });
}
