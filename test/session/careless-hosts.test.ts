/**
 * Owns hosts whose wrappers hang. Leaves what wrappers may do to wrappers.test.ts. Rule: guards against hanging only,
 * no time is measured.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Wrapper } from "../../src/index.ts";
import { expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

const forever = () => new Promise<never>(() => {});

it.each<[string, Wrapper]>([
  ["before it passes its call on", () => forever],
  [
    "after the tool has run",
    (next) => async (call, options) => {
      await next(call, options);
      return forever();
    },
  ],
])("a wrapper that hangs %s keeps neither a cancelled call nor the session", async (_, wrapper) => {
  const session = await open(makeRoot({ a: "one\n" }), { use: [wrapper] });
  const abort = new AbortController();
  const cancelled = session.call("read", { path: "a" }, { signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  expectCode(await cancelled, "call-cancelled");
  const closed = session.call("read", { path: "a" });
  await session.close();
  expectCode(await closed, "call-cancelled", "closed");
});

it("what a wrapper passes on after its call has ended does not run", async () => {
  const root = makeRoot();
  let wake = () => {};
  let later: Promise<unknown> = Promise.resolve();
  const slow: Wrapper = (next) => async (call) => {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    // Without the signal of the call, which has been aborted.
    const passed = next(call);
    later = passed.catch(() => {});
    return passed;
  };
  const session = await open(root, { use: [slow] });
  const abort = new AbortController();
  const call = session.call("write", { path: "late", content: "x" }, { signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  expectCode(await call, "call-cancelled");
  wake();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await later;
  expect(existsSync(join(root, "late"))).toBe(false);
});

it("a cancelled command still tells what it printed, through a wrapper", async () => {
  const through: Wrapper = (next) => async (call, options) => next(call, options);
  const session = await open(makeRoot(), { use: [through] });
  const abort = new AbortController();
  const call = session.call(
    "bash",
    { command: "trap '' TERM; echo begun; sleep 30 & wait; sleep 30" },
    { signal: abort.signal, onProgress: () => abort.abort() },
  );
  setTimeout(() => abort.abort(), 3_000);
  expect((await call).content).toContain("begun");
});

it("a series of failures says that it failed, and a denial is none of a series", async () => {
  const session = await open(makeRoot());
  const command =
    "for i in 1 2 3 4 5 6 7 8 9; do echo a line of some eighty characters that fills the result up to the least length; done; exit 3";
  for (let time = 1; time < 5; time++) await session.call("bash", { command });
  const fifth = await session.call("bash", { command });
  expect(fifth.isError).toBe(true);
  expect(fifth.content).toMatch(/^\[the same result as call_4, 5 times in a row, exit code 3: /);
  const denying = await open(makeRoot(), { rules: { deny: ["runs(rm *)"] } });
  const long = { command: `rm ${"x".repeat(600)}` };
  for (let time = 1; time < 5; time++) await denying.call("bash", long);
  expect(expectCode(await denying.call("bash", long), "permission-denied")).toContain("deny runs(rm *)");
  expectDone(await denying.call("list", {}));
});
