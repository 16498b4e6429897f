/** Owns the exchange of one root for another while calls run. */
import { describe, expect, it } from "vitest";
import type { Session } from "../../session/session.ts";
import { createRootSwitch, type Lease } from "./root-switch.ts";

/** A switch over sessions that only remember being closed. */
function makeSwitch() {
  const closed: string[] = [];
  const mounted: string[] = [];
  const roots = createRootSwitch(async (root) => {
    if (root === "bad") throw new Error("no directory");
    mounted.push(root);
    return {
      root,
      close: async () => {
        closed.push(root);
      },
    } as unknown as Session;
  });
  const lease = async (): Promise<Lease> => {
    const held = await roots.lease();
    if ("missing" in held) throw new Error(held.missing);
    return held;
  };
  return { roots, closed, mounted, lease };
}

/** Closing goes on behind the switch; a turn of the loop lets it. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the root switch", () => {
  it("has no session before a root is named, and says so", async () => {
    const { roots } = makeSwitch();
    expect(await roots.lease()).toEqual({ missing: "no root was named" });
    roots.miss("the client names none");
    expect(await roots.lease()).toEqual({ missing: "the client names none" });
  });

  it("lets a call end in the session in which it began, and closes that one after its last call", async () => {
    const { roots, closed, lease } = makeSwitch();
    await roots.take("one");
    const [first, second] = [await lease(), await lease()];
    await roots.take("two");
    expect(first.session.root).toBe("one");
    expect((await lease()).session.root).toBe("two");
    first.release();
    first.release();
    expect(closed).toEqual([]);
    second.release();
    await settle();
    expect(closed).toEqual(["one"]);
  });

  it("closes an idle session at once, and keeps the one that is asked for again", async () => {
    const { roots, closed, mounted } = makeSwitch();
    await roots.take("one");
    await roots.take("one");
    expect(mounted).toEqual(["one"]);
    await roots.take("two");
    expect(closed).toEqual(["one"]);
  });

  it("has no session where the new root cannot be mounted, and says why", async () => {
    const { roots, closed } = makeSwitch();
    await roots.take("one");
    expect(await roots.take("bad")).toBe("no directory");
    expect(await roots.lease()).toEqual({ missing: "the root bad cannot be mounted: no directory" });
    expect(closed).toEqual(["one"]);
  });

  it("closes everything at the end, calls that run included, and mounts nothing after it", async () => {
    const { roots, closed, mounted, lease } = makeSwitch();
    await roots.take("one");
    await lease();
    await roots.take("two");
    await roots.close();
    expect(closed.sort()).toEqual(["one", "two"]);
    await roots.take("three");
    expect(mounted).toEqual(["one", "two"]);
    expect(await roots.lease()).toEqual({ missing: "the server is closing" });
  });

  it("lets a call wait for a session that is opening, and does not close that one under it", async () => {
    const { roots, closed } = makeSwitch();
    const taken = roots.take("one");
    const waiting = roots.lease();
    await roots.take("two");
    await taken;
    const held = await waiting;
    if ("missing" in held) throw new Error(held.missing);
    expect(held.session.root).toBe("one");
    expect(closed).toEqual([]);
    held.release();
    await settle();
    expect(closed).toEqual(["one"]);
  });
});
