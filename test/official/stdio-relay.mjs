/**
 * Owns a relay from Streamable HTTP to a server on standard input and output, so that the official suite, which speaks
 * HTTP alone, reaches `haft mcp` as desktop clients start it. Each HTTP session is a process of its own.
 * Leaves every message as it is. Rule: both ends are transports of the official SDK (its first major version, which
 * haft does not use), and nothing is answered here.
 *
 * Usage: node stdio-relay.mjs COMMAND ARG…; says its address on standard error.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const [command, ...args] = process.argv.slice(2);
const sessions = new Map();

async function openSession() {
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, http),
  });
  const stdio = new StdioClientTransport({ command, args, stderr: "inherit", env: { ...process.env } });
  /** Requests of the client without an answer so far: what the server says meanwhile goes along with the last. */
  const open = new Set();
  stdio.onmessage = (message) => {
    const isAnswer = message.method === undefined;
    if (isAnswer) open.delete(message.id);
    const relatedRequestId = isAnswer ? message.id : [...open].at(-1);
    http.send(message, { relatedRequestId }).catch((error) => process.stderr.write(`${error.message}\n`));
  };
  http.onmessage = (message) => {
    if (message.method !== undefined && message.id !== undefined) open.add(message.id);
    void stdio.send(message);
  };
  http.onclose = () => void stdio.close();
  stdio.onclose = () => void http.close();
  await stdio.start();
  await http.start();
  return http;
}

const server = createServer(async (request, response) => {
  const id = request.headers["mcp-session-id"];
  const known = sessions.get(id);
  if (id !== undefined && known === undefined) return response.writeHead(404).end();
  const http = known ?? (await openSession());
  // A client keeps its own stream for as long as it lives: those of the suite end without another word.
  if (request.method === "GET") response.once("close", () => void http.close());
  await http.handleRequest(request, response);
});
server.listen(0, "127.0.0.1", () => {
  process.stderr.write(`serving http://127.0.0.1:${server.address().port}/mcp\n`);
});
process.once("SIGTERM", async () => {
  await Promise.all([...sessions.values()].map((session) => session.close()));
  process.exit(0);
});
