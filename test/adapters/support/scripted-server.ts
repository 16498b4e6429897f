/**
 * Owns a model provider that follows a script: a server on loopback that takes one turn of it for each request.
 * Leaves the words of each provider to its wire. Rule: one request too many is an error, and so is a conversation
 * that the real provider would refuse.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** As an object, or as the text that the model writes, where the wire carries text. */
  readonly args: object | string;
}

export interface Reply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The tokens ended before the answer did. */
  readonly isCut?: boolean;
}

/** What the model was told of one call. */
export interface Told {
  readonly id: string;
  readonly text: string;
  /** Base64. */
  readonly images: readonly string[];
  /** Undefined where the wire has no word for it. */
  readonly isError?: boolean;
}

/** The words of one API. */
export interface Wire {
  /** Behind the base URL. */
  readonly path: string;
  reply(turn: Reply): unknown;
  /** What the real provider would refuse the request for. */
  findWrong(request: Json): string | undefined;
  toolNames(request: Json): string[];
  /** The results of calls in a request, all of them, in the order of the conversation. */
  resultsOf(request: Json): Told[];
}

export type Json = Readonly<Record<string, unknown>>;
export type Turn = (told: readonly Told[]) => Reply | "silence";

export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly Json[];
  close(): Promise<void>;
}

export async function openScriptedServer(wire: Wire, script: readonly Turn[]): Promise<ScriptedServer> {
  const requests: Json[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, String(error)));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url !== wire.path) return refuse(response, `no such path: ${request.url}`);
    const body = JSON.parse(Buffer.concat(pieces).toString()) as Json;
    const turn = script[requests.length];
    requests.push(body);
    const wrong = wire.findWrong(body);
    if (wrong !== undefined) return refuse(response, wrong);
    if (turn === undefined) return refuse(response, "the script has ended");
    const reply = turn(wire.resultsOf(body));
    if (reply !== "silence") send(response, 200, wire.reply(reply));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, message: string): void {
  send(response, 400, { type: "error", error: { type: "invalid_request_error", message } });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Calls that stand open, results without a call: what every provider refuses. */
export function openCalls() {
  const open = new Set<string>();
  return {
    add: (id: string) => void open.add(id),
    close: (id: string) => (open.delete(id) ? undefined : `a result without a call: ${id}`),
    wrong: () => (open.size === 0 ? undefined : `calls without results: ${[...open].join(", ")}`),
  };
}

/** Names that providers take, and schemas of plain objects. */
export function findWrongTool(name: unknown, schema: unknown): string | undefined {
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `a tool named ${name}`;
  return (schema as Json | undefined)?.type === "object" ? undefined : `${name} takes no object`;
}
