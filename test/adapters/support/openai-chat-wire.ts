/**
 * Owns the words of OpenAI's chat completions on the side of the provider, and of servers that are compatible with it.
 * Leaves serving to scripted-server.ts. Rule: refuses what the API refuses.
 */
import { findWrongTool, type Json, openCalls, type Told, type Wire } from "./scripted-server.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  /** Base64, in version 7 of the AI SDK inside another object. */
  readonly data?: string | { readonly data: string };
  readonly image_url?: { readonly url: string };
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Part[] | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

interface Tool {
  readonly function: { readonly name: string; readonly parameters: unknown };
}

const messagesOf = (request: Json) => request.messages as readonly Message[];
const toolsOf = (request: Json) => (request.tools ?? []) as readonly Tool[];

function makeWire(of: {
  readonly findWrongContent: (parts: readonly Part[]) => string | undefined;
  readonly readContent: (content: Message["content"]) => readonly Part[];
}): Wire {
  return {
    path: "/v1/chat/completions",
    reply({ text, calls, isCut = false }) {
      const toolCalls = calls?.map(({ id, name, args }) => {
        const text = typeof args === "string" ? args : JSON.stringify(args);
        return { id, type: "function", function: { name, arguments: text } };
      });
      const message = {
        role: "assistant",
        content: text ?? null,
        ...(toolCalls && { tool_calls: toolCalls }),
      };
      const finish_reason = isCut ? "length" : toolCalls === undefined ? "stop" : "tool_calls";
      return {
        id: "chat-1",
        object: "chat.completion",
        created: 1,
        model: "scripted-1",
        choices: [{ index: 0, message, finish_reason }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
    },
    findWrong(request) {
      const calls = openCalls();
      for (const { function: tool } of toolsOf(request)) {
        const wrong = findWrongTool(tool.name, tool.parameters);
        if (wrong !== undefined) return wrong;
      }
      for (const { role, content, tool_call_id, tool_calls } of messagesOf(request)) {
        if (role === "tool") {
          const parts = typeof content === "string" ? [] : (content ?? []);
          const wrong = of.findWrongContent(parts) ?? calls.close(tool_call_id ?? "");
          if (wrong !== undefined) return wrong;
        } else if (calls.wrong() !== undefined) return calls.wrong();
        for (const call of tool_calls ?? []) calls.add(call.id);
      }
      return calls.wrong();
    },
    toolNames: (request) => toolsOf(request).map((tool) => tool.function.name),
    resultsOf(request) {
      const told = messagesOf(request)
        .filter(({ role }) => role === "tool")
        .map(({ tool_call_id = "", content }) => {
          const parts = of.readContent(content);
          return { id: tool_call_id, text: textOf(parts), images: imagesOf(parts) };
        });
      return messagesOf(request).reduce(giveImages, told);
    },
  };
}

/** Images that a user message shows: they belong to the call that the text before them names. */
function giveImages(told: Told[], { role, content }: Message): Told[] {
  if (role !== "user" || typeof content === "string") return told;
  let id: string | undefined;
  const found = new Map<string | undefined, string[]>();
  for (const part of content ?? []) {
    if (part.type === "text") id = /of call (.*):$/.exec(part.text ?? "")?.[1];
    else found.set(id, [...(found.get(id) ?? []), ...imagesOf([part])]);
  }
  return told.map((one) => ({ ...one, images: [...one.images, ...(found.get(one.id) ?? [])] }));
}

const textOf = (parts: readonly Part[]) => parts.map(({ text }) => text ?? "").join("");
const imagesOf = (parts: readonly Part[]) =>
  parts.flatMap(
    ({ data, image_url }) =>
      (typeof data === "object" ? data.data : data) ?? image_url?.url.replace(/^data:[^,]*,/, "") ?? [],
  );
const asParts = (content: Message["content"]): readonly Part[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

/** OpenAI's own: what a tool gives is text. */
export const chatWire = makeWire({
  findWrongContent: (parts) =>
    parts.some(({ type }) => type !== "text") ? "a tool message that is not all text" : undefined,
  readContent: asParts,
});

/** A compatible server that takes images in tool messages. */
export const chatWireWithImages = makeWire({ findWrongContent: () => undefined, readContent: asParts });

/** What the AI SDK's provider for compatible servers sends: several parts are written as JSON. */
export const chatWireWithParts = makeWire({
  findWrongContent: () => undefined,
  readContent: (content) =>
    typeof content === "string" && content.startsWith('[{"type":"text"')
      ? (JSON.parse(content) as Part[])
      : asParts(content),
});
