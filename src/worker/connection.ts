/**
 * Owns one running worker from the host's side: its greeting, its calls and its end.
 * Leaves replacing it to keep-worker.ts, the process itself to process/. Rule: whoever waits for it gets an end.
 * A worker that is gone, talks nonsense or does not answer is ended, what it had started too, and only then are its
 * calls told: what they say of it is true by then.
 */
import { WorkerError } from "../contract/errors.ts";
import type { JobSummary } from "../contract/shell.ts";
import { type AskServer, answerAsks } from "./answer-asks.ts";
import { type Channel, CUT_OFF, openChannel } from "./channel.ts";
import { type Frame, FrameError, NOT_PROTOCOL } from "./frames.ts";
import { answerLine, cutPieces } from "./line.ts";
import { type FromWorker, PROTOCOL, readFromWorker, type ToWorker } from "./messages.ts";
import { openPendingCalls, type PendingCalls } from "./pending-calls.ts";
import { type Pulse, startPulse } from "./pulse.ts";
import type { TaskAnswer } from "./tasks.ts";
import type { WorkerBounds, WorkerProcess } from "./worker-process.ts";

export interface ConnectionRequest {
  readonly child: WorkerProcess;
  /** Of this package: the worker must be of the same. */
  readonly version: string;
  /** What everything that the worker starts carries. */
  readonly marker: string;
  readonly firstJob: number;
  /** How the names of its temporary files call the worker, where it cannot know that itself. */
  readonly writer?: string | undefined;
  readonly bounds: WorkerBounds;
  readonly onJobEnded: (job: JobSummary) => void;
  /** Ends what the worker has left, if it has not said that nothing is. Awaited before anybody is told that it is lost. */
  readonly cleanUp: (death: WorkerDeath) => Promise<void>;
}

export interface WorkerDeath {
  readonly why: string;
  /** It has ended everything itself. */
  readonly cleared: boolean;
}

export interface WorkerCall {
  readonly task: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
  /** Bytes that belong to the input. */
  readonly parts?: readonly Uint8Array[] | undefined;
  /** What the worker may ask about it. */
  readonly asks?: AskServer | undefined;
  /** Bytes that the answer may have, where these are fewer than otherwise. */
  readonly maxBytes?: number | undefined;
  /** How soon the worker has to give a sign of life when it is cancelled, where that is sooner than otherwise. */
  readonly answerMs?: number | undefined;
}

export interface Connection {
  /** Resolves when it is gone and everything of it is ended. */
  readonly gone: Promise<void>;
  isGoing(): boolean;
  /** A cancelled call is answered too, once it has ended. Rejects with `WorkerError` where the worker is lost. */
  call(call: WorkerCall): Promise<TaskAnswer>;
  /** Ends it with everything that it has started. */
  close(): Promise<void>;
  /** Ends it once what was asked of it has been answered. Nothing is asked of it after that. */
  retire(): void;
}

type State = "starting" | "open" | "closing" | "going";

interface Line {
  readonly request: ConnectionRequest;
  readonly channel: Channel;
  readonly calls: PendingCalls;
  readonly pulse: Pulse;
  state: State;
  /** It has said that everything which it had started has ended. */
  cleared: boolean;
  /** Told when the last call has been answered. */
  onIdle: () => void;
  /** The greeting has come, or never will. */
  settle: (lost?: WorkerError) => void;
}

/** Its channel has ended; what became of the process says why. */
const LEFT = "went away";

/** Waits for the worker's greeting. Rejects with `WorkerError` where it cannot be worked with. */
export function openConnection(request: ConnectionRequest): Promise<Connection> {
  const { child, bounds } = request;
  return new Promise((resolve, reject) => {
    let tellGone = () => {};
    const gone = new Promise<void>((tell) => {
      tellGone = tell;
    });
    const lose = (why: string) => void loseWorker(line, why).then(tellGone);
    const line: Line = {
      request,
      channel: openChannel(child.channel, {
        frame: (frame) => hear(line, frame),
        end: (error) => lose(error ?? LEFT),
      }),
      calls: openPendingCalls(() => {
        const count = line.calls.count();
        child.keep(line.state !== "open" || count > 0);
        if (count === 0) line.onIdle();
      }),
      pulse: startPulse({
        bounds,
        ping: (beat) => say(line, { kind: "ping", beat }),
        isBusy: () => line.calls.count() > 0,
        lose,
      }),
      state: "starting",
      cleared: false,
      onIdle: () => {},
      settle(lost) {
        clearTimeout(greeting);
        if (lost === undefined) resolve(makeConnection(line, gone));
        else reject(lost);
      },
    };
    const greeting = setTimeout(lose, bounds.startMs, "did not start");
    const { line: asking } = child;
    if (asking !== undefined)
      answerLine({
        stream: asking,
        answer: ({ id, port }, input) => line.calls.askNow(id, port, input),
        lose,
      });
    child.keep(true);
    // What it has said last may not have been read yet; after that its channel ends.
    void child.ended.then(() => setTimeout(lose, bounds.answerMs, LEFT).unref());
  });
}

