/**
 * Owns what one call in the worker has asked of the host and not been told.
 * Leaves sending to serve.ts, what is asked to host-ports.ts. Rule: whoever asks gets an answer, also of a question that
 * was taken back: only the host knows how that ended.
 */
import { FrameError, NOT_PROTOCOL } from "../worker/frames.ts";
import type { ToWorker } from "../worker/messages.ts";
import { unpack } from "../worker/packed.ts";
import { receiveError } from "../worker/sent-error.ts";

export interface Question {
  readonly port: string;
  readonly input: unknown;
  /** Takes the question back. */
  readonly signal?: AbortSignal | undefined;
  readonly onHeard?: ((text: string) => void) | undefined;
}

export type Ask = (question: Question) => Promise<unknown>;

type Answer = ToWorker & { readonly kind: "reply" | "failed" | "heard" };

export interface CallAsks {
  readonly ask: Ask;
  answer(message: Answer, parts: readonly Uint8Array[]): void;
}

interface Waiting {
  readonly resolve: (parts: readonly Uint8Array[]) => void;
  readonly reject: (error: Error) => void;
  readonly onHeard: ((text: string) => void) | undefined;
}

export function openAsks(say: {
  ask(ask: number, port: string, input: unknown): void;
  unask(ask: number): void;
}): CallAsks {
  const waiting = new Map<number, Waiting>();
  let counter = 0;
  return {
    async ask({ port, input, signal, onHeard }) {
      const ask = ++counter;
      const takeBack = () => say.unask(ask);
      const parts = await new Promise<readonly Uint8Array[]>((resolve, reject) => {
        say.ask(ask, port, input);
        waiting.set(ask, { resolve, reject, onHeard });
        if (signal?.aborted === true) takeBack();
        signal?.addEventListener("abort", takeBack, { once: true });
      }).finally(() => signal?.removeEventListener("abort", takeBack));
      return unpack(parts);
    },
    answer(message, parts) {
      const asked = waiting.get(message.ask);
      if (asked === undefined) throw new FrameError(NOT_PROTOCOL);
      if (message.kind === "heard") return asked.onHeard?.(message.text);
      waiting.delete(message.ask);
      if (message.kind === "reply") asked.resolve(parts);
      else asked.reject(receiveError(message.error));
    },
  };
}
