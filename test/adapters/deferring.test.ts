/**
 * Owns which definitions an adapter defers, and calls that the provider cut off. Leaves conversations to
 * conversations.test.ts. Rule: the orientation floor is always loaded, and nothing half written is made.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount, openSession } from "../../src/index.ts";
import { answerToolUses, toAnthropicTools } from "../../src/surfaces/adapters/anthropic.ts";
import { answerLangChainCalls, toLangChainTools } from "../../src/surfaces/adapters/langchain.ts";
import {
  answerChatCalls,
  answerResponseCalls,
  toChatTools,
  toResponsesTools,
} from "../../src/surfaces/adapters/openai.ts";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-deferring-")));
  writeFileSync(join(root, "a.txt"), "alpha\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const openIt = () => openSession({ root, ledger: "memory" });

describe("deferring", () => {
  const floor = ["read", "glob", "grep", "recall", "commitments"];

  it("leaves the orientation floor loaded, for Anthropic and for OpenAI's responses", async () => {
    await using session = await openIt();
    const expected = session.names().filter((name) => !floor.includes(name));
    expect(expected).toContain("bash");
    const [search, ...tools] = toAnthropicTools(session, { defer: "regex" });
    expect(search).toEqual({ type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" });
    expect(tools.filter((tool) => tool.defer_loading).map(({ name }) => name)).toEqual(expected);
    expect(toAnthropicTools(session, { defer: "bm25" })[0]).toMatchObject({ name: "tool_search_tool_bm25" });
    const [found, ...functions] = toResponsesTools(session, { defer: true });
    expect(found).toEqual({ type: "tool_search" });
    const deferred = functions.flatMap((tool) =>
      tool.type === "function" && tool.defer_loading ? [tool.name] : [],
    );
    expect(deferred).toEqual(expected);
  });

  it("is off unless asked for, and adds no search where nothing is to be found", () => {
    const tools = mount({ root, tools: ["read", "grep"] });
    expect(toAnthropicTools(tools, { defer: "regex" })).toHaveLength(2);
    expect(toResponsesTools(tools, { defer: true })).toHaveLength(2);
    expect(
      JSON.stringify([toAnthropicTools(mount({ root })), toResponsesTools(mount({ root }))]),
    ).not.toMatch(/defer|search_tool|tool_search/);
  });
});

describe("the schemas", () => {
  it("are the definitions' own in every adapter", () => {
    const tools = mount({ root, prefix: "file_" });
    const expected = tools.definitions().map(({ name, description, inputSchema }) => {
      return [name, description, inputSchema];
    });
    const anthropic = toAnthropicTools(tools).map((tool) => {
      return "input_schema" in tool ? [tool.name, tool.description, tool.input_schema] : [];
    });
    const chat = toChatTools(tools).map(({ function: of }) => [of.name, of.description, of.parameters]);
    const responses = toResponsesTools(tools).map((tool) => {
      return tool.type === "function" ? [tool.name, tool.description, tool.parameters] : [];
    });
    const langChain = toLangChainTools(tools).map((tool) => [tool.name, tool.description, tool.schema]);
    for (const shown of [anthropic, chat, responses, langChain]) expect(shown).toEqual(expected);
  });
});

describe("calls that were cut off", () => {
  const half = '{"path":"half.txt","content":"the first ha';
  /** What the SDKs make of it when they close what is open. */
  const closed = { path: "half.txt", content: "the first ha" };

  it("are refused as truncated, and nothing is written", async () => {
    await using session = await openIt();
    const tool_call_chunks = [
      { id: "c1", name: "write", args: half, index: 0, type: "tool_call_chunk" as const },
    ];
    const texts = [
      await answerToolUses(session, {
        stop_reason: "max_tokens",
        content: [
          { type: "tool_use", id: "c0", name: "read", input: { path: "a.txt" } },
          { type: "tool_use", id: "c1", name: "write", input: closed },
        ],
      }).then((results) => {
        expect(results[0]).toEqual({
          type: "tool_result",
          tool_use_id: "c0",
          content: "a.txt: 1 line\n1\talpha",
        });
        return results[1]?.content;
      }),
      await answerChatCalls(session, {
        tool_calls: [{ type: "function", id: "c1", function: { name: "write", arguments: half } }],
      }).then((messages) => messages[0]?.content),
      await answerResponseCalls(session, {
        output: [{ type: "function_call", call_id: "c1", name: "write", arguments: half }],
      }).then((items) => items[0]?.output),
      await answerLangChainCalls(session, new AIMessageChunk({ content: "", tool_call_chunks })).then(
        (messages) => messages[0]?.content,
      ),
    ];
    for (const text of texts) expect(text).toMatch(/ends too early|truncated|cut/i);
    expect(existsSync(join(root, "half.txt"))).toBe(false);
  });
});

describe("calls of tools that are not ours", () => {
  it("are answered with the nearest name, or left to the host that names them as its own", async () => {
    await using session = await openIt();
    const use = (id: string, name: string) => {
      return { type: "tool_use", id, name, input: { path: "a.txt" } } as const;
    };
    const message = { stop_reason: "tool_use" as const, content: [use("c1", "reed"), use("c2", "weather")] };
    const results = await answerToolUses(session, message, { leave: ["weather"] });
    expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(["c1"]);
    expect(results[0]).toMatchObject({ is_error: true, content: expect.stringContaining("read") });
    expect(await answerToolUses(session, message)).toHaveLength(2);
  });

  it("of a toolset of Anthropic's own are the host's, also where they have one of our names", async () => {
    await using session = await openIt();
    const content = [
      { type: "tool_use", id: "c1", name: "read", input: {}, toolset_name: "browser" } as const,
    ];
    expect(await answerToolUses(session, { content })).toEqual([]);
  });

  it("of OpenAI's custom kind are the host's", async () => {
    await using session = await openIt();
    const custom = { type: "custom" as const, id: "c1", custom: { name: "read", input: "a.txt" } };
    expect(await answerChatCalls(session, { tool_calls: [custom] })).toEqual([]);
  });
});

describe("LangChain", () => {
  it("gives the host the details in the artifact, and the model the text alone", async () => {
    await using session = await openIt();
    const tool_calls = [
      { id: "c1", name: "read", args: { path: "a.txt" } },
      { id: "c2", name: "read", args: {} },
    ];
    const [read, refused] = await answerLangChainCalls(session, new AIMessage({ content: "", tool_calls }));
    expect(read).toMatchObject({ status: "success", content: "a.txt: 1 line\n1\talpha" });
    expect(read?.artifact).toMatchObject({ details: expect.anything() });
    expect(refused).toMatchObject({ status: "error", artifact: { code: "input-invalid" } });
  });

  it("shows no image where the host says that its model takes text alone", async () => {
    writeFileSync(join(root, "shot.png"), Buffer.from(PNG, "base64"));
    await using session = await openIt();
    const message = new AIMessage({
      content: "",
      tool_calls: [{ id: "c1", name: "read", args: { path: "shot.png" } }],
    });
    const [shown] = await answerLangChainCalls(session, message);
    expect(shown?.content).toHaveLength(2);
    const [told] = await answerLangChainCalls(session, message, { images: false });
    expect(told?.content).toMatch(/^shot\.png: PNG/);
  });

  it("gives plain content where a tool is invoked without a call", async () => {
    await using session = await openIt();
    const read = toLangChainTools(session).find(({ name }) => name === "read");
    expect(await read?.invoke({ path: "a.txt" })).toBe("a.txt: 1 line\n1\talpha");
  });
});
