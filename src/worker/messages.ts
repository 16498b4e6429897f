/**
 * Owns what a host and its worker say to each other, and the version of it.
 * Leaves bytes to frames.ts, the tasks to tasks.ts. Rule: each side checks what it is told; what it does not
 * understand is an error, never guessed and never passed over.
 */
import type { JobSummary } from "../contract/shell.ts";
import { type Frame, FrameError, NOT_PROTOCOL } from "./frames.ts";
import { isJob } from "./job-shape.ts";
import { isSentError, type SentError } from "./sent-error.ts";

/** Raised with every change of a message or a task. A host speaks to a worker of its own version alone. */
export const PROTOCOL = 5;

export type ToWorker =
  /** The first, once the worker has said who it is. */
  | {
      readonly kind: "open";
      readonly protocol: number;
      readonly marker: string;
      readonly firstJob: number;
      /** How the names of its temporary files call it, where it cannot know that itself. */
      readonly writer?: string;
    }
  /** `parts` are the lengths into which the bytes that came before are to be cut; absent where none came. */
  | {
      readonly kind: "call";
      readonly id: number;
      readonly task: string;
      readonly input: unknown;
      readonly parts?: readonly number[];
    }
  /** The next bytes of what is told next; they are the body of the frame. */
  | { readonly kind: "piece" }
  /** What the worker asked for, as `parts` of the bytes that came before. */
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly ask: number;
      readonly parts: readonly number[];
    }
  /** What the worker asked for could not be had. */
  | { readonly kind: "failed"; readonly id: number; readonly ask: number; readonly error: SentError }
  /** How far that is which the worker asked for. */
  | { readonly kind: "heard"; readonly id: number; readonly ask: number; readonly text: string }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "ping"; readonly beat: number }
  /** End everything, then yourself. */
  | { readonly kind: "close" };

export type FromWorker =
  | { readonly kind: "hello"; readonly protocol: number; readonly version: string }
  | { readonly kind: "pong"; readonly beat: number }
  | { readonly kind: "progress"; readonly id: number; readonly text: string }
  /** The next bytes of a result; they are the body of the frame. */
  | { readonly kind: "piece"; readonly id: number }
  /** `parts` are the lengths into which the bytes that came before are to be cut. */
  | {
      readonly kind: "result";
      readonly id: number;
      readonly value: unknown;
      readonly parts: readonly number[];
    }
  | { readonly kind: "error"; readonly id: number; readonly message: string }
  /** A tool wants something that the host has. */
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly ask: number;
      readonly port: string;
      readonly input: unknown;
    }
  /** It wants it no more; there is an answer all the same. */
  | { readonly kind: "unask"; readonly id: number; readonly ask: number }
  | { readonly kind: "job-ended"; readonly job: JobSummary }
  /** It was told by another than its host to end: what it has not answered by now, it will not. */
  | { readonly kind: "closing" }
  /** The last: everything that was started has ended. */
  | { readonly kind: "closed" };

type Header = Frame["header"];
type Fits = (header: Header) => boolean;

const hasId: Fits = ({ id }) => Number.isSafeInteger(id) && Number(id) > 0;
const hasAsk: Fits = (header) => hasId(header) && Number.isSafeInteger(header.ask);
const hasBeat: Fits = ({ beat }) => Number.isSafeInteger(beat);

const TO_WORKER: Readonly<Record<ToWorker["kind"], Fits>> = {
  open: ({ protocol, marker, firstJob, writer }) =>
    typeof protocol === "number" &&
    typeof marker === "string" &&
    Number.isSafeInteger(firstJob) &&
    (writer === undefined || typeof writer === "string"),
  call: (header) =>
    hasId(header) &&
    typeof header.task === "string" &&
    (header.parts === undefined || isLengths(header.parts)),
  piece: () => true,
  reply: (header) => hasAsk(header) && isLengths(header.parts),
  failed: (header) => hasAsk(header) && isSentError(header.error),
  heard: (header) => hasAsk(header) && typeof header.text === "string",
  cancel: hasId,
  ping: hasBeat,
  close: () => true,
};

const FROM_WORKER: Readonly<Record<FromWorker["kind"], Fits>> = {
  hello: ({ protocol, version }) => typeof protocol === "number" && typeof version === "string",
  pong: hasBeat,
  progress: (header) => hasId(header) && typeof header.text === "string",
  piece: hasId,
  result: (header) => hasId(header) && isLengths(header.parts),
  error: (header) => hasId(header) && typeof header.message === "string",
  ask: (header) => hasAsk(header) && typeof header.port === "string",
  unask: hasAsk,
  "job-ended": ({ job }) => isJob(job),
  closing: () => true,
  closed: () => true,
};

/** Throws `FrameError` for what is no message to a worker. */
export function readToWorker({ header }: Frame): ToWorker {
  return check<ToWorker>(TO_WORKER, header);
}

/** Throws `FrameError` for what is no message from a worker. */
export function readFromWorker({ header }: Frame): FromWorker {
  return check<FromWorker>(FROM_WORKER, header);
}

function check<Message extends { readonly kind: string }>(
  shapes: Readonly<Record<string, Fits>>,
  header: Header,
): Message {
  const { kind } = header;
  const fits = typeof kind === "string" && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
  if (fits?.(header) !== true) throw new FrameError(NOT_PROTOCOL);
  return header as unknown as Message;
}

function isLengths(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0);
}
