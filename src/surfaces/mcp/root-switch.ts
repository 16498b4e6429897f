/**
 * Owns which session answers now: none yet, one, or another after the client named another root.
 * Leaves who chooses the root to serve-mcp.ts, the calls of one session to held-session.ts. Rule: a call ends in the
 * session in which it began; a session that was exchanged closes after its last call.
 */
import type { Session } from "../../session/session.ts";
import { type HeldSession, holdSession, type Lease } from "./held-session.ts";

export type { Lease } from "./held-session.ts";

export interface RootSwitch {
  /** The session of the present root with a hold on it, or why there is none. Waits for one that is opening. */
  lease(): Promise<Lease | { readonly missing: string }>;
  /** Opens a session in `root` from now on. Gives what is wrong where that cannot be done, and then there is none. */
  take(root: string): Promise<string | undefined>;
  /** Says why there is no root, where there is none. */
  miss(reason: string): void;
  close(): Promise<void>;
}

export function createRootSwitch(openSession: (root: string) => Promise<Session>): RootSwitch {
  let present: HeldSession | undefined;
  let reason = "no root was named";
  let closed = false;
  const open = new Set<HeldSession>();

  const exchange = (next: HeldSession | undefined): void => {
    const before = present;
    present = next;
    before?.retire();
  };
  const openIn = (root: string): HeldSession => {
    const held = holdSession({ root, opening: openSession(root), onClosed: (one) => open.delete(one) });
    open.add(held);
    return held;
  };

  return {
    async lease() {
      return (await present?.lease()) ?? { missing: reason };
    },
    async take(root) {
      // An answer that arrives while the server closes must not open what nobody will close.
      if (closed) return undefined;
      if (present?.root !== root) exchange(openIn(root));
      const held = present;
      const failed = await held?.tellFailure();
      if (failed === undefined || held === undefined) return undefined;
      if (present === held) {
        exchange(undefined);
        reason = `the root ${root} cannot be mounted: ${failed}`;
      }
      return failed;
    },
    miss(why) {
      exchange(undefined);
      reason = why;
    },
    async close() {
      closed = true;
      reason = "the server is closing";
      present = undefined;
      await Promise.all([...open].map((held) => held.close()));
    },
  };
}
