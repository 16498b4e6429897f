/**
 * Owns hosts that are careless with the questions they are asked: approvers and savers that never come back, or that
 * call the session again. Leaves what an answer means to station.test.ts. Rule: no call is stuck with another's question.
 */
import { describe, expect, it } from "vitest";
import type { Ask } from "../../src/contract/decision.ts";
import { expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

const never = () => new Promise<never>(() => {});
const files = { a: "one\n", b: "two\n", c: "three\n" };

/** An approver that keeps each question until it is answered by the test. */
function holdQuestions() {
  const asked: { ask: Ask; answer: (answer: { allow: "once" }) => void }[] = [];
  const waiting: (() => void)[] = [];
  return {
    asked,
    approve: (ask: Ask) =>
      new Promise<{ allow: "once" }>((answer) => {
        asked.push({ ask, answer });
        for (const wake of waiting.splice(0)) wake();
      }),
    async until(count: number) {
      while (asked.length < count) await new Promise<void>((wake) => waiting.push(wake));
    },
  };
}

describe("questions that wait for each other", () => {
  it("let a call go that is cancelled while the question before its own is not answered", async () => {
    const questions = holdQuestions();
    const session = await open(makeRoot(files), { rules: { ask: ["reads"] }, approve: questions.approve });
    const first = session.call("read", { path: "a" });
    await questions.until(1);
    const abort = new AbortController();
    const second = session.call("read", { path: "b" }, { signal: abort.signal });
    const third = session.call("read", { path: "c" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    expectCode(await second, "call-cancelled");
    // The one behind it has kept its place, and is not put before the first is answered.
    expect(questions.asked).toHaveLength(1);
    questions.asked[0]?.answer({ allow: "once" });
    expectDone(await first);
    await questions.until(2);
    questions.asked[1]?.answer({ allow: "once" });
    expect(expectDone(await third).content).toContain("three");
  });

  it("do not wait for a question out of which they come", async () => {
    const root = makeRoot(files);
    const inner: string[] = [];
    const session = await open(root, {
      rules: { ask: ["reads"] },
      approve: async ({ call }) => {
        if (JSON.stringify(call.args).includes('"a"'))
          inner.push((await session.call("read", { path: "b" })).content);
        return { allow: "once" };
      },
    });
    expectDone(await session.call("read", { path: "a" }));
    expect(inner.join()).toContain("two");
  });
});

describe("a rule that is saved for ever and never", () => {
  it("keeps neither the call that is cancelled nor the session that closes", async () => {
    const saving: (() => void)[] = [];
    const untilSaving = () => new Promise<void>((wake) => saving.push(wake));
    const session = await open(makeRoot(files), {
      rules: { ask: ["reads"] },
      approve: async ({ suggestedRule }) => ({ allow: "always", rule: suggestedRule ?? "" }),
      saveRule: () => {
        for (const wake of saving.splice(0)) wake();
        return never();
      },
    });
    const abort = new AbortController();
    const started = untilSaving();
    const cancelled = session.call("read", { path: "a" }, { signal: abort.signal });
    await started;
    abort.abort();
    expectCode(await cancelled, "call-cancelled");
    // The rule holds, as it did from the answer on.
    expectDone(await session.call("read", { path: "a" }));
    const again = untilSaving();
    const closing = session.call("read", { path: "b" });
    await again;
    await session.close();
    expectCode(await closing, "call-cancelled", "closed");
  });
});

describe("what a person is shown", () => {
  it("is the whole of a command, however long, and the folder in which it runs", async () => {
    const asked: Ask[] = [];
    const session = await open(makeRoot({ "sub/x": "" }), {
      mode: "workspace-write",
      approve: async (ask) => {
        asked.push(ask);
        return { deny: "" };
      },
    });
    const long = `echo ${"a".repeat(400)}; touch last`;
    await session.call("bash", { command: long, cwd: "sub" });
    await session.call("bash", { command: "echo a\ntouch last" });
    await session.call("bash", { command: "true \u202egpj" });
    await session.call("bash", { command: "true" });
    expect(asked[0]?.preview).toBe(long);
    expect(asked[0]?.reason).toContain("in sub:");
    expect(asked[1]?.preview).toBe("echo a\ntouch last");
    expect(asked[2]?.reason).toContain("\\u202e");
    expect(asked[3]).not.toHaveProperty("preview");
    expect(asked[3]?.reason).not.toContain(" in ");
  });
});
