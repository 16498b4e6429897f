/**
 * Owns the end of a call that is cancelled inside of a host's wrapper.
 * Leaves what a wrapper does to the host. Rule: a wrapper that never comes back keeps neither a cancelled call nor a
 * session that closes; and what it passes on after its call has ended does not run. As long as the tool is at work the
 * wrapper is waited for: a cancelled tool still has something to say.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ToolOutput } from "../contract/output.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import { onAbort } from "../toolset/on-abort.ts";

/** What a wrapper of a cancelled call may still do by itself, a log that it writes or a lock that it lets go. */
const GRACE_MS = 250;

interface Passage {
  /** Calls that it has passed on and that have not come back. */
  atWork: number;
  hasLeft: boolean;
  /** Told when nothing is at work any more. */
  onIdle: (() => void) | undefined;
}

/** The host's wrappers, outermost first, between the two stations that watch over them. */
export function guardWrappers(use: readonly Wrapper[]): readonly Wrapper[] {
  if (use.length === 0) return [];
  const passages = new AsyncLocalStorage<Passage>();
  const enter: Wrapper = (next) => (call, options) => {
    const passage: Passage = { atWork: 0, hasLeft: false, onIdle: undefined };
    const work = passages.run(passage, async () => next(call, options));
    return options?.signal === undefined ? work : leaveWhenCancelled(work, passage, options.signal);
  };
  const passOn: Wrapper = (next) => async (call, options) => {
    const passage = passages.getStore();
    if (passage === undefined) return next(call, options);
    if (passage.hasLeft) throw new Error("a host's wrapper passed on a call that has ended");
    passage.atWork += 1;
    try {
      return await next(call, options);
    } finally {
      passage.atWork -= 1;
      if (passage.atWork === 0) passage.onIdle?.();
    }
  };
  return [enter, ...use, passOn];
}

/** Rejects with the signal's reason where the wrappers have had their time. */
function leaveWhenCancelled(
  work: Promise<ToolOutput>,
  passage: Passage,
  signal: AbortSignal,
): Promise<ToolOutput> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const leave = () => {
      if (passage.atWork > 0) return;
      passage.hasLeft = true;
      reject(signal.reason);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(leave, GRACE_MS);
    };
    const cancel = () => {
      passage.onIdle = wait;
      if (passage.atWork === 0) wait();
    };
    const stopListening = onAbort(signal, cancel);
    if (signal.aborted) cancel();
    const end = () => {
      clearTimeout(timer);
      stopListening();
      passage.onIdle = undefined;
    };
    work.then(resolve, reject).finally(end);
  });
}
