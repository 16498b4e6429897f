/**
 * The loop of an agent: a model of any provider, through the AI SDK's provider interface, and the tools of a haft
 * session. The model is asked, the calls it makes are made, what they give is added to the conversation, until it
 * makes no more. The session does the rest: it repairs arguments, asks for permission, orders calls that touch the
 * same files, keeps every result whole, and hands over as much of it as a request should carry.
 */
import type { LanguageModel } from "ai";
import type { Session } from "haft";

/** A model as the AI SDK's providers make it: `createOpenAICompatible(…).chatModel("…")`. */
export type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
type ModelRequest = Parameters<Model["doGenerate"]>[0];
export type Message = ModelRequest["prompt"][number];
type AnswerPart = Awaited<ReturnType<Model["doGenerate"]>>["content"][number];
type ToolCall = Extract<AnswerPart, { type: "tool-call" }>;
type AssistantPart = Extract<Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<Message, { role: "tool" }>["content"][number];
type CallResult = Awaited<ReturnType<Session["batch"]>>[number];

export interface AgentRequest {
  readonly model: Model;
  readonly session: Pick<Session, "definitions" | "batch">;
  /** The conversation so far. It ends with what the model is to answer; it is not changed. */
  readonly messages: readonly Message[];
  /** Ends the model's request and every running call. */
  readonly signal?: AbortSignal;
  /** How often the model is asked at most. Default 50. */
  readonly maxTurns?: number;
}

export interface AgentEnd {
  readonly reason: "answered" | "cancelled" | "out-of-turns";
  /** The model's last words. */
  readonly text: string;
  /** The whole conversation. It can always be carried on: each call in it has its result. */
  readonly messages: readonly Message[];
}

export async function runAgent(request: AgentRequest): Promise<AgentEnd> {
  const { model, session, signal } = request;
  const messages = [...request.messages];
  const tools = describeTools(session);
  let text = "";
  for (let turn = 0; turn < (request.maxTurns ?? 50); turn++) {
    const answer = await askModel(model, { prompt: messages, tools, ...(signal && { abortSignal: signal }) });
    if (answer === undefined) return { reason: "cancelled", text, messages };
    messages.push({ role: "assistant", content: answer.flatMap(keepPart) });
    text = answer.map((part) => (part.type === "text" ? part.text : "")).join("");
    const calls = answer.filter((part) => part.type === "tool-call").filter((call) => !call.providerExecuted);
    if (calls.length === 0) return { reason: "answered", text, messages };
    messages.push({ role: "tool", content: await makeCalls(session, calls, signal) });
    if (signal?.aborted) return { reason: "cancelled", text, messages };
  }
  return { reason: "out-of-turns", text, messages };
}

function describeTools(session: AgentRequest["session"]): NonNullable<ModelRequest["tools"]> {
  return session.definitions().map(({ name, description, inputSchema }) => {
    return { type: "function", name, description, inputSchema };
  });
}

/** What the model says; undefined where the host cancelled meanwhile. */
async function askModel(model: Model, request: ModelRequest): Promise<readonly AnswerPart[] | undefined> {
  try {
    request.abortSignal?.throwIfAborted();
    return (await model.doGenerate(request)).content;
  } catch (error) {
    if (request.abortSignal?.aborted) return undefined;
    throw error;
  }
}

/** All calls of one answer as one batch: what does not conflict runs side by side, the rest in the model's order. */
async function makeCalls(
  session: AgentRequest["session"],
  calls: readonly ToolCall[],
  signal: AbortSignal | undefined,
): Promise<ToolPart[]> {
  const results = await session.batch(
    // The arguments go on as the model wrote them: what is wrong with their JSON is the session's to repair.
    calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, args: input })),
    signal && { signal },
  );
  return calls.flatMap(({ toolCallId, toolName }, index) => {
    const result = results[index];
    return result === undefined
      ? []
      : [{ type: "tool-result", toolCallId, toolName, output: showResult(result) }];
  });
}

function showResult({
  isError,
  content,
  images,
}: CallResult): Extract<ToolPart, { type: "tool-result" }>["output"] {
  if (isError) return { type: "error-text", value: content };
  if (images.length === 0) return { type: "text", value: content };
  const shown = images.map(({ base64, mediaType }) => {
    return { type: "image-data", data: base64, mediaType } as const;
  });
  return { type: "content", value: [{ type: "text", text: content }, ...shown] };
}

/** What of an answer goes into the conversation, with what the provider wants to see again. */
function keepPart(part: AnswerPart): AssistantPart[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text, ...keepMetadata(part) }];
    case "tool-call": {
      const { toolCallId, toolName } = part;
      return [
        { type: "tool-call", toolCallId, toolName, input: readInput(part.input), ...keepMetadata(part) },
      ];
    }
    default:
      return [];
  }
}

function keepMetadata({ providerMetadata }: Pick<ToolCall, "providerMetadata">) {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
}

/** Arguments that are no JSON stay in the conversation as a text in an object: providers take nothing else. */
function readInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return { arguments: input };
  }
}
