/**
 * Owns servers of tests on 127.0.0.1 that count what reaches them, from raw bytes up to TLS, and a resolver that
 * answers from a list.
 * Rule: a server is closed with all its sockets when its test is over, and says whether any was left open.
 */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createRawServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Lookup } from "../../src/net/look-up.ts";
import { CERTIFICATE, KEY } from "./certificate.ts";

export interface LoopbackServer {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly url: string;
  connections(): number;
  /** Sockets that are still open. */
  open(): number;
  /** The requests that came, where the server speaks HTTP. */
  readonly requests: IncomingMessage[];
}

export function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return start(server, "http", requests);
}

export function serveHttps(
  listener: RequestListener,
): Promise<LoopbackServer & { readonly names: string[] }> {
  const requests: IncomingMessage[] = [];
  const names: string[] = [];
  const server = createSecureServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.on("secureConnection", (socket) => names.push(String(socket.servername)));
  return start(server, "https", requests).then((started) => ({ ...started, names }));
}

/** What `onConnection` writes is all that the server says. */
export function serveRaw(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  return start(createRawServer(onConnection), "http", []);
}

function start(server: Server, scheme: string, requests: IncomingMessage[]): Promise<LoopbackServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const host = `127.0.0.1:${port}`;
      const url = `${scheme}://${host}/`;
      resolve({ port, host, url, connections: () => connections, open: () => sockets.size, requests });
    });
  });
}

/** Answers of each name, in turn. */
export type Answers = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Answers the entries of a name one after the other, the last one for good, and keeps what it was asked. */
export function stubResolver(answers: Answers): {
  readonly lookup: Lookup;
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    lookup: async (host) => {
      const list = answers[host];
      const answer = list?.[Math.min(asked.filter((name) => name === host).length, list.length - 1)];
      asked.push(host);
      if (answer === undefined) throw Object.assign(new Error(`no ${host}`), { code: "ENOTFOUND" });
      return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  };
}

/** Settles when no socket of the server is open; a test that waits for ever has found a leak. */
export async function untilClosed(server: LoopbackServer): Promise<void> {
  while (server.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
