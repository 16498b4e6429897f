/**
 * Owns the AI SDK's approvals as the way a session asks: what is asked, what an answer lets through, and what it does
 * not. Leaves conversations to conversations.test.ts. Rule: a model that the SDK itself drives; nothing of the SDK's
 * is stood in for.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage, ToolSet } from "ai";
import type { MockLanguageModelV3 } from "ai/test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount, openSession } from "../../src/index.ts";
import { openApprovals, toAiTools } from "../../src/surfaces/adapters/ai-sdk.ts";
import { AI_SDK } from "./support/ai-sdk.ts";

const { generateText, stepCountIs } = AI_SDK.ai;

let root = "";
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-approvals-")));
  writeFileSync(join(root, "keep.txt"), "keep\n");
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(root, { recursive: true, force: true });
});

type SessionOptions = Omit<Parameters<typeof openSession>[0], "root">;

async function open(options: SessionOptions = {}) {
  const approvals = openApprovals();
  const session = await openSession({ root, ledger: "memory", approve: approvals.approve, ...options });
  closing.push(() => session.close());
  return { approvals, session, tools: toAiTools(session, { approvals }) };
}

type Answer = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Request = Parameters<MockLanguageModelV3["doGenerate"]>[0];

interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly args: object;
}

/** A model that makes these calls first, and says "Done." to their results. */
function modelThatCalls(calls: readonly ModelCall[]) {
  const requests: Request[] = [];
  const tokens = { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const rest = {
    usage: { inputTokens: tokens, outputTokens: { total: 1, text: undefined, reasoning: undefined } },
    warnings: [],
  } satisfies Partial<Answer>;
  const model = new AI_SDK.MockLanguageModel({
    doGenerate: async (request): Promise<Answer> => {
      requests.push(request);
      if (request.prompt.some(({ role }) => role === "tool"))
        return {
          ...rest,
          content: [{ type: "text", text: "Done." }],
          finishReason: { unified: "stop", raw: "stop" },
        };
      return {
        ...rest,
        content: calls.map(({ id, name, args }) => {
          return { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(args) };
        }),
        finishReason: { unified: "tool-calls", raw: "tool_calls" },
      };
    },
  });
  return { model, requests };
}

const stopWhen = stepCountIs(3);
const rm = { id: "c1", name: "bash", args: { command: "rm keep.txt" } };

/** One request that stops at the first ask, and the conversation so far. */
async function ask(tools: ToolSet, ...calls: readonly ModelCall[]) {
  const { model, requests } = modelThatCalls(calls);
  const messages: ModelMessage[] = [{ role: "user", content: "Do it." }];
  const { content, response } = await generateText({ model, tools, messages, stopWhen });
  messages.push(...response.messages);
  const asked = content.flatMap((part) => (part.type === "tool-approval-request" ? [part] : []));
  return { model, requests, messages, content, asked };
}

/** The person's answer, as a host sends it on. */
function answer(approvalId: string, approved: boolean): ModelMessage {
  return { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] };
}

/** The outputs of calls in the last request. */
function toldIn(requests: readonly Request[]) {
  return (requests.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );
}

