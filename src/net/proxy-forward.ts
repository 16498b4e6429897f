/**
 * Owns a plain request through the proxy: to the screened address and back, streamed.
 * Leaves TLS and websockets to proxy-tunnel.ts. Rule: one request, one screening, one connection; the browser's
 * connection to the proxy may stay, the proxy's to a server never does.
 */
import { type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import { connectPinned } from "./connect-pinned.ts";
import type { ProxyDoor } from "./proxy.ts";
import {
  describeRefusal,
  forwardedHeaders,
  isScreened,
  keepEndToEnd,
  PROXY_STATUS,
  startRequest,
} from "./proxy-request.ts";
import { parseUrl } from "./shown-url.ts";

interface Forward {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly door: ProxyDoor;
}

const MAX_HEAD_BYTES = 65_536;

export async function forwardRequest(of: Forward): Promise<void> {
  const { request, response, door } = of;
  let upstream: Socket | undefined;
  const url = /^http:\/\//i.test(request.url ?? "") ? parseUrl(request.url ?? "") : undefined;
  if (url === undefined) return answer(response, 400, "not the absolute URL of a plain request");
  const running = startRequest(request.socket);
  try {
    const target = await door.admit(url.href, running.signal);
    if (target.kind !== "screened")
      return answer(response, isScreened(target) ? 403 : 502, describeRefusal(target));
    upstream = await connectPinned({ ...target, signal: running.signal });
    door.keep(upstream);
    send({ ...of, url: target.url, upstream });
  } catch {
    upstream?.destroy();
    answer(response, 502, "no connection");
  } finally {
    running.clear();
  }
}

function send(of: Forward & { readonly url: URL; readonly upstream: Socket }): void {
  const { request, response, url, upstream } = of;
  const outgoing = sendRequest({
    // No `agent`, not even `false`: with one, Node makes a connection of its own, to a host of its own choice.
    createConnection: () => upstream,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: collect(forwardedHeaders({ request, url, mark: of.door.mark })),
    setHost: false,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  outgoing.maxHeadersCount = 0;
  outgoing.on("error", () => fail(response));
  outgoing.on("response", (incoming) => {
    incoming.on("error", () => response.destroy());
    try {
      response.writeHead(incoming.statusCode ?? 502, collect(keepEndToEnd(incoming.rawHeaders)));
    } catch {
      // A status or a header that a client takes and a server may not write.
      return fail(response);
    }
    incoming.pipe(response);
  });
  // A server that answers a plain request with an upgrade would leave the socket to nobody.
  outgoing.on("upgrade", () => fail(response));
  response.on("close", () => upstream.destroy());
  request.on("error", () => upstream.destroy());
  request.pipe(outgoing);
}

/** Values of one name together, since a name given twice would be taken once. */
function collect(pairs: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const collected: Record<string, string | string[]> = Object.create(null) as Record<
    string,
    string | string[]
  >;
  for (const [name, value] of pairs) {
    const present = collected[name.toLowerCase()];
    collected[name.toLowerCase()] = present === undefined ? value : [present, value].flat();
  }
  return collected;
}

function answer(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent || response.destroyed) return;
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "proxy-status": PROXY_STATUS })
    .end(`${why}\n`);
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else answer(response, 502, "the server did not answer");
}
