import { describe, expect, test } from "vitest";
import { withLocks } from "./lock.ts";

/** A signal of its own for each claim, as each call has one. */
const fresh = () => new AbortController().signal;

/** Runs claims at once and tells in which order they began and ended. */
async function orderOf(claims: readonly string[][]): Promise<string[]> {
  const log: string[] = [];
  await Promise.all(
    claims.map((paths, index) =>
      withLocks({ paths, signal: fresh() }, async () => {
        log.push(`+${index}`);
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
        log.push(`-${index}`);
      }),
    ),
  );
  return log;
}

describe("withLocks", () => {
  test("runs one after the other what touches one path, in the order of asking", async () => {
    expect(await orderOf([["/r/a"], ["/r/a"], ["/r/a"]])).toEqual(["+0", "-0", "+1", "-1", "+2", "-2"]);
  });

  test("takes what lies above or below a path for a conflict", async () => {
    expect(await orderOf([["/r/a/b/c"], ["/r/a"], ["/r/a/d"]])).toEqual(["+0", "-0", "+1", "-1", "+2", "-2"]);
    expect(await orderOf([["/"], ["/x"]])).toEqual(["+0", "-0", "+1", "-1"]);
  });

  test("runs side by side what does not touch, names that only begin alike included", async () => {
    expect((await orderOf([["/r/a"], ["/r/ab"], ["/r/b"]])).slice(0, 3)).toEqual(["+0", "+1", "+2"]);
  });

  test("lets nobody pass an earlier claim that he conflicts with, and cannot deadlock", async () => {
    const log = await orderOf([["/r/a"], ["/r/a", "/r/b"], ["/r/b"], ["/r/b", "/r/a"], ["/r/c"]]);
    const at = (mark: string) => log.indexOf(mark);
    expect(at("+4")).toBeLessThan(at("-0"));
    expect([at("-0") < at("+1"), at("-1") < at("+2"), at("-2") < at("+3")]).toEqual([true, true, true]);
  });

  test("gives the lock on where the work throws", async () => {
    const work = () => Promise.reject(new Error("broken"));
    await expect(withLocks({ paths: ["/r/a"], signal: fresh() }, work)).rejects.toThrow("broken");
    expect(await withLocks({ paths: ["/r/a"], signal: fresh() }, async () => "next")).toBe("next");
  });

  test("ends a wait that is cancelled, without running the work, and those behind it go on", async () => {
    const cancel = new AbortController();
    let release = () => {};
    const held = withLocks(
      { paths: ["/r/a"], signal: fresh() },
      () => new Promise<void>((done) => (release = done)),
    );
    let ran = false;
    const waiting = withLocks({ paths: ["/r/a", "/r/z"], signal: cancel.signal }, async () => {
      ran = true;
    });
    const behind = withLocks({ paths: ["/r/z"], signal: fresh() }, async () => "behind");
    cancel.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(await behind).toBe("behind");
    release();
    await held;
    expect(ran).toBe(false);
    const aborted = AbortSignal.abort(new Error("early"));
    await expect(withLocks({ paths: ["/r/a"], signal: aborted }, async () => {})).rejects.toThrow("early");
  });

  test("never has two claims on one path at once under a random load", async () => {
    const names = ["/r", "/r/a", "/r/a/b", "/r/c", "/r/c/d", "/s"];
    const held = new Set<string>();
    const clash = (path: string) =>
      [...held].some((other) => `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`));
    let clashes = 0;
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const path = names[(index * 7 + (index % 5)) % names.length] ?? "/r";
        return withLocks({ paths: [path], signal: fresh() }, async () => {
          if (clash(path)) clashes += 1;
          held.add(path);
          await new Promise((resolve) => setImmediate(resolve));
          held.delete(path);
        });
      }),
    );
    expect([clashes, held.size]).toEqual([0, 0]);
  });
});
