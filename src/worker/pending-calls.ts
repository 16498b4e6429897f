/**
 * Owns the calls that a worker has been given and not answered: their pieces, their ends.
 * Leaves sending to connection.ts. Rule: each call ends once; what is said of one that has ended, or of none, is
 * dropped, and bounded. The attack: a worker that nobody has asked anything sends without end, and the host reads
 * without end.
 */
import type { Answering } from "./answer-asks.ts";
import { FrameError, NOT_PROTOCOL } from "./frames.ts";
import type { FromWorker } from "./messages.ts";
import { MAX_ANSWER_BYTES, type TaskAnswer } from "./tasks.ts";

export interface PendingCall {
  readonly resolve: (answer: TaskAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: (text: string) => void;
  /** Bytes that its answer may have. */
  readonly maxBytes?: number | undefined;
  /** Answers what the worker asks about it; absent where it may ask nothing. */
  readonly asks?: Answering | undefined;
}

export interface PendingCalls {
  add(id: number, call: PendingCall): void;
  has(id: number): boolean;
  count(): number;
  progress(message: FromWorker & { readonly kind: "progress" }): void;
  piece(message: FromWorker & { readonly kind: "piece" }, bytes: Uint8Array): void;
  result(message: FromWorker & { readonly kind: "result" }): void;
  error(message: FromWorker & { readonly kind: "error" }): void;
  ask(message: FromWorker & { readonly kind: "ask" }): void;
  unask(message: FromWorker & { readonly kind: "unask" }): void;
  /** Throws where the call may not ask that, or is none. */
  askNow(id: number, port: string, input: unknown): unknown;
  rejectAll(error: unknown): void;
}

interface Waiting extends PendingCall {
  readonly pieces: Uint8Array[];
  bytes: number;
}

/** Messages about calls that have ended, until the next one begins: words on their way, not a flood. */
const MAX_LATE = 10_000;
/** As much as this counts as one message more. */
const LATE_BYTES = 1_000;

/** `changed` is told after every call that came or went. */
export function openPendingCalls(changed: () => void): PendingCalls {
  const { waiting, find, take, renew } = openTable(changed);
  return {
    add(id, call) {
      waiting.set(id, { ...call, pieces: [], bytes: 0 });
      renew();
      changed();
    },
    has: (id) => waiting.has(id),
    count: () => waiting.size,
    progress: ({ id, text }) => find(id)?.onProgress(text),
    piece({ id }, bytes) {
      const call = find(id, bytes.length);
      if (call === undefined) return;
      call.bytes += bytes.length;
      if (call.bytes > (call.maxBytes ?? MAX_ANSWER_BYTES)) throw new FrameError("sent more than it may");
      call.pieces.push(bytes);
    },
    result({ id, value, parts }) {
      const call = find(id);
      if (call === undefined) return;
      if (parts.reduce((sum, length) => sum + length, 0) !== call.bytes) throw new FrameError(NOT_PROTOCOL);
      const all = call.pieces.length === 1 ? call.pieces[0] : Buffer.concat(call.pieces, call.bytes);
      take(id)?.resolve({ value, parts: cutParts(all ?? new Uint8Array(0), parts) });
    },
    ask(message) {
      const call = find(message.id);
      // A call that has ended asks in vain.
      if (call !== undefined && call.asks === undefined) throw new FrameError(NOT_PROTOCOL);
      call?.asks?.ask(message);
    },
    unask: ({ id, ask }) => find(id)?.asks?.unask(ask),
    askNow(id, port, input) {
      const asks = waiting.get(id)?.asks;
      if (asks === undefined) throw new Error("the call has ended");
      return asks.askNow(port, input);
    },
    error({ id, message }) {
      if (find(id) !== undefined) take(id)?.reject(new Error(message));
    },
    rejectAll(error) {
      const all = [...waiting.values()];
      waiting.clear();
      changed();
      for (const call of all) {
        call.asks?.end();
        call.reject(error);
      }
    },
  };
}

/** The calls by their numbers, and how far a worker may be behind them. */
function openTable(changed: () => void) {
  const waiting = new Map<number, Waiting>();
  let late = 0;
  const find = (id: number, bytes = 0): Waiting | undefined => {
    const call = waiting.get(id);
    if (call === undefined) late += 1 + bytes / LATE_BYTES;
    if (late > MAX_LATE) throw new FrameError("sent more than it may");
    return call;
  };
  const take = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    call?.asks?.end();
    changed();
    return call;
  };
  return {
    waiting,
    find,
    take,
    renew() {
      late = 0;
    },
  };
}

function cutParts(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let from = 0;
  return lengths.map((length) => {
    const part = bytes.subarray(from, from + length);
    from += length;
    return part;
  });
}