function makeConnection(line: Line, gone: Promise<void>): Connection {
  const { calls, pulse } = line;
  let counter = 0;
  return {
    gone,
    isGoing: () => line.state !== "open",
    call: ({ task, input, signal, onProgress = () => {}, parts = [], asks, maxBytes, answerMs }) =>
      new Promise((resolve, reject) => {
        const id = ++counter;
        const cancel = () => {
          say(line, { kind: "cancel", id });
          pulse.expectEnd(() => !calls.has(id), answerMs);
        };
        const settle = <T>(pass: (value: T) => void) => {
          return (value: T) => {
            signal.removeEventListener("abort", cancel);
            pass(value);
          };
        };
        const lengths = parts.length === 0 ? {} : { parts: parts.map(({ length }) => length) };
        say(line, { kind: "call", id, task, input, ...lengths }, parts);
        calls.add(id, {
          resolve: settle(resolve),
          reject: settle(reject),
          onProgress,
          maxBytes,
          asks: asks && answerAsks(id, asks, (message, bytes) => say(line, message, bytes)),
        });
        if (signal.aborted) cancel();
        else signal.addEventListener("abort", cancel, { once: true });
      }),
    close: () => closeLine(line, gone),
    retire() {
      line.onIdle = () => void closeLine(line, gone);
      if (calls.count() === 0) line.onIdle();
    },
  };
}

function closeLine(line: Line, gone: Promise<void>): Promise<void> {
  if (line.state === "open") {
    line.state = "closing";
    line.request.child.keep(true);
    say(line, { kind: "close" });
    line.pulse.expectEnd(() => line.state === "going");
  }
  return gone;
}

function say({ channel }: Line, message: ToWorker, parts: readonly Uint8Array[] = []): void {
  for (const piece of cutPieces(parts)) channel.send({ kind: "piece" } satisfies ToWorker, piece);
  channel.send(message);
}

/** Throws `FrameError` for what a worker does not say: the channel ends with that. */
function hear(line: Line, frame: Frame): void {
  const { calls, pulse, request } = line;
  const message = readFromWorker(frame);
  if ((message.kind === "hello") !== (line.state === "starting")) throw new FrameError(NOT_PROTOCOL);
  if (message.kind === "hello") greet(line, message);
  else if (message.kind === "pong") pulse.heard(message.beat);
  else if (message.kind === "job-ended") request.onJobEnded(message.job);
  else if (message.kind === "closing") line.state = "closing";
  else if (message.kind === "closed") line.cleared = true;
  else if (message.kind === "progress") calls.progress(message);
  else if (message.kind === "ask") calls.ask(message);
  else if (message.kind === "unask") calls.unask(message);
  else if (message.kind === "piece") calls.piece(message, frame.body);
  else if (message.kind === "result") calls.result(message);
  else calls.error(message);
}

function greet(line: Line, { protocol, version }: FromWorker & { readonly kind: "hello" }): void {
  const { marker, firstJob, writer, version: own } = line.request;
  if (protocol !== PROTOCOL)
    throw new FrameError(`speaks version ${protocol} of its protocol, not ${PROTOCOL}`);
  if (version !== own)
    throw new FrameError(`is of version ${JSON.stringify(version)} of the package, not ${own}`);
  const known = writer === undefined ? {} : { writer };
  say(line, { kind: "open", protocol: PROTOCOL, marker, firstJob, ...known });
  line.state = "open";
  line.settle();
}

/** Ends a worker that is of no more use, and tells its calls. Waited for by whoever asks first, and in vain by others. */
async function loseWorker(line: Line, why: string): Promise<void> {
  if (line.state === "going") return new Promise(() => {});
  const { request, channel, calls, pulse } = line;
  line.state = "going";
  pulse.stop();
  // First: what it says of its end would be that of a kill.
  const said =
    why === LEFT || why === CUT_OFF ? await within(request.child.ended, request.bounds.answerMs) : undefined;
  channel.close();
  request.child.kill();
  await within(request.child.ended, request.bounds.answerMs);
  const told = said ?? why;
  await request.cleanUp({ why: told, cleared: line.cleared }).catch(() => {});
  const error = new WorkerError(told);
  line.settle(error);
  calls.rejectAll(error);
  request.child.keep(false);
}

/** What is waited for, or undefined where that takes too long. */
async function within<T>(waiting: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([waiting, overdue]).finally(() => clearTimeout(timer));
}
