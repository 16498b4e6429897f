/**
 * Owns the words of Anthropic's Messages API for what haft has: definitions as `tools`, `tool_use` blocks as calls,
 * outputs as `tool_result` blocks. Leaves the request and the conversation to the host.
 * Rule: the text is the output's own, and each `tool_use` block gets its result. The SDK is needed for types alone.
 */
import type Anthropic from "@anthropic-ai/sdk";
import type { Image, ToolOutput } from "../../contract/output.ts";
import { checkChoices, checkEntries, checkHost, checkMessage } from "./check-given.ts";
import { type AnswerOptions, type ModelCall, makeCalls, type ToolHost } from "./tool-host.ts";

/** How the definitions are given. */
export interface AnthropicToolsOptions {
  /**
   * Lets the model search for tools instead of reading all definitions: `read`, `glob`, `grep`, `recall` and
   * `commitments` are always loaded, the others are found by this search of Anthropic's. Default: all are loaded.
   */
  readonly defer?: "regex" | "bm25";
}

/** A message as `messages.create`, a stream's `finalMessage` and their beta forms give it. */
export interface AnthropicMessage {
  /** Its blocks; what is no `tool_use` is left alone. */
  readonly content: readonly (ToolUse | { readonly type: string })[];
  /** Tells whether the last call was cut off. */
  readonly stop_reason?: string | null;
}

/** A call, as the model made it. */
type ToolUse = Pick<Anthropic.ToolUseBlock, "type" | "id" | "name" | "input" | "toolset_name">;

/** What goes into `tools` of a request. Throws a `TypeError` where it is given no toolset or session. */
export function toAnthropicTools(
  host: Pick<ToolHost, "definitions">,
  options: AnthropicToolsOptions = {},
): (Anthropic.Tool | Anthropic.ToolSearchToolBm25_20251119 | Anthropic.ToolSearchToolRegex20251119)[] {
  const by = "toAnthropicTools";
  checkHost({ by, value: host, needs: ["definitions"] });
  checkChoices({ by, value: options, choices: { defer: ["regex", "bm25"] } });
  const { defer } = options;
  const tools = host.definitions().map(({ name, description, inputSchema, alwaysLoaded }): Anthropic.Tool => {
    // The definitions are made anew each time, so that the API's mutable type is kept honestly.
    const tool = { name, description, input_schema: inputSchema as unknown as Anthropic.Tool.InputSchema };
    return defer === undefined || alwaysLoaded ? tool : { ...tool, defer_loading: true };
  });
  // A search with nothing to find is refused by the API.
  if (!tools.some((tool) => tool.defer_loading)) return tools;
  return defer === "bm25"
    ? [{ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" }, ...tools]
    : [{ type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" }, ...tools];
}

/**
 * Makes the calls of a message as one batch. The results are the content of the next user message; there are none
 * where the message makes no call. Rejects with a `TypeError` where it is given no toolset or no message, before anything
 * runs; never for what a model wrote.
 */
export async function answerToolUses(
  host: ToolHost,
  message: AnthropicMessage,
  options?: AnswerOptions,
): Promise<Anthropic.ToolResultBlockParam[]> {
  const by = "answerToolUses";
  checkHost({ by, value: host });
  const mistaken = { choices: "what Anthropic's API gives, and not OpenAI's," };
  checkMessage({ by, value: message, takes: "a message as messages.create gives it", mistaken });
  checkEntries({ by, value: message.content, at: "content" });
  checkChoices({ by, value: options });
  const answered = await makeCalls(host, readCalls(message), options);
  return answered.map(({ call, output }) => toToolResult(call.id, output));
}

function readCalls({ content, stop_reason }: AnthropicMessage): ModelCall[] {
  const wasCut = stop_reason === "max_tokens" || stop_reason === "model_context_window_exceeded";
  return content.flatMap((block, index) => {
    if (!isToolUse(block)) return [];
    const { id, name, input } = block;
    return [{ id, name, args: wasCut && index === content.length - 1 ? cutShort(input) : input }];
  });
}

/** Calls of a toolset of Anthropic's own, a browser's for example, are the host's. */
function isToolUse(block: AnthropicMessage["content"][number]): block is ToolUse {
  return block.type === "tool_use" && !("toolset_name" in block && block.toolset_name);
}

/**
 * The arguments that the model was still writing when its tokens ended. The SDK closes what is open in them, so that
 * some of the edits would look like all of them: as a text without its end, the gate says what it is.
 */
function cutShort(input: unknown): string {
  return (JSON.stringify(input) ?? "{}").slice(0, -1);
}

function toToolResult(id: string, { content, images, isError }: ToolOutput): Anthropic.ToolResultBlockParam {
  // An error may hold nothing but text: the API refuses images in it.
  if (isError) return { type: "tool_result", tool_use_id: id, content, is_error: true };
  if (images.length === 0) return { type: "tool_result", tool_use_id: id, content };
  return {
    type: "tool_result",
    tool_use_id: id,
    content: [{ type: "text", text: content }, ...images.map(toImageBlock)],
  };
}

function toImageBlock({ mediaType, base64 }: Image): Anthropic.ImageBlockParam {
  return { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } };
}
