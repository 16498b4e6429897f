/**
 * Owns the words of Anthropic's Messages API on the side of the provider. Leaves serving to scripted-server.ts.
 * Rule: refuses what the API refuses.
 */
import { findWrongTool, type Json, openCalls, type Told, type Wire } from "./scripted-server.ts";

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
  readonly source?: { readonly data: string };
}

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string | readonly Block[];
}

interface Tool {
  readonly type?: string;
  readonly name: string;
  readonly input_schema?: unknown;
  readonly defer_loading?: boolean;
}

const blocksOf = (message: Message): readonly Block[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
const messagesOf = (request: Json) => request.messages as readonly Message[];
const toolsOf = (request: Json) => (request.tools ?? []) as readonly Tool[];

export const anthropicWire: Wire = {
  path: "/v1/messages",
  reply({ text, calls = [], isCut = false }) {
    return {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "scripted-1",
      content: [
        ...(text === undefined ? [] : [{ type: "text", text }]),
        ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
      ],
      stop_reason: isCut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  },
  findWrong(request) {
    const calls = openCalls();
    for (const tool of toolsOf(request)) {
      const wrong = tool.type === undefined && findWrongTool(tool.name, tool.input_schema);
      if (wrong) return wrong;
    }
    if (toolsOf(request).length > 0 && toolsOf(request).every((tool) => tool.defer_loading))
      return "all tools are deferred";
    for (const message of messagesOf(request)) {
      for (const block of blocksOf(message)) {
        const wrong = block.type === "tool_result" ? findWrongResult(block, calls) : undefined;
        if (wrong !== undefined) return wrong;
      }
      if (message.role === "user" && calls.wrong() !== undefined) return calls.wrong();
      for (const block of blocksOf(message)) if (block.type === "tool_use") calls.add(block.id ?? "");
    }
    return calls.wrong();
  },
  toolNames: (request) => toolsOf(request).map(({ name }) => name),
  resultsOf: (request) =>
    messagesOf(request)
      .flatMap(blocksOf)
      .filter(({ type }) => type === "tool_result")
      .map(readResult),
};

function findWrongResult(block: Block, calls: ReturnType<typeof openCalls>): string | undefined {
  const parts = typeof block.content === "string" ? [] : (block.content ?? []);
  if (block.is_error && parts.some(({ type }) => type !== "text")) return "an error that is not all text";
  return calls.close(block.tool_use_id ?? "");
}

function readResult({ tool_use_id = "", content = "", is_error = false }: Block): Told {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    id: tool_use_id,
    text: parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join(""),
    images: parts.flatMap((part) => ("source" in part && part.source ? [part.source.data] : [])),
    isError: is_error,
  };
}
