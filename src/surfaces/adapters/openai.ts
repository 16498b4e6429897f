/**
 * Owns the words of OpenAI's two APIs for what haft has: definitions as functions, function calls as calls, outputs
 * as messages (chat) and as items (responses). Leaves the request and the conversation to the host.
 * Rule: the text is the output's own, and each call gets its answer. The SDK is needed for types alone.
 */
import type OpenAI from "openai";
import type { Image } from "../../contract/output.ts";
import { checkChoices, checkEntries, checkHost, checkMessage } from "./check-given.ts";
import { type Answered, type AnswerOptions, type ModelCall, makeCalls, type ToolHost } from "./tool-host.ts";

/** A message of a chat, as the SDK has it. */
type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam;
/** An item of the next input, as the SDK has it. */
type OutputItem = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;

/** What goes into `tools` of a chat completion. Throws a `TypeError` where it is given no toolset or session. */
export function toChatTools(host: Pick<ToolHost, "definitions">): OpenAI.Chat.ChatCompletionFunctionTool[] {
  checkHost({ by: "toChatTools", value: host, needs: ["definitions"] });
  return host.definitions().map(({ name, description, inputSchema }) => {
    return { type: "function", function: { name, description, parameters: { ...inputSchema } } };
  });
}

/**
 * Makes the calls of a chat completion's message as one batch. Append what comes back behind that message: a `tool`
 * message a call, and where a call gave images one `user` message with them, for a `tool` message holds text alone.
 * Rejects with a `TypeError` where it is given no toolset or no message, before anything runs; never for what a model wrote.
 */
export async function answerChatCalls(
  host: ToolHost,
  message: Pick<OpenAI.Chat.ChatCompletionMessage, "tool_calls">,
  options?: AnswerOptions,
): Promise<ChatMessage[]> {
  const by = "answerChatCalls";
  checkHost({ by, value: host });
  checkMessage({ by, value: message, takes: "a message of a chat completion", mistaken: NOT_A_MESSAGE });
  const asked = message.tool_calls ?? [];
  checkEntries({ by, value: asked, at: "tool_calls" });
  const functions = asked.flatMap((call) => (call.type === "function" ? [call.function] : []));
  checkEntries({ by, value: functions, at: "the functions of tool_calls" });
  checkChoices({ by, value: options });
  const calls = asked.flatMap((call): ModelCall[] =>
    // A custom tool is never one of ours.
    call.type === "function"
      ? [{ id: call.id, name: call.function.name, args: call.function.arguments }]
      : [],
  );
  const answered = await makeCalls(host, calls, options);
  const told = answered.map(({ call, output }): ChatMessage => {
    return { role: "tool", tool_call_id: call.id, content: output.content };
  });
  const shown = answered.flatMap(showImages);
  return shown.length === 0 ? told : [...told, { role: "user", content: shown }];
}

const NOT_A_MESSAGE = {
  choices: "choices[0].message",
  output: "a message of a chat completion, or answerResponseCalls instead",
};

function showImages({
  call,
  output: { images },
}: Answered<ModelCall>): OpenAI.Chat.ChatCompletionContentPart[] {
  if (images.length === 0) return [];
  return [
    { type: "text", text: `${images.length === 1 ? "The image" : "The images"} of call ${call.id}:` },
    ...images.map((image) => ({ type: "image_url", image_url: { url: toDataUrl(image) } }) as const),
  ];
}

/** How the definitions are given. */
export interface ResponsesToolsOptions {
  /**
   * Lets the model search for tools instead of reading all definitions: `read`, `glob`, `grep`, `recall` and
   * `commitments` are always loaded, the others are found. For models that have OpenAI's tool search. Default false.
   */
  readonly defer?: boolean;
}

/** What goes into `tools` of a response. Throws a `TypeError` where it is given no toolset or session. */
export function toResponsesTools(
  host: Pick<ToolHost, "definitions">,
  options: ResponsesToolsOptions = {},
): (OpenAI.Responses.FunctionTool | OpenAI.Responses.ToolSearchTool)[] {
  const by = "toResponsesTools";
  checkHost({ by, value: host, needs: ["definitions"] });
  checkChoices({ by, value: options, choices: { defer: [true, false] } });
  const { defer = false } = options;
  const tools = host.definitions().map(({ name, description, inputSchema, alwaysLoaded }) => {
    const tool: OpenAI.Responses.FunctionTool = {
      type: "function",
      name,
      description,
      parameters: { ...inputSchema },
      // Strict is the default here, and takes no argument that may be left out.
      strict: false,
    };
    return defer && !alwaysLoaded ? { ...tool, defer_loading: true } : tool;
  });
  return tools.some((tool) => tool.defer_loading) ? [{ type: "tool_search" }, ...tools] : tools;
}

/**
 * Makes the function calls of a response's output as one batch. What comes back goes into the next `input`, behind
 * that output. Rejects with a `TypeError` where it is given no toolset or no response, before anything runs; never for
 * what a model wrote.
 */
export async function answerResponseCalls(
  host: ToolHost,
  response: Pick<OpenAI.Responses.Response, "output">,
  options?: AnswerOptions,
): Promise<OutputItem[]> {
  const by = "answerResponseCalls";
  checkHost({ by, value: host });
  const mistaken = { choices: "answerChatCalls for the message" };
  checkMessage({ by, value: response, takes: "a response as responses.create gives it", mistaken });
  checkEntries({ by, value: response.output, at: "output" });
  checkChoices({ by, value: options });
  const calls = response.output.flatMap((item): ModelCall[] =>
    item.type === "function_call" ? [{ id: item.call_id, name: item.name, args: item.arguments }] : [],
  );
  const answered = await makeCalls(host, calls, options);
  return answered.map(({ call, output: { content, images } }) => {
    if (images.length === 0) return { type: "function_call_output", call_id: call.id, output: content };
    const shown = images.map(
      (image) => ({ type: "input_image", image_url: toDataUrl(image), detail: "auto" }) as const,
    );
    return {
      type: "function_call_output",
      call_id: call.id,
      output: [{ type: "input_text", text: content }, ...shown],
    };
  });
}

function toDataUrl({ mediaType, base64 }: Image): string {
  return `data:${mediaType};base64,${base64}`;
}
