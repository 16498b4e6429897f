/**
 * Owns a chat model of LangChain's that speaks to a server compatible with OpenAI's chat completions, as those of
 * LangChain's provider packages do. Leaves tools and messages to LangChain. Rule: no more than the tests need.
 */
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

interface Options extends BaseChatModelCallOptions {
  readonly tools?: unknown[];
}

interface Answer {
  readonly error?: { readonly message: string };
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
  }[];
}

export class ScriptedChatModel extends BaseChatModel<Options> {
  readonly url: string;

  constructor(url: string) {
    super({ maxRetries: 0 });
    this.url = url;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: BindToolsInput[]): Runnable<BaseLanguageModelInput, AIMessageChunk, Options> {
    return this.withConfig({ tools: tools.map((tool) => convertToOpenAITool(tool as never)) });
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const response = await fetch(`${this.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages: messages.map(toWire), tools: options.tools }),
      ...(options.signal && { signal: options.signal }),
    });
    const answer = (await response.json()) as Answer;
    if (answer.error !== undefined) throw new Error(answer.error.message);
    const { content, tool_calls = [] } = answer.choices[0]?.message ?? { content: "" };
    const message = new AIMessage({ content: content ?? "", ...readCalls(tool_calls) });
    return { generations: [{ text: content ?? "", message }] };
  }
}

type WireCalls = NonNullable<Answer["choices"][number]["message"]["tool_calls"]>;

/** As the provider packages do: what is no JSON is an invalid call. */
function readCalls(calls: WireCalls): Pick<AIMessage, "tool_calls" | "invalid_tool_calls"> {
  const read = calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args }));
  const isJson = ({ args }: { args: string }) => {
    try {
      return typeof JSON.parse(args) === "object";
    } catch {
      return false;
    }
  };
  return {
    tool_calls: read
      .filter(isJson)
      .map((call) => ({ ...call, args: JSON.parse(call.args), type: "tool_call" as const })),
    invalid_tool_calls: read
      .filter((call) => !isJson(call))
      .map((call) => ({ ...call, type: "invalid_tool_call" as const })),
  };
}

function toWire(message: BaseMessage): unknown {
  if (message instanceof ToolMessage)
    return { role: "tool", tool_call_id: message.tool_call_id, content: message.content };
  if (!(message instanceof AIMessage)) return { role: "user", content: message.content };
  const calls = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])].map(
    ({ id, name, args }) => {
      const text = typeof args === "string" ? args : JSON.stringify(args);
      return { id, type: "function", function: { name, arguments: text } };
    },
  );
  return { role: "assistant", content: message.content, ...(calls.length > 0 && { tool_calls: calls }) };
}
