/**
 * Owns what a host is told that hands an adapter something else than it takes. Leaves what a model gets wrong to the
 * conversations. Rule: a `TypeError` in words, before anything runs; never one of JavaScript's own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mount, openSession } from "../../src/index.ts";
import { openApprovals, toAiTools } from "../../src/surfaces/adapters/ai-sdk.ts";
import { answerToolUses, toAnthropicTools } from "../../src/surfaces/adapters/anthropic.ts";
import { answerLangChainCalls, toLangChainTools } from "../../src/surfaces/adapters/langchain.ts";
import {
  answerChatCalls,
  answerResponseCalls,
  toChatTools,
  toResponsesTools,
} from "../../src/surfaces/adapters/openai.ts";

const root = mkdtempSync(join(tmpdir(), "haft-wrong-"));
afterAll(() => rmSync(root, { recursive: true }));
const host = mount({ root });

type Loose = (...given: unknown[]) => unknown;
const GIVING: Readonly<Record<string, Loose>> = {
  toAnthropicTools: toAnthropicTools as Loose,
  toChatTools: toChatTools as Loose,
  toResponsesTools: toResponsesTools as Loose,
  toAiTools: toAiTools as Loose,
  toLangChainTools: toLangChainTools as Loose,
};
const ANSWERING: Readonly<Record<string, Loose>> = {
  answerToolUses: answerToolUses as Loose,
  answerChatCalls: answerChatCalls as Loose,
  answerResponseCalls: answerResponseCalls as Loose,
  answerLangChainCalls: answerLangChainCalls as Loose,
};

/** What is said of a call that must go wrong. */
async function failureOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
  return "nothing went wrong";
}

/** How JavaScript itself speaks. */
const RAW = /Cannot (?:read|destructure)|is not a function|is not iterable|undefined \(reading/;

describe.each(Object.entries({ ...GIVING, ...ANSWERING }))("%s", (name, act) => {
  it.each([
    ["nothing", undefined, "not undefined"],
    ["null", null, "not null"],
    ["an object of another kind", {}, "not an object"],
    ["the definitions alone", host.definitions(), "the definitions alone make no calls"],
    ["a session that was not awaited", openSession({ root, ledger: "memory" }), "await it"],
  ])("is told of %s in place of a toolset", async (_what, given, words) => {
    const told = await failureOf(() => act(given, { content: [], tool_calls: [], output: [] }));
    expect(told).toContain(`${name} takes a toolset or a session, as mount and openSession give them`);
    expect(told).toContain(words);
  });

  it("is told of options that are none", async () => {
    if (name === "toChatTools") return;
    const message = { content: [], tool_calls: [] };
    const options = name.startsWith("to") ? [host, null] : [host, { ...message, output: [] }, null];
    const mine = name === "answerResponseCalls" ? [host, { output: [] }, null] : options;
    const chat = name === "answerChatCalls" || name === "answerLangChainCalls" ? [host, message, null] : mine;
    expect(await failureOf(() => act(...chat))).toBe(`${name}: the options are an object, not null`);
  });
});

describe.each(Object.entries(ANSWERING))("%s", (name, answer) => {
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["a text", "text"],
    ["an array", []],
    ["a promise", Promise.resolve({ content: [] })],
  ])("is told of %s in place of a message", async (_what, message) => {
    const told = await failureOf(() => answer(host, message));
    expect(told).toMatch(new RegExp(`^${name} takes a (?:message|response)`));
    expect(told).not.toMatch(RAW);
  });

  it("makes no call where the names to leave are no list", async () => {
    const message = {
      answerToolUses: { content: [{ type: "tool_use", id: "1", name: "list", input: {} }] },
      answerChatCalls: {
        tool_calls: [{ type: "function", id: "1", function: { name: "list", arguments: "" } }],
      },
      answerResponseCalls: { output: [{ type: "function_call", call_id: "1", name: "list", arguments: "" }] },
      answerLangChainCalls: { tool_calls: [{ id: "1", name: "list", args: {} }] },
    }[name];
    expect(await failureOf(() => answer(host, message, { leave: "list" }))).toContain(
      "the option leave is an array of names of tools",
    );
    expect(await failureOf(() => answer(host, message, { leave: [] }))).toBe("nothing went wrong");
  });
});

describe("what was handed over is named, and what was meant", () => {
  it.each([
    [
      () => (answerToolUses as Loose)(host, { content: "text" }),
      'answerToolUses: content must be an array, not "text"',
    ],
    [
      () => (answerToolUses as Loose)(host, { content: [null] }),
      "answerToolUses: content[0] must be an object, not null",
    ],
    [() => (answerToolUses as Loose)(host, { choices: [] }), "not OpenAI's"],
    [() => (answerChatCalls as Loose)(host, { choices: [] }), "take choices[0].message of it"],
    [() => (answerChatCalls as Loose)(host, { output: [] }), "answerResponseCalls instead"],
    [
      () => (answerChatCalls as Loose)(host, { tool_calls: "x" }),
      'answerChatCalls: tool_calls must be an array, not "x"',
    ],
    [() => (answerChatCalls as Loose)(host, { tool_calls: [5] }), "tool_calls[0] must be an object, not 5"],
    [
      () => (answerChatCalls as Loose)(host, { tool_calls: [{ type: "function" }] }),
      "the functions of tool_calls[0] must be an object, not undefined",
    ],
    [() => (answerResponseCalls as Loose)(host, { output: null }), "output must be an array, not null"],
    [
      () => (answerResponseCalls as Loose)(host, { choices: [] }),
      "take answerChatCalls for the message of it",
    ],
    [() => (answerLangChainCalls as Loose)(host, { messages: [] }), "take the last of messages of it"],
    [
      () => (answerLangChainCalls as Loose)(host, { tool_calls: {} }),
      "tool_calls must be an array, not an object",
    ],
    [
      () => (toAnthropicTools as Loose)(host, { defer: true }),
      'the option defer is "regex" or "bm25", not true',
    ],
    [() => (toResponsesTools as Loose)(host, { defer: "regex" }), "the option defer is true or false"],
    [() => (toAiTools as Loose)(host, { images: "no" }), "the option images is true or false"],
    [() => (toAiTools as Loose)(host, { approvals: openApprovals() }), "a toolset asks nobody"],
  ])("%#", async (act, words) => {
    const told = await failureOf(act);
    expect(told).toContain(words);
    expect(told).not.toMatch(RAW);
  });

  it("a message without calls has no answers", async () => {
    expect(await answerChatCalls(host, {})).toEqual([]);
    expect(
      await (answerChatCalls as Loose)(host, { role: "assistant", content: "Hi", tool_calls: null }),
    ).toEqual([]);
    expect(await answerToolUses(host, { content: [] })).toEqual([]);
    expect(await answerResponseCalls(host, { output: [] })).toEqual([]);
  });
});
