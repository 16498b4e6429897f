/**
 * Owns a model that follows a script: a server on loopback that speaks the OpenAI-compatible chat protocol.
 * Leaves what is said to the tests. Rule: each request takes the next turn of the script; one too many is an error,
 * and so is a conversation that a real provider would refuse.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly { readonly type: string; readonly function: { readonly name: string } }[];
}

export interface Reply {
  readonly text?: string;
  /** The arguments as an object, or as the text that the model writes. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: object | string }[];
}

/** What the model does with a request. `"silence"` never answers. */
export type Turn = (request: ModelRequest) => Reply | "silence";

export interface ModelServer {
  /** The base URL of the API. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export async function openModelServer(script: readonly Turn[]): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, 500, { error: { message: String(error) } }),
    );
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const asked = JSON.parse(Buffer.concat(pieces).toString()) as ModelRequest;
    const turn = script[requests.length];
    requests.push(asked);
    const wrong = request.url === "/v1/chat/completions" ? findWrong(asked) : `no such path: ${request.url}`;
    if (wrong !== undefined) return send(response, 400, { error: { message: wrong } });
    if (turn === undefined) return send(response, 400, { error: { message: "the script has ended" } });
    const reply = turn(asked);
    if (reply !== "silence") send(response, 200, completion(asked, reply));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** What real providers refuse: calls without results, results without calls, half characters. */
function findWrong({ messages }: ModelRequest): string | undefined {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.content?.isWellFormed() === false) return "a message holds half a character";
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? "")) return `a result without a call: ${message.tool_call_id}`;
      continue;
    }
    if (open.size > 0) return `calls without results: ${[...open].join(", ")}`;
    for (const call of message.tool_calls ?? []) {
      JSON.parse(call.function.arguments);
      open.add(call.id);
    }
  }
  return open.size === 0 ? undefined : `calls without results: ${[...open].join(", ")}`;
}

function completion({ model }: ModelRequest, { text, calls }: Reply): unknown {
  const toolCalls = calls?.map(({ id, name, args }) => {
    return {
      id,
      type: "function",
      function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
    };
  });
  return {
    id: "chat-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text ?? null, ...(toolCalls && { tool_calls: toolCalls }) },
        finish_reason: toolCalls === undefined ? "stop" : "tool_calls",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
