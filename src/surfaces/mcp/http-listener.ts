/**
 * Owns the socket that `haft mcp --http` listens on, and turning its requests and answers into those of the web's API.
 * Leaves who may speak to http-guard.ts, what is answered to serve-http.ts. Rule: it accepts connections and makes none;
 * nothing of a request that is refused is read.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { relaxArguments } from "./relax-arguments.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly maxBodyBytes: number;
  /** Answers at once where a request may not go on. */
  readonly refuse: (headers: IncomingMessage["headers"]) => Response | undefined;
  /** The signal ends when nobody listens any more. */
  readonly answer: (
    request: Request,
    of: { readonly body: unknown; readonly left: AbortSignal },
  ) => Promise<Response>;
}

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** Rejects where the port cannot be had. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const server = createServer((request, response) => {
    // What goes wrong with one connection is that connection's end.
    serve(request, response, options).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { connection: "close" }).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListening(error, options)));
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(":") ? `[${options.host}]` : options.host;
  return { url: `http://${name}:${port}/mcp`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: ListenOptions,
): Promise<void> {
  const refused = options.refuse(request.headers);
  if (refused !== undefined) return send(refused, response);
  const text = await readBody(request, options.maxBodyBytes);
  if (text === undefined) return send(new Response("The message is too large.", { status: 413 }), response);
  const left = new AbortController();
  response.once("close", () => left.abort());
  const read = toWebRequest(request, { text, signal: left.signal });
  if (read instanceof Response) return send(read, response);
  await send(await options.answer(read.web, { body: read.body, left: left.signal }), response);
}

/** What the system says of an address, with what would work. */
function explainListening(error: NodeJS.ErrnoException, { host, port }: ListenOptions): Error {
  const ways: Readonly<Record<string, string>> = {
    EADDRINUSE: "something listens there already: name another port, or 0 for any that is free",
    EACCES: "this user may not listen there: name a port from 1024 on, or 0 for any that is free",
    EADDRNOTAVAIL: "this machine has no such address: name another with --host",
    ENOTFOUND: "there is no such host: name another with --host",
  };
  const why = ways[error.code ?? ""];
  return why === undefined ? error : new Error(`port ${port} of ${host}: ${why}`, { cause: error });
}

/** Undefined where it is larger than may be. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const METHODS = ["GET", "POST", "DELETE"];

/** Gives the answer where it is no request that anything here could understand. */
function toWebRequest(
  request: IncomingMessage,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): { readonly web: Request; readonly body: unknown } | Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The body may be written anew, and is whole.
    if (["content-length", "transfer-encoding", "connection"].includes(name)) continue;
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const { method = "GET", url: path = "/" } = request;
  if (!URL.canParse(path, BASE)) return tellProblem(400, "This is no path.");
  if (!METHODS.includes(method)) return tellProblem(405, `The methods are ${METHODS.join(", ")}.`);
  const of = { method, headers, signal };
  if (method !== "POST") return { web: new Request(new URL(path, BASE), of), body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    relaxArguments(body);
    return { web: new Request(new URL(path, BASE), { ...of, body: JSON.stringify(body) }), body };
  } catch {
    // No JSON, or nested so deeply that nobody could write it again.
    return tellProblem(400, "Parse error: the body is no JSON that can be read");
  }
}

const BASE = "http://localhost";
const PARSE_ERROR = -32_700;
const REFUSED = -32_000;

function tellProblem(status: 400 | 405, message: string): Response {
  const code = message.startsWith("Parse error") ? PARSE_ERROR : REFUSED;
  const headers = status === 405 ? { allow: METHODS.join(", ") } : {};
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  // So that a client learns that its stream is open before anything is said on it.
  response.flushHeaders();
  const reader = answer.body.getReader();
  response.once("close", () => void reader.cancel().catch(() => {}));
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (response.destroyed) return;
    if (!response.write(part.value))
      await new Promise<void>((resolve) => {
        response.once("drain", resolve);
        response.once("close", resolve);
      });
  }
  response.end();
}
