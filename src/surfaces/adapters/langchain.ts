/**
 * Owns the words of LangChain for what haft has: definitions as structured tools, tool calls as calls, outputs as
 * tool messages. Leaves agents, graphs and models to the host.
 * Rule: the text is the output's own, and arguments reach the gate as the model wrote them.
 */
import { type AIMessage, AIMessageChunk, ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, type ToolRunnableConfig } from "@langchain/core/tools";
import type { ToolOutput } from "../../contract/output.ts";
import type { RefusalCode } from "../../contract/refusal.ts";
import { checkChoices, checkEntries, checkHost, checkMessage } from "./check-given.ts";
import { type AnswerOptions, keepOrder, type ModelCall, makeCalls, type ToolHost } from "./tool-host.ts";

/** What stands in `artifact` of a tool message: for the host, never for the model. */
export interface LangChainArtifact {
  /** Why it was refused. */
  readonly code?: RefusalCode;
  /** The tool's typed details. */
  readonly details?: unknown;
}

/** How the tools and their results are given. */
export interface LangChainOptions {
  /** Whether the model is shown images. False for models whose tool messages hold text alone. Default true. */
  readonly images?: boolean;
}

/** What goes into `bindTools`, `createAgent` or a `ToolNode`. Throws a `TypeError` where it is given no toolset or session. */
export function toLangChainTools(host: ToolHost, options: LangChainOptions = {}): DynamicStructuredTool[] {
  const by = "toLangChainTools";
  checkHost({ by, value: host });
  checkChoices({ by, value: options, choices: { images: [true, false] } });
  const call = keepOrder(host);
  return host.definitions().map(({ name, description, inputSchema }) => {
    const tool = new DynamicStructuredTool({
      name,
      description,
      schema: { ...inputSchema },
      async func(args, _manager, config: ToolRunnableConfig = {}) {
        const { signal, toolCall: { id } = {} } = config;
        const output = await call(name, args, { ...(id && { id }), ...(signal && { signal }) });
        return id === undefined
          ? toContent(output, options)
          : toToolMessage({ call: { id, name }, output }, options);
      },
    });
    return takeAnything(tool);
  });
}

/**
 * LangChain checks arguments against the schema first and throws at what is wrong, in words of its own. The tool runs
 * on a view of itself whose schema takes everything: what can be repaired is, and what is refused says what would work.
 */
function takeAnything(tool: DynamicStructuredTool): DynamicStructuredTool {
  const view: DynamicStructuredTool = Object.create(tool, { schema: { value: {} } });
  return Object.assign(tool, { call: tool.call.bind(view) });
}

/**
 * Makes the calls of a message as one batch, those included whose JSON LangChain could not read. Append what comes
 * back behind that message. Rejects with a `TypeError` where it is given no toolset or no message, before anything runs;
 * never for what a model wrote.
 */
export async function answerLangChainCalls(
  host: ToolHost,
  message: AIMessage | AIMessageChunk,
  given: AnswerOptions & LangChainOptions = {},
): Promise<ToolMessage[]> {
  const by = "answerLangChainCalls";
  checkHost({ by, value: host });
  const mistaken = { messages: "the last of messages" };
  checkMessage({ by, value: message, takes: "a message of the model", mistaken });
  for (const at of ["tool_calls", "invalid_tool_calls"] as const)
    checkEntries({ by, value: message[at] ?? [], at });
  checkChoices({ by, value: given, choices: { images: [true, false] } });
  const { images = true, ...options } = given;
  const answered = await makeCalls(host, readCalls(message), options);
  return answered.map((one) => toToolMessage(one, { images }));
}

function readCalls(message: AIMessage | AIMessageChunk): ModelCall[] {
  // Of a streamed message the text is taken: LangChain closes what is open in it, and some of the edits would look like all.
  const streamed = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : [];
  const calls =
    streamed.length > 0 ? streamed : [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
  return calls.map(({ id, name, args }) => ({ id: id ?? "", name: name ?? "", args: args ?? "" }));
}

function toToolMessage(
  { call: { id, name }, output }: { call: Pick<ModelCall, "id" | "name">; output: ToolOutput },
  options: LangChainOptions,
): ToolMessage {
  const artifact: LangChainArtifact = {
    ...(output.isError ? { code: output.refusal.code } : {}),
    ...(output.details === undefined ? {} : { details: output.details }),
  };
  return new ToolMessage({
    tool_call_id: id,
    name,
    status: output.isError ? "error" : "success",
    content: toContent(output, options),
    artifact,
  });
}

function toContent({ content, images }: ToolOutput, options: LangChainOptions) {
  if (images.length === 0 || options.images === false) return content;
  return [
    { type: "text" as const, text: content },
    ...images.map(({ mediaType, base64 }) => {
      return { type: "image_url" as const, image_url: { url: `data:${mediaType};base64,${base64}` } };
    }),
  ];
}
