/**
 * Owns that the calls of a host's own tools pass all that a session has: permission by what they declare, the
 * schedule, the ledger, the window, `explain`, isolation. Leaves mounting to mounted.test.ts.
 * Rule: what is not declared is never taken for harmless.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineTool, isRefusal, type Mode, openSession, type Rules } from "../../src/index.ts";
import { toAiTools } from "../../src/surfaces/adapters/ai-sdk.ts";
import { answerToolUses, toAnthropicTools } from "../../src/surfaces/adapters/anthropic.ts";
import { toLangChainTools } from "../../src/surfaces/adapters/langchain.ts";
import { answerChatCalls, toChatTools } from "../../src/surfaces/adapters/openai.ts";
import { countWords, makeRoot, shout, tickets } from "./own-tools.ts";

async function open(options: {
  readonly mode?: Mode;
  readonly rules?: Rules;
  readonly root?: string;
  readonly isolation?: "worker";
}) {
  const asked: string[] = [];
  const session = await openSession({
    root: makeRoot(),
    ledger: "memory",
    ...options,
    tools: ["read", "recall", countWords, shout, tickets],
    approve: async ({ reason, suggestedRule }) => {
      asked.push(`${reason} | ${suggestedRule}`);
      return { deny: "no" };
    },
  });
  onTestFinished(() => session.close());
  return { session, asked };
}

describe("permission", () => {
  const calls = [
    ["count_words", { path: "notes.txt" }],
    ["shout", { path: "notes.txt" }],
    ["tickets", { id: 1 }],
  ] as const;
  const outcomes = async (options: Parameters<typeof open>[0]) => {
    const { session } = await open(options);
    const explained = await Promise.all(calls.map(([name, args]) => session.explain({ name, args })));
    return explained.map(({ outcome }) => outcome);
  };

  it.each([
    ["read-only", {}, ["deny", "deny", "deny"]],
    ["workspace-write", {}, ["ask", "ask", "ask"]],
    ["full-access", {}, ["allow", "allow", "allow"]],
    ["read-only", { allow: ["count_words"] }, ["allow", "deny", "deny"]],
    ["read-only", { allow: ["reads(notes.txt)"] }, ["allow", "deny", "deny"]],
    ["workspace-write", { allow: ["writes(*.txt)"] }, ["allow", "allow", "ask"]],
    ["workspace-write", { allow: ["tickets"] }, ["ask", "ask", "allow"]],
    ["full-access", { deny: ["writes(*.txt)"] }, ["allow", "deny", "ask"]],
    ["full-access", { deny: ["reads(*.txt)"] }, ["deny", "deny", "ask"]],
    ["full-access", { ask: ["runs(rm *)"] }, ["allow", "allow", "ask"]],
    ["full-access", { deny: ["connects(example.com)"], allow: ["tickets"] }, ["allow", "allow", "ask"]],
    ["full-access", { deny: ["tickets"] }, ["allow", "allow", "deny"]],
    ["full-access", { deny: ["bash", "shout"] }, ["allow", "deny", "allow"]],
    ["read-only", { deny: ["runs(rm *)"] }, ["deny", "deny", "deny"]],
  ] as const)("in the mode %s with %j comes out %j", async (mode, rules, wanted) => {
    expect(await outcomes({ mode, rules })).toEqual(wanted);
  });

  it("asks with the narrowest rule that covers the call, and the model is told what was denied", async () => {
    const { session, asked } = await open({});
    const [, shouted] = await session.batch(calls.map(([name, args]) => ({ name, args })));
    expect(asked).toEqual([
      "count_words reads(notes.txt): the mode workspace-write asks for it | reads(notes.txt)",
      "shout writes(notes.txt): the mode workspace-write asks for it | writes(notes.txt)",
      "tickets: the mode workspace-write asks for it | tickets",
    ]);
    expect(shouted?.content).toContain("shout (writes(notes.txt)) is not permitted");
    const other = await open({ mode: "full-access", rules: { deny: ["writes(a/**)"] } });
    await other.session.call("tickets", { id: 1 });
    expect(other.asked[0]).toBe(
      "tickets: it does not declare what it touches, and the rule deny writes(a/**) may speak of it | tickets",
    );
  });

  it("an answer for from now on holds for a tool that declares nothing", async () => {
    let asks = 0;
    const session = await openSession({
      ...{ root: makeRoot(), ledger: "memory", tools: [tickets], rules: { ask: ["writes(a)"] } },
      approve: async ({ suggestedRule = "" }) => {
        asks += 1;
        return { allow: "always", rule: suggestedRule };
      },
    });
    onTestFinished(() => session.close());
    for (let call = 0; call < 3; call++)
      expect((await session.call("tickets", { id: 1 })).content).toBe("ticket 1: the door is stuck");
    expect(asks).toBe(1);
  });
});

describe("a session", () => {
  it("keeps what own tools gave, whole, and shows a window of it", async () => {
    const long = defineTool({
      ...{ name: "long", description: "Gives much.", input: z.object({}), access: () => ({}) },
      async run(_, { progress }) {
        progress("half way");
        return {
          content: `${"x".repeat(79)}\n`.repeat(1_000),
          details: { lines: 1_000n, self: Symbol("s") },
        };
      },
    });
    const told: string[] = [];
    const session = await openSession({
      ...{ root: makeRoot(), ledger: "memory", mode: "full-access", tools: [long, "recall"] },
    });
    onTestFinished(() => session.close());
    const onProgress = (text: string) => void told.push(text);
    const result = await session.call("long", {}, { id: "call_1", onProgress });
    expect(result.window?.totalChars).toBe(80_000);
    expect(result.content).toContain('recall {"id":"call_1"');
    expect(session.ledger.result(`${session.id}/call_1`)?.content).toHaveLength(80_000);
    expect((await session.call("recall", { id: "call_1", range: { start: 500, end: 500 } })).isError).toBe(
      false,
    );
    expect(told).toEqual(["half way"]);
  });

  it("makes a call that declares nothing alone, and calls on one file in their order", async () => {
    const running: string[] = [];
    const seen: string[] = [];
    const slow = (name: string, access?: () => object) =>
      defineTool({
        ...{ name, description: "Waits.", input: z.object({}), ...(access === undefined ? {} : { access }) },
        annotations: { readOnlyHint: access !== undefined },
        async run() {
          running.push(name);
          seen.push([...running].join("+"));
          await new Promise((resolve) => setTimeout(resolve, 20));
          running.splice(running.indexOf(name), 1);
          return { content: name, details: {} };
        },
      });
    const session = await openSession({
      ...{ root: makeRoot(), ledger: "memory", mode: "full-access" },
      tools: [slow("free", () => ({})), slow("any")],
    });
    onTestFinished(() => session.close());
    await session.batch(["free", "free", "any", "free"].map((name) => ({ name, args: {} })));
    expect(seen).toEqual(["free", "free+free", "any", "free"]);
  });

  it("gives own tools to every SDK, and answers their calls in the same words", async () => {
    const session = await openSession({
      ...{ root: makeRoot(), ledger: "memory", mode: "full-access", tools: ["read", countWords] },
    });
    onTestFinished(() => session.close());
    const names = [
      toAnthropicTools(session).map((tool) => ("name" in tool ? tool.name : "")),
      toChatTools(session).map((tool) => tool.function.name),
      Object.keys(toAiTools(session)),
      toLangChainTools(session).map((tool) => tool.name),
    ];
    for (const listed of names) expect(listed).toEqual(["read", "count_words"]);
    const args = { file_path: "notes.txt" };
    const [anthropic] = await answerToolUses(session, {
      content: [{ type: "tool_use", id: "a", name: "count_words", input: args }],
    });
    const [chat] = await answerChatCalls(session, {
      tool_calls: [
        { type: "function", id: "b", function: { name: "count_words", arguments: JSON.stringify(args) } },
      ],
    });
    expect([anthropic?.content, chat?.content]).toEqual(["notes.txt: 3 words", "notes.txt: 3 words"]);
  });

  it("explains a call with what its tool would change, and runs nothing", async () => {
    const root = makeRoot();
    const tool = defineTool({
      ...{ name: "trim", description: "Trims.", input: z.object({ path: z.string() }) },
      access: ({ path }) => ({ paths: [{ argument: "path", path, effect: "writes" }] }),
      preview: async (_, { files }) => {
        const bytes = await files.read("path");
        return isRefusal(bytes) ? bytes : `${bytes.length} bytes would go`;
      },
      run: async () => ({ content: "trimmed", details: {} }),
    });
    const session = await openSession({ root, ledger: "memory", tools: [tool] });
    onTestFinished(() => session.close());
    expect(await session.explain({ name: "trim", args: { path: "./notes.txt" } })).toMatchObject({
      outcome: "ask",
      effects: ["writes(notes.txt)"],
      suggestedRule: "writes(notes.txt)",
      diff: "14 bytes would go",
    });
    expect(session.ledger.calls(session.id)).toEqual([]);
  });

  it("runs own tools in the host under isolation, where their code is, and haft's in the worker", async () => {
    const root = makeRoot();
    const pid = defineTool({
      ...{ name: "pid", description: "Says where it runs.", input: z.object({}), access: () => ({}) },
      run: async () => ({ content: String(process.pid), details: {} }),
    });
    const session = await openSession({
      ...{ root, ledger: "memory", mode: "full-access", isolation: "worker" },
      tools: ["read", "write", pid, shout],
    });
    onTestFinished(() => session.close());
    const results = await session.batch([
      { name: "pid", args: {} },
      { name: "read", args: { path: "notes.txt" } },
      { name: "shout", args: { path: "notes.txt" } },
      { name: "write", args: { path: "notes.txt", content: "x\n" } },
    ]);
    expect(results.map(({ content }) => content.split("\n")[0])).toEqual([
      String(process.pid),
      "notes.txt: 2 lines",
      "notes.txt: shouted",
      expect.stringMatching(/notes\.txt/),
    ]);
    expect(results[3]).toMatchObject({ isError: true, refusal: { code: "file-changed" } });
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("ONE TWO\nTHREE\n");
  });
});
