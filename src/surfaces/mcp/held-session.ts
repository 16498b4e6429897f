/**
 * Owns one session of the server and the calls that are in it: it closes once, after the last of them.
 * Leaves which session answers to root-switch.ts. Rule: a call that waits for the session to open is in it already, so
 * that one which is retired meanwhile does not close under it.
 */
import type { Session } from "../../session/session.ts";

export interface HeldSession {
  readonly root: string;
  /** Begins a call. Undefined where the session could not be opened. */
  lease(): Promise<Lease | undefined>;
  /** Waits until it is open; gives what is wrong where it cannot be. */
  tellFailure(): Promise<string | undefined>;
  /** No call begins in it any more: it closes when the last one ends. */
  retire(): void;
  /** Closes it at once, with the calls that are in it. */
  close(): Promise<void>;
}

export interface Lease {
  readonly session: Session;
  release(): void;
}

export function holdSession(of: {
  readonly root: string;
  readonly opening: Promise<Session>;
  /** Told when nothing is left to close. */
  readonly onClosed: (held: HeldSession) => void;
}): HeldSession {
  const { root, opening, onClosed } = of;
  let calls = 0;
  let isRetired = false;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeOpened(opening).finally(() => onClosed(held));
    return closing;
  };
  const closeIdle = () => {
    // The host of a session that does not close is told by nobody else; the switch waits for it in close().
    if (isRetired && calls === 0) void close().catch(() => {});
  };
  const letGo = () => {
    calls -= 1;
    closeIdle();
  };
  const held: HeldSession = {
    root,
    async lease() {
      calls += 1;
      const release = once(letGo);
      try {
        return { session: await opening, release };
      } catch {
        release();
        return undefined;
      }
    },
    tellFailure: () => opening.then(() => undefined, messageOf),
    retire() {
      isRetired = true;
      closeIdle();
    },
    close,
  };
  return held;
}

/** One that could not be opened has nothing to close. */
async function closeOpened(opening: Promise<Session>): Promise<void> {
  const session = await opening.catch(() => undefined);
  await session?.close();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
