/**
 * Owns a proxy that the requests of a browser, or of confined commands, go through: who may use it, and what was refused.
 * Leaves forwarding to proxy-forward.ts and tunnels to proxy-tunnel.ts, the verdict to the same screen as every fetch.
 * Rule: no other program of the machine can use it. On a port of the loopback nothing is connected without the one-time
 * secret; a socket lies in a folder that only the person can enter, and whoever comes by it needs none. Each request and
 * each tunnel is screened by itself and goes to the screened address.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { NetRefusal } from "./net-refusal.ts";
import { forwardRequest } from "./proxy-forward.ts";
import { isScreened } from "./proxy-request.ts";
import { tunnelConnect, tunnelUpgrade } from "./proxy-tunnel.ts";
import type { Screen, Screened } from "./screen.ts";

export interface FilteringProxy {
  /** 0 where it listens on a socket. */
  readonly port: number;
  /** `haft:<secret>`, for `Proxy-Authorization: Basic`. */
  readonly credentials: string;
  /**
   * For browsers, which take no credentials on their command line: a word that, at the end of the user agent, proves
   * the same. Plain requests are sent on without it. Empty where it listens on a socket.
   */
  readonly userAgentMark: string;
  /** What the screen refused so far: how many requests, and the first hundred. */
  refused(): { readonly count: number; readonly first: readonly NetRefusal[] };
  /** Requests and tunnels that were connected. */
  connected(): number;
  /** Bytes that came in so far, from servers and from the browser. */
  received(): number;
  /** Ends every connection, and lets nothing through any more: a page that waits for one goes on without it. */
  settle(): void;
  /** The same, and the port is given back. */
  close(): Promise<void>;
}

/** What a request needs once it may be made. */
export interface ProxyDoor {
  /** Screens a URL, and counts. */
  admit(url: string, signal: AbortSignal): Promise<Screened | NetRefusal>;
  /** The mark to take off a user agent. */
  readonly mark: string;
  /** Keeps a socket to be ended with the proxy. */
  keep(socket: Socket): void;
}

/** A page's requests at once; browsers open six a host. */
const MAX_CONNECTIONS = 256;
const MAX_HEAD_BYTES = 65_536;
const MAX_KEPT_REFUSALS = 100;

export interface ProxyRequest {
  readonly screen: Screen;
  /** Where its Unix socket is made, in a folder that only the person can enter; on a port of the loopback where absent. */
  readonly socket?: string | undefined;
  /** Whether it goes on while nothing else does: one that stays open must not keep the host from ending. */
  readonly isIdle?: boolean;
}

export async function openProxy(of: ProxyRequest): Promise<FilteringProxy> {
  const secret = randomBytes(24).toString("hex");
  const mark = of.socket === undefined ? `haft/${secret}` : "";
  const first: NetRefusal[] = [];
  const sockets = new Set<Socket>();
  let refusedCount = 0;
  let connectedCount = 0;
  let isSettled = false;
  let receivedBytes = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    if (of.isIdle === true) socket.unref();
    socket.once("close", () => {
      sockets.delete(socket);
      receivedBytes += socket.bytesRead;
    });
    if (isSettled) socket.destroy();
  };
  const admit: ProxyDoor["admit"] = async (url, signal) => {
    const target = await of.screen(url, signal);
    if (target.kind === "screened") connectedCount++;
    // A name that does not exist was not refused.
    else if (isScreened(target)) {
      refusedCount++;
      if (first.length < MAX_KEPT_REFUSALS) first.push(target);
    }
    return target;
  };
  const credentials = of.socket === undefined ? `haft:${secret}` : undefined;
  const server = createProxyServer({ credentials, door: { admit, mark, keep } });
  await listen(server, of.socket);
  if (of.isIdle === true) server.unref();
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    credentials: `haft:${secret}`,
    userAgentMark: mark,
    refused: () => ({ count: refusedCount, first: [...first] }),
    connected: () => connectedCount,
    received: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, receivedBytes),
    settle() {
      isSettled = true;
      for (const socket of sockets) socket.destroy();
    },
    close: () => closeServer(server, sockets),
  };
}

/** Without credentials whoever reaches it may use it. */
function createProxyServer(of: {
  readonly credentials: string | undefined;
  readonly door: ProxyDoor;
}): Server {
  const { door, credentials } = of;
  const knows = (request: IncomingMessage): boolean =>
    credentials === undefined || isAuthorised({ request, credentials, door });
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
    if (knows(request)) void forwardRequest({ request, response, door });
    else response.writeHead(407, AUTHENTICATE).end();
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket: Socket) => {
    door.keep(socket);
    socket.on("error", () => undefined);
  });
  server.on("connect", (request, socket, head) => {
    if (knows(request)) void tunnelConnect({ request, socket, head, door });
    else socket.end(UNAUTHORISED);
  });
  server.on("upgrade", (request, socket, head) => {
    if (knows(request)) void tunnelUpgrade({ request, socket, head, door });
    else socket.end(UNAUTHORISED);
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return server;
}

const AUTHENTICATE = { "proxy-authenticate": 'Basic realm="haft"', connection: "close" };
const UNAUTHORISED =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="haft"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

function isAuthorised(of: {
  readonly request: IncomingMessage;
  readonly credentials: string;
  readonly door: ProxyDoor;
}): boolean {
  const { headers } = of.request;
  const basic = `Basic ${Buffer.from(of.credentials).toString("base64")}`;
  if (isSame(headers["proxy-authorization"] ?? "", basic)) return true;
  return isSame((headers["user-agent"] ?? "").slice(-of.door.mark.length), of.door.mark);
}

/** In a time that does not tell how much of a guess was right. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function listen(server: Server, socket: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket === undefined ? { port: 0, host: "127.0.0.1" } : { path: socket }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
