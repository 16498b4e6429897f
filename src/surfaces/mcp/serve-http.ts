/**
 * Owns the life of the server over HTTP: from the first connection to the signal that ends it.
 * Leaves who may speak to http-guard.ts, clients to http-clients.ts. Rule: what anybody but this machine can reach wants a
 * token; it ends when it is told to, and leaves nothing running.
 */
import { createHttpClients, type HttpClientOptions } from "./http-clients.ts";
import { createHttpGuard, isLoopback } from "./http-guard.ts";
import { listen } from "./http-listener.ts";

/** A `write` of a whole file comes in one message. */
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;
/** Half an hour: a client that was closed with its laptop takes its session up again. */
const IDLE_MS = 30 * 60_000;
/** A minute: longer than a client of the SDK tries to take a broken stream up again. */
const ABANDONED_MS = 60_000;
const CLOSE_MAX_MS = 3_000;

export type ServeHttpOptions = Omit<HttpClientOptions, "maxBodyBytes" | "idleMs" | "abandonedMs"> & {
  readonly port: number;
  readonly host: string;
  readonly token?: string | undefined;
  readonly idleMs?: number;
  readonly abandonedMs?: number;
};

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Throws where a token is missing, and where the port cannot be had. */
export async function openHttp(options: ServeHttpOptions): Promise<HttpServer> {
  const { host, port, token } = options;
  if (token === undefined && !isLoopback(host))
    throw new Error(
      `--host ${host} can be reached from elsewhere and wants a bearer token: set HAFT_HTTP_TOKEN to a long random text`,
    );
  const guard = createHttpGuard({ host, token });
  const clients = createHttpClients({
    ...options,
    maxBodyBytes: MESSAGE_MAX_BYTES,
    idleMs: options.idleMs ?? IDLE_MS,
    abandonedMs: options.abandonedMs ?? ABANDONED_MS,
  });
  const listener = await listen({
    host,
    port,
    maxBodyBytes: MESSAGE_MAX_BYTES,
    refuse(headers) {
      const denied = guard.judge(headers);
      if (denied === undefined) return undefined;
      const challenge = denied.status === 401 ? { "www-authenticate": "Bearer" } : undefined;
      return Response.json(
        { error: denied.why },
        { status: denied.status, ...(challenge && { headers: challenge }) },
      );
    },
    answer(request, of) {
      if (new URL(request.url).pathname !== "/mcp")
        return Promise.resolve(new Response("The server is at /mcp.\n", { status: 404 }));
      return clients.answer(request, of);
    },
  });
  return {
    url: listener.url,
    async close() {
      await clients.close();
      await listener.close();
    },
  };
}

/** Serves until a signal, and resolves once everything is closed. */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const server = await openHttp(options);
  options.warn(`serving ${server.url}`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  await Promise.race([server.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MAX_MS))]);
}
