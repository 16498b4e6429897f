/**
 * Owns tunnels through the proxy: `CONNECT`, which TLS and websockets use, and an upgrade of a plain request.
 * Leaves who may ask to proxy.ts. Rule: a tunnel is opened after its target was screened, to the screened address;
 * what goes through it is not looked at, and it ends when either side does.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connectPinned } from "./connect-pinned.ts";
import type { ProxyDoor } from "./proxy.ts";
import { describeRefusal, isScreened, startRequest, writeForwardedHeaders } from "./proxy-request.ts";
import { isWeb, parseUrl } from "./shown-url.ts";

interface Tunnel {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly door: ProxyDoor;
}

/** What may stand before the port: no user info, no path, no second port. */
const AUTHORITY = /^(?:\[[0-9a-fA-F:.]+\]|[^\s/?#@\\:[\]]+):\d{1,5}$/;

export async function tunnelConnect(of: Tunnel): Promise<void> {
  const authority = of.request.url ?? "";
  if (!AUTHORITY.test(authority)) return endWith(of.socket, "400 Bad Request", "not host:port");
  await openTunnel({ ...of, url: `http://${authority}/`, opening: undefined });
}

export async function tunnelUpgrade(of: Tunnel): Promise<void> {
  const url = parseUrl(of.request.url ?? "");
  if (url === undefined || !isWeb(url) || url.protocol !== "http:")
    return endWith(of.socket, "400 Bad Request", "not the absolute URL of a plain request");
  const opening = `${of.request.method ?? "GET"} ${url.pathname}${url.search} HTTP/1.1\r\n${writeForwardedHeaders({ request: of.request, url, mark: of.door.mark })}\r\n`;
  await openTunnel({ ...of, url: url.href, opening });
}

async function openTunnel(
  of: Tunnel & { readonly url: string; readonly opening: string | undefined },
): Promise<void> {
  const { socket, door } = of;
  socket.on("error", () => socket.destroy());
  const running = startRequest(socket);
  try {
    const target = await door.admit(of.url, running.signal);
    if (target.kind !== "screened")
      return endWith(
        socket,
        isScreened(target) ? "403 Refused by haft's network screen" : "502 Bad Gateway",
        describeRefusal(target),
      );
    const upstream = await connectPinned({ ...target, signal: running.signal });
    door.keep(upstream);
    join(socket, upstream);
    if (of.opening === undefined) socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    else upstream.write(of.opening, "latin1");
    if (of.head.length > 0) upstream.write(of.head);
  } catch {
    endWith(socket, "502 Bad Gateway", "no connection");
  } finally {
    running.clear();
  }
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}

function endWith(socket: Duplex, status: string, why: string): void {
  if (socket.destroyed) return;
  const body = `${why}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
