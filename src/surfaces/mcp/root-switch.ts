/**
 * Owns which toolset answers now: none yet, one, or another after the client named another root.
 * Leaves who chooses the root to serve-mcp.ts. Rule: a call ends in the toolset in which it began; a toolset
 * that was exchanged closes after its last call.
 */
import type { Toolset } from "../../toolset/toolset.ts";

export interface RootSwitch {
  /** The toolset of the present root with a hold on it, or why there is none. */
  lease(): Lease | { readonly missing: string };
  /** Mounts `root` from now on. Throws where it cannot be mounted, and then nothing is mounted. */
  take(root: string): void;
  /** Says why there is no root, where there is none. */
  miss(reason: string): void;
  close(): Promise<void>;
}

export interface Lease {
  readonly toolset: Toolset;
  release(): void;
}

interface Held {
  readonly root: string;
  readonly toolset: Toolset;
  calls: number;
  retired: boolean;
}

export function createRootSwitch(mountRoot: (root: string) => Toolset): RootSwitch {
  let present: Held | undefined;
  let reason = "no root was named";
  let closed = false;
  const open = new Set<Held>();

  const closeHeld = async (held: Held): Promise<void> => {
    open.delete(held);
    await held.toolset.close();
  };
  const retire = (): void => {
    const held = present;
    present = undefined;
    if (held === undefined) return;
    held.retired = true;
    if (held.calls === 0) void closeHeld(held);
  };

  return {
    lease() {
      const held = present;
      if (held === undefined) return { missing: reason };
      held.calls += 1;
      let released = false;
      return {
        toolset: held.toolset,
        release() {
          if (released) return;
          released = true;
          held.calls -= 1;
          if (held.retired && held.calls === 0) void closeHeld(held);
        },
      };
    },
    take(root) {
      // An answer that arrives while the server closes must not open what nobody will close.
      if (closed || present?.root === root) return;
      retire();
      const held: Held = { root, toolset: mountRoot(root), calls: 0, retired: false };
      open.add(held);
      present = held;
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
