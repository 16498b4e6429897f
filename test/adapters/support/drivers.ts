/**
 * Owns a host's loop in each SDK: the smallest that a newcomer would write, with the adapter in it.
 * Leaves the provider to its wire. Rule: the real SDK over HTTP, and nothing of haft's but the adapter.
 */
import Anthropic from "@anthropic-ai/sdk";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import OpenAI from "openai";
import { repairToolCall, toAiTools } from "../../../src/surfaces/adapters/ai-sdk.ts";
import { answerToolUses, toAnthropicTools } from "../../../src/surfaces/adapters/anthropic.ts";
import { answerLangChainCalls, toLangChainTools } from "../../../src/surfaces/adapters/langchain.ts";
import {
  answerChatCalls,
  answerResponseCalls,
  toChatTools,
  toResponsesTools,
} from "../../../src/surfaces/adapters/openai.ts";
import type { ToolHost } from "../../../src/surfaces/adapters/tool-host.ts";
import { AI_SDK } from "./ai-sdk.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { ScriptedChatModel } from "./langchain-model.ts";
import { chatWire, chatWireWithImages, chatWireWithParts } from "./openai-chat-wire.ts";
import { responsesWire } from "./openai-responses-wire.ts";
import type { Wire } from "./scripted-server.ts";

export interface Drive {
  readonly host: ToolHost;
  readonly url: string;
  readonly signal?: AbortSignal;
}

export interface Driver {
  readonly name: string;
  readonly wire: Wire;
  /** Whether the wire carries arguments as the text that the model wrote. */
  readonly carriesText: boolean;
  /** The model's last words. */
  run(drive: Drive): Promise<string>;
}

const apiKey = "none";
const model = "scripted-1";
const TURNS = 10;

const anthropic: Driver = {
  name: "Anthropic",
  wire: anthropicWire,
  carriesText: false,
  async run({ host, url, signal }) {
    const client = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
    for (let turn = 0; turn < TURNS; turn++) {
      const request = { model, max_tokens: 1_000, messages, tools: toAnthropicTools(host) };
      const message = await client.messages.create(request, { signal });
      const results = await answerToolUses(host, message, { ...(signal && { signal }) });
      if (results.length === 0)
        return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      messages.push({ role: "assistant", content: message.content }, { role: "user", content: results });
    }
    throw new Error("out of turns");
  },
};

const openaiChat: Driver = {
  name: "OpenAI chat",
  wire: chatWire,
  carriesText: true,
  async run({ host, url, signal }) {
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "Do it." }];
    for (let turn = 0; turn < TURNS; turn++) {
      const request = { model, messages, tools: toChatTools(host) };
      const { choices } = await client.chat.completions.create(request, { signal });
      const message = choices[0]?.message;
      if (message === undefined) break;
      const results = await answerChatCalls(host, message, { ...(signal && { signal }) });
      if (results.length === 0) return message.content ?? "";
      messages.push(message, ...results);
    }
    throw new Error("out of turns");
  },
};

const openaiResponses: Driver = {
  name: "OpenAI responses",
  wire: responsesWire,
  carriesText: true,
  async run({ host, url, signal }) {
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Do it." }];
    for (let turn = 0; turn < TURNS; turn++) {
      const request = { model, input, tools: toResponsesTools(host) };
      const response = await client.responses.create(request, { signal });
      const results = await answerResponseCalls(host, response, { ...(signal && { signal }) });
      if (results.length === 0) return response.output_text;
      input.push(...(response.output as OpenAI.Responses.ResponseInput), ...results);
    }
    throw new Error("out of turns");
  },
};

const aiSdk: Driver = {
  name: `AI SDK ${AI_SDK.version}`,
  wire: chatWireWithParts,
  carriesText: true,
  async run({ host, url, signal }) {
    const { ai, createOpenAICompatible, repair } = AI_SDK;
    const { text } = await ai.generateText({
      model: createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel(model),
      tools: toAiTools(host),
      prompt: "Do it.",
      stopWhen: ai.stepCountIs(TURNS),
      ...repair(repairToolCall),
      maxRetries: 0,
      ...(signal && { abortSignal: signal }),
    });
    return text;
  },
};

async function runLangChain(
  { host, url, signal }: Drive,
  answer: (message: Awaited<ReturnType<ScriptedChatModel["invoke"]>>) => Promise<BaseMessage[]>,
): Promise<string> {
  const bound = new ScriptedChatModel(url).bindTools(toLangChainTools(host));
  const messages: BaseMessage[] = [new HumanMessage("Do it.")];
  for (let turn = 0; turn < TURNS; turn++) {
    const message = await bound.invoke(messages, { ...(signal && { signal }) });
    const results = await answer(message);
    if (results.length === 0) return message.text;
    messages.push(message, ...results);
  }
  throw new Error("out of turns");
}

const langChain: Driver = {
  name: "LangChain, a loop of one's own",
  wire: chatWireWithImages,
  carriesText: true,
  run: ({ signal, ...drive }) =>
    runLangChain({ ...drive, ...(signal && { signal }) }, (message) =>
      answerLangChainCalls(drive.host, message, { ...(signal && { signal }) }),
    ),
};

/** As LangGraph's ToolNode does it: each tool is invoked with its call, all at once. */
const langChainTools: Driver = {
  name: "LangChain, its tools invoked",
  wire: chatWireWithImages,
  carriesText: false,
  run(drive) {
    const { host, signal } = drive;
    const tools = toLangChainTools(host);
    return runLangChain(drive, (message) =>
      Promise.all(
        (message.tool_calls ?? []).map((call) => {
          const tool = tools.find(({ name }) => name === call.name);
          if (tool === undefined) throw new Error(`no tool ${call.name}`);
          return tool.invoke({ ...call, type: "tool_call" }, { ...(signal && { signal }) });
        }),
      ),
    );
  },
};

/** A run for version 7 of the AI SDK is for that one alone: the others have had theirs. */
export const DRIVERS: readonly Driver[] =
  AI_SDK.version === 7 ? [aiSdk] : [anthropic, openaiChat, openaiResponses, aiSdk, langChain, langChainTools];
