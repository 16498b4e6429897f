/**
 * Owns the clients of `haft mcp --http`: a session each, from its first message until it is deleted or gone for long.
 * Leaves HTTP to http-listener.ts, what is answered to connection.ts. Rule: a client that vanished leaves nothing
 * running. A broken connection alone is not its end: it may come back and take its stream up again.
 */
import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createAsks } from "./asks.ts";
import { createConnection } from "./connection.ts";
import { createEventStore } from "./event-store.ts";
import { createStateless } from "./http-stateless.ts";
import { createIdleTimer } from "./idle-timer.ts";
import { createPushedQuestion, createSettledQuestion, type RootQuestion } from "./root-question.ts";
import { createRootSwitch } from "./root-switch.ts";
import type { ServeOptions } from "./serve-mcp.ts";
import { withinTime } from "./within-time.ts";

export type HttpClientOptions = Omit<ServeOptions, "output"> & {
  readonly maxBodyBytes: number;
  /** How long a session without any connection is kept. */
  readonly idleMs: number;
  /** The same while a call of it runs, which nobody will hear the end of. */
  readonly abandonedMs: number;
};

export interface HttpClients {
  answer(request: Request, of: { readonly body: unknown; readonly left: AbortSignal }): Promise<Response>;
  close(): Promise<void>;
}

interface HttpClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Says that the client's own stream is open, so that it can be asked. */
  readonly opened: () => void;
  /** Keeps it while a request is answered, and for a while after. */
  readonly attend: (left: AbortSignal) => void;
  readonly close: () => Promise<void>;
}

/** How soon a client whose stream broke should be back. */
const RETRY_MS = 1_000;
/** More clients than anybody has; each holds a ledger and perhaps a worker. */
const CLIENTS_MAX = 64;

export function createHttpClients(options: HttpClientOptions): HttpClients {
  const clients = new Map<string, HttpClient>();
  const stateless = createStateless(options);
  const forget = async (id: string): Promise<void> => {
    const client = clients.get(id);
    clients.delete(id);
    await client?.close();
  };
  return {
    async answer(request, { body, left }) {
      const id = request.headers.get("mcp-session-id");
      if (id === null && !(await isLegacyRequest(request, body))) return stateless.answer(request);
      const known = id === null ? undefined : clients.get(id);
      if (id !== null && known === undefined) return tellProblem(404, "Session not found");
      if (known === undefined && !opensSession(body))
        return tellProblem(400, "Bad Request: a session begins with initialize");
      if (known === undefined && clients.size >= CLIENTS_MAX)
        return tellProblem(503, "There are too many sessions already");
      const client = known ?? (await openClient(options, { clients, forget }));
      if (typeof client === "string") return tellProblem(500, client);
      client.attend(left);
      const answer = await client.transport.handleRequest(request);
      if (request.method === "GET" && answer.ok) client.opened();
      // A first message that was refused began nothing.
      if (known === undefined && client.transport.sessionId === undefined) await client.close();
      return answer;
    },
    async close() {
      await Promise.all([stateless.close(), ...[...clients.keys()].map(forget)]);
    },
  };
}

function opensSession(body: unknown): boolean {
  return [body].flat().some((message) => isInitializeRequest(message));
}

interface Registry {
  readonly clients: Map<string, HttpClient>;
  readonly forget: (id: string) => Promise<void>;
}

/** Gives what is wrong where the root cannot be had. */
async function openClient(
  options: HttpClientOptions,
  { clients, forget }: Registry,
): Promise<HttpClient | string> {
  const asks = createAsks();
  const roots = createRootSwitch((root) => options.openRoot(root, asks.approve));
  const failed = options.root === undefined ? undefined : await roots.take(options.root);
  if (failed !== undefined) return failed;
  const { question, opened } = createQuestion(options, roots);
  let calls = 0;
  const id = randomUUID();
  const idle = createIdleTimer({
    isBusy: () => calls > 0,
    waits: options,
    onIdle: () => void forget(id).catch(() => {}),
  });
  const server = createConnection({
    ...options,
    roots,
    question,
    asks,
    era: "legacy",
    onCallStart: () => {
      calls += 1;
    },
    onCallEnd: () => {
      calls -= 1;
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => void clients.set(id, client),
    onsessionclosed: () => forget(id),
    eventStore: createEventStore(),
    retryInterval: RETRY_MS,
    maxRequestBodySize: options.maxBodyBytes,
  });
  const client: HttpClient = {
    transport,
    opened,
    attend: idle.attend,
    async close() {
      idle.stop();
      await server.close();
      await roots.close();
    },
  };
  await server.connect(transport);
  return client;
}

/** How long a client has to open the stream on which it can be asked; those of the SDK do so at once. */
const STREAM_WAIT_MS = 2_000;

/**
 * The question for the client's roots goes over a stream that the client opens after its first messages: asked before,
 * it would be heard by nobody.
 */
function createQuestion(options: HttpClientOptions, roots: ReturnType<typeof createRootSwitch>) {
  if (options.root !== undefined) return { question: createSettledQuestion(), opened: () => {} };
  const { cwd, warn } = options;
  const inner = createPushedQuestion({ cwd, roots, warn });
  let opened = () => {};
  let isOpen = false;
  const stream = new Promise<void>((resolve) => {
    opened = () => {
      isOpen = true;
      resolve();
    };
  });
  const ask = (server: Server): void => {
    if (isOpen) inner.ask(server);
    else void stream.then(() => inner.ask(server));
  };
  const question: RootQuestion = {
    ...inner,
    ask,
    async settle(server, context) {
      if (!isOpen) await withinTime(STREAM_WAIT_MS, stream);
      return inner.settle(server, context);
    },
  };
  return { question, opened: () => opened() };
}

function tellProblem(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status });
}
