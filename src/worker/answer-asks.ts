/**
 * Owns answering what the worker asks its host about one call: what a tool reaches through its ports.
 * Leaves what is asked to run-tool-ports.ts, sending to connection.ts. Rule: each question is answered once, while its
 * call lives; once that has ended, what is still being done for it is given up, and nothing new is begun.
 */
import { FrameError, NOT_PROTOCOL } from "./frames.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { pack } from "./packed.ts";
import { sendError } from "./sent-error.ts";

export interface AskContext {
  /** Aborted when the worker takes the question back, and when its call ends. */
  readonly signal: AbortSignal;
  /** Tells how far it is. */
  readonly heard: (text: string) => void;
}

/** What a call lets the worker ask. */
export interface AskServer {
  ask(port: string, input: unknown, context: AskContext): Promise<unknown>;
  /** The worker does nothing else until it has this. */
  askNow(port: string, input: unknown): unknown;
}

export interface Answering {
  ask(message: FromWorker & { readonly kind: "ask" }): void;
  unask(ask: number): void;
  askNow(port: string, input: unknown): unknown;
  end(): void;
}

/** No tool asks so much at once: a worker that does is broken. */
const MOST_AT_ONCE = 1_000;

/** `say` sends a message with the bytes that belong to it. */
export function answerAsks(
  id: number,
  server: AskServer,
  say: (message: ToWorker, parts: readonly Uint8Array[]) => void,
): Answering {
  const running = new Map<number, AbortController>();
  let isOver = false;
  const answer = async ({ ask, port, input }: FromWorker & { readonly kind: "ask" }, signal: AbortSignal) => {
    const heard = (text: string) => {
      if (!isOver) say({ kind: "heard", id, ask, text }, []);
    };
    try {
      const parts = pack(await server.ask(port, input, { signal, heard }));
      if (!isOver) say({ kind: "reply", id, ask, parts: parts.map(({ length }) => length) }, parts);
    } catch (error) {
      if (!isOver) say({ kind: "failed", id, ask, error: sendError(error) }, []);
    }
  };
  return {
    ask(message) {
      const { ask } = message;
      if (running.has(ask) || running.size >= MOST_AT_ONCE) throw new FrameError(NOT_PROTOCOL);
      const controller = new AbortController();
      running.set(ask, controller);
      void answer(message, controller.signal).finally(() => running.delete(ask));
    },
    unask: (ask) => running.get(ask)?.abort(),
    askNow: (port, input) => server.askNow(port, input),
    end() {
      isOver = true;
      for (const controller of running.values()) controller.abort();
    },
  };
}
