/**
 * Owns the calls that a worker has been given and not answered: their pieces, their ends.
 * Leaves sending to connection.ts. Rule: each call ends once; an answer to no call is an answer to one that was
 * given up, and is dropped.
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

/** `changed` is told after every call that came or went. */
export function openPendingCalls(changed: () => void): PendingCalls {
  const waiting = new Map<number, Waiting>();
  const take = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    call?.asks?.end();
    changed();
    return call;
  };
  return {
    add(id, call) {
      waiting.set(id, { ...call, pieces: [], bytes: 0 });
      changed();
    },
    has: (id) => waiting.has(id),
    count: () => waiting.size,
    progress: ({ id, text }) => waiting.get(id)?.onProgress(text),
    piece({ id }, bytes) {
      const call = waiting.get(id);
      if (call === undefined) return;
      call.bytes += bytes.length;
      if (call.bytes > (call.maxBytes ?? MAX_ANSWER_BYTES)) throw new FrameError("sent more than it may");
      call.pieces.push(bytes);
    },
    result({ id, value, parts }) {
      const call = waiting.get(id);
      if (call === undefined) return;
      if (parts.reduce((sum, length) => sum + length, 0) !== call.bytes) throw new FrameError(NOT_PROTOCOL);
      const all = call.pieces.length === 1 ? call.pieces[0] : Buffer.concat(call.pieces, call.bytes);
      take(id)?.resolve({ value, parts: cutParts(all ?? new Uint8Array(0), parts) });
    },
    ask(message) {
      const call = waiting.get(message.id);
      // A call that was given up asks in vain.
      if (call !== undefined && call.asks === undefined) throw new FrameError(NOT_PROTOCOL);
      call?.asks?.ask(message);
    },
    unask: ({ id, ask }) => waiting.get(id)?.asks?.unask(ask),
    askNow(id, port, input) {
      const asks = waiting.get(id)?.asks;
      if (asks === undefined) throw new Error("the call has ended");
      return asks.askNow(port, input);
    },
    error: ({ id, message }) => take(id)?.reject(new Error(message)),
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

function cutParts(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let from = 0;
  return lengths.map((length) => {
    const part = bytes.subarray(from, from + length);
    from += length;
    return part;
  });
}
