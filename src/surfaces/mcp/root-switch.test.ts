/** Owns the exchange of one root for another while calls run. */
import { describe, expect, it } from "vitest";
import type { Toolset } from "../../toolset/toolset.ts";
import { createRootSwitch, type Lease } from "./root-switch.ts";

/** A switch over toolsets that only remember being closed. */
function makeSwitch() {
  const closed: string[] = [];
  const mounted: string[] = [];
  const roots = createRootSwitch((root) => {
    if (root === "bad") throw new Error("no directory");
    mounted.push(root);
    return {
      root,
      close: async () => {
        closed.push(root);
      },
    } as unknown as Toolset;
  });
  const lease = (): Lease => {
    const held = roots.lease();
    if ("missing" in held) throw new Error(held.missing);
    return held;
  };
  return { roots, closed, mounted, lease };
}

describe("the root switch", () => {
  it("has no toolset before a root is named, and says so", () => {
    const { roots } = makeSwitch();
    expect(roots.lease()).toEqual({ missing: "no root was named" });
    roots.miss("the client names none");
    expect(roots.lease()).toEqual({ missing: "the client names none" });
  });

  it("lets a call end in the toolset in which it began, and closes that one after its last call", async () => {
    const { roots, closed, lease } = makeSwitch();
    roots.take("one");
    const [first, second] = [lease(), lease()];
    roots.take("two");
    expect(first.toolset.root).toBe("one");
    expect(lease().toolset.root).toBe("two");
    first.release();
    first.release();
    expect(closed).toEqual([]);
    second.release();
    expect(closed).toEqual(["one"]);
  });

  it("closes an idle toolset at once, and keeps the one that is asked for again", () => {
    const { roots, closed, mounted } = makeSwitch();
    roots.take("one");
    roots.take("one");
    expect(mounted).toEqual(["one"]);
    roots.take("two");
    expect(closed).toEqual(["one"]);
  });

  it("mounts nothing where the new root cannot be mounted", () => {
    const { roots, closed } = makeSwitch();
    roots.take("one");
    expect(() => roots.take("bad")).toThrow("no directory");
    expect(roots.lease()).toHaveProperty("missing");
    expect(closed).toEqual(["one"]);
  });

  it("closes everything at the end, calls that run included, and mounts nothing after it", async () => {
    const { roots, closed, mounted, lease } = makeSwitch();
    roots.take("one");
    lease();
    roots.take("two");
    await roots.close();
    expect(closed.sort()).toEqual(["one", "two"]);
    roots.take("three");
    expect(mounted).toEqual(["one", "two"]);
    expect(roots.lease()).toEqual({ missing: "the server is closing" });
  });
});
