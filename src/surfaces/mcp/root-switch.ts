/**
 * Owns which session answers now: none yet, one, or another after the client named another root.
 * Leaves who chooses the root to serve-mcp.ts. Rule: a call ends in the session in which it began; a session
 * that was exchanged closes after its last call.
 */
import type { Session } from "../../session/session.ts";

export interface RootSwitch {
  /** The session of the present root with a hold on it, or why there is none. Waits for one that is opening. */
  lease(): Promise<Lease | { readonly missing: string }>;
  /** Opens a session in `root` from now on. Gives what is wrong where that cannot be done, and then there is none. */
  take(root: string): Promise<string | undefined>;
  /** Says why there is no root, where there is none. */
  miss(reason: string): void;
  close(): Promise<void>;
}

export interface Lease {
  readonly session: Session;
  release(): void;
}

interface Held {
  readonly root: string;
  readonly opening: Promise<Session>;
  calls: number;
  retired: boolean;
}

export function createRootSwitch(openSession: (root: string) => Promise<Session>): RootSwitch {
  let present: Held | undefined;
  let reason = "no root was named";
  let closed = false;
  const open = new Set<Held>();

  const closeHeld = async (held: Held): Promise<void> => {
    open.delete(held);
    // One that could not be opened has nothing to close.
    await held.opening.then(
      (session) => session.close(),
      () => {},
    );
  };
  const closeIdle = (held: Held): void => {
    if (held.retired && held.calls === 0) void closeHeld(held);
  };
  const retire = (): void => {
    const held = present;
    present = undefined;
    if (held === undefined) return;
    held.retired = true;
    closeIdle(held);
  };
  const letGo = (held: Held): void => {
    held.calls -= 1;
    closeIdle(held);
  };

  return {
    async lease() {
      const held = present;
      if (held === undefined) return { missing: reason };
      // Counted before the wait: a session that is exchanged while it opens must not close under this call.
      held.calls += 1;
      try {
        const session = await held.opening;
        return { session, release: once(() => letGo(held)) };
      } catch {
        letGo(held);
        return { missing: reason };
      }
    },
    async take(root) {
      // An answer that arrives while the server closes must not open what nobody will close.
      if (closed) return undefined;
      if (present?.root !== root) {
        retire();
        present = { root, opening: openSession(root), calls: 0, retired: false };
        open.add(present);
      }
      const held = present;
      const failed = await tellFailure(held.opening);
      if (failed === undefined) return undefined;
      open.delete(held);
      if (present === held) {
        present = undefined;
        reason = `the root ${root} cannot be mounted: ${failed}`;
      }
      return failed;
    },
    miss(why) {
      retire();
      reason = why;
    },
    async close() {
      closed = true;
      reason = "the server is closing";
      present = undefined;
      await Promise.all([...open].map(closeHeld));
    },
  };
}

async function tellFailure(opening: Promise<Session>): Promise<string | undefined> {
  try {
    await opening;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
