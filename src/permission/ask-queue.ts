/**
 * Owns the order in which persons are asked: one question at a time, in the order of asking.
 * Leaves asking to ask-person.ts. Rule: nobody is stuck in the queue. A call that ends while it waits leaves it at
 * once, whoever sits before the question ahead; and a question that comes out of the answering of another, an approver
 * that makes a call itself, does not wait for the one that waits for it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { onAbort } from "../toolset/on-abort.ts";

/** Rejects with the signal's reason where the call ends before its question is put. */
export type AskQueue = <T>(ask: () => Promise<T>, signal: AbortSignal) => Promise<T>;

interface Question {
  isOpen: boolean;
}

export function openAskQueue(): AskQueue {
  const within = new AsyncLocalStorage<Question>();
  let last: Promise<unknown> = Promise.resolve();
  async function put<T>(ask: () => Promise<T>): Promise<T> {
    const question: Question = { isOpen: true };
    try {
      return await within.run(question, ask);
    } finally {
      // What an approver has left running asks in line again.
      question.isOpen = false;
    }
  }
  return (ask, signal) => {
    if (within.getStore()?.isOpen === true) return put(ask);
    const before = last;
    const turn = waitUntil(before, signal).then(() => put(ask));
    // Who comes next waits for the one before as well, where this one has left.
    last = Promise.all([before, turn.catch(() => {})]);
    return turn;
  };
}

function waitUntil(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stopListening = onAbort(signal, () => reject(signal.reason));
    void before.then(() => {
      stopListening();
      if (signal.aborted) reject(signal.reason);
      else resolve();
    });
  });
}