describe("approvals of the AI SDK", () => {
  it("are asked for where the session would ask, and for nothing else", async () => {
    const { tools } = await open();
    const { content, asked } = await ask(tools, rm, {
      id: "c2",
      name: "read",
      args: { path: "keep.txt" },
    });
    expect(asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual(["c1"]);
    const results = content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []));
    expect(results).toMatchObject([{ content: "keep.txt: 1 line\n1\tkeep", isError: false }]);
    expect(existsSync(join(root, "keep.txt"))).toBe(true);
  });

  it("let an approved call through, and the session knows that a person did", async () => {
    const decided: unknown[] = [];
    const { tools } = await open({
      onEvent: (event) => void (event.type === "call-ended" && decided.push(event.result.decision)),
    });
    const { model, requests, messages, asked } = await ask(tools, rm);
    messages.push(answer(asked[0]?.approvalId ?? "", true));
    const { text } = await generateText({ model, tools, messages, stopWhen });
    expect(text).toBe("Done.");
    expect(existsSync(join(root, "keep.txt"))).toBe(false);
    expect(toldIn(requests)).toEqual([{ type: "text", value: "exit code 0\n(no output)" }]);
    expect(decided).toMatchObject([{ outcome: "allowed", by: "approver" }]);
  });

  it("do not run a denied call, and tell the model so", async () => {
    const { tools } = await open();
    const { model, requests, messages, asked } = await ask(tools, rm);
    messages.push(answer(asked[0]?.approvalId ?? "", false));
    await generateText({ model, tools, messages, stopWhen });
    expect(existsSync(join(root, "keep.txt"))).toBe(true);
    expect(toldIn(requests)).toMatchObject([{ type: "execution-denied" }]);
  });

  it("hold for one call, once, also where the same is run again under its id", async () => {
    const { tools, approvals, session } = await open();
    const call = { id: "c1", name: "bash", args: rm.args };
    expect(await approvals.needsApproval(session, call)).toBe(true);
    const run = () => approvals.run("c1", () => session.call("bash", rm.args, { id: "c1" }));
    expect(await run()).toMatchObject({ isError: false });
    writeFileSync(join(root, "keep.txt"), "keep\n");
    expect(await run()).toMatchObject({ isError: true, refusal: { code: "permission-denied" } });
    expect(existsSync(join(root, "keep.txt"))).toBe(true);
    expect(Object.keys(tools)).toEqual(session.names());
  });

  it("do not cover another call that runs meanwhile, nor one that a host's wrapper made of it", async () => {
    const { approvals, session } = await open({
      use: [
        (next) => (call, options) =>
          next(call.name === "bash" ? { ...call, args: { command: "rm -r ." } } : call, options),
      ],
    });
    await approvals.needsApproval(session, { id: "c1", name: "bash", args: rm.args });
    const [changed, other] = await Promise.all([
      approvals.run("c1", () => session.call("bash", rm.args)),
      session.call("bash", { command: "rm keep.txt" }),
    ]);
    expect(changed).toMatchObject({ isError: true, refusal: { code: "permission-denied" } });
    expect(changed.content).toContain("not the call that was approved");
    expect(other).toMatchObject({ isError: true, refusal: { code: "permission-denied" } });
    expect(existsSync(join(root, "keep.txt"))).toBe(true);
  });

  it("are not asked for what a rule denies: the model reads the refusal, with what is allowed", async () => {
    const { tools } = await open({ rules: { deny: ["writes(keep.txt)"] } });
    const write = { id: "c1", name: "write", args: { path: "keep.txt", content: "x", overwrite: true } };
    const { asked, requests } = await ask(tools, write);
    expect(asked).toEqual([]);
    expect(toldIn(requests)).toMatchObject([
      { type: "error-text", value: expect.stringContaining("writes(keep.txt)") },
    ]);
  });

  it("need a session: a toolset asks nobody", () => {
    const toolset = mount({ root });
    closing.push(() => toolset.close());
    expect(() => toAiTools(toolset, { approvals: openApprovals() })).toThrow("approvals need a session");
  });
});

describe("the model output of the AI SDK", () => {
  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

  it("shows an image as an image, unless the host says that its provider cannot", async () => {
    writeFileSync(join(root, "shot.png"), Buffer.from(PNG, "base64"));
    const { session, tools } = await open();
    const read = { id: "c1", name: "read", args: { path: "shot.png" } };
    const [shown] = toldIn((await ask(tools, read)).requests);
    const text = expect.stringMatching(/^shot\.png: PNG/);
    expect(shown).toMatchObject({
      type: "content",
      value: [{ type: "text", text }, AI_SDK.image({ base64: PNG, mediaType: "image/png" })],
    });
    const [told] = toldIn((await ask(toAiTools(session, { images: false }), read)).requests);
    expect(told).toMatchObject({ type: "text", value: text });
  });
});
