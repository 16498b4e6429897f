/**
 * Owns one GET over one connection that is made for it: connect, TLS, request, the head of the response.
 * Leaves whether and where to connect to screen.ts, the body to content-encoding.ts, redirects to pinned-fetch.ts.
 * Rule: no cookies, no credentials, no referrer, no proxy of the environment: only what stands here is sent. The
 * connection is closed when the hop is.
 */
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { Client } from "undici";
import { connectPinned, startTls } from "./connect-pinned.ts";
import { ACCEPTED_ENCODINGS } from "./content-encoding.ts";
import { codeOf } from "./look-up.ts";
import type { FetchStage } from "./net-refusal.ts";
import type { Screened } from "./screen.ts";

export interface OpenHop {
  readonly kind: "open";
  readonly status: number;
  /** Names in lower case; a header that came several times has its values joined by a comma, as HTTP has it. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
  close(): void;
}

export interface FailedHop {
  readonly kind: "failed";
  readonly stage: FetchStage;
  readonly error: string;
  readonly message: string;
}

/** Servers' heads are a few KiB; sites with long policies send 20. Chrome takes 256 KiB. */
const MAX_HEAD_BYTES = 65_536;

const REQUEST_HEADERS = {
  accept:
    "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/json;q=0.9,application/xml;q=0.8,*/*;q=0.1",
  "accept-encoding": ACCEPTED_ENCODINGS,
  "user-agent": "haft",
} as const;

export async function openHop(of: {
  readonly target: Screened;
  readonly signal: AbortSignal;
  readonly authorities: readonly string[] | undefined;
  onStage(stage: FetchStage): void;
}): Promise<OpenHop | FailedHop> {
  const { target, signal } = of;
  let stage: FetchStage = "connect";
  const enter = (next: FetchStage): void => {
    stage = next;
    of.onStage(next);
  };
  let socket: Socket | undefined;
  try {
    enter("connect");
    socket = await connectPinned({ addresses: target.addresses, port: target.port, signal });
    if (target.url.protocol === "https:") {
      enter("tls");
      socket = await startTls({ socket, host: target.host, signal, authorities: of.authorities });
    }
    enter("request");
    return await request({ target, socket, signal });
  } catch (error) {
    socket?.destroy();
    return { kind: "failed", stage, ...describeError(error) };
  }
}

async function request(of: {
  readonly target: Screened;
  readonly socket: Socket;
  readonly signal: AbortSignal;
}): Promise<OpenHop> {
  const client = openClient(of.target.url, of.socket);
  const close = (): void => {
    of.signal.removeEventListener("abort", close);
    void client.destroy().catch(() => undefined);
    of.socket.destroy();
  };
  of.signal.addEventListener("abort", close);
  try {
    const { pathname, search } = of.target.url;
    const { statusCode, headers, body } = await client.request({
      method: "GET",
      path: `${pathname}${search}`,
      headers: REQUEST_HEADERS,
      reset: true,
      signal: of.signal,
    });
    // An error may come before anybody reads, and nobody may ever read: the body of a redirect.
    body.on("error", () => undefined);
    return { kind: "open", status: statusCode, headers: joinHeaders(headers), body, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The deadline is the caller's, over all hops, so the client's own clocks, which start again at each step, are off. */
function openClient(url: URL, socket: Socket): Client {
  let isTaken = false;
  return new Client(url.origin, {
    pipelining: 1,
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_options, callback) => {
      // A client that lost its connection would make another; this one has the screened socket and no more.
      const isLost = isTaken;
      isTaken = true;
      // Not at once: the client is in the middle of taking up the request.
      setImmediate(() =>
        isLost ? callback(new Error("the connection was lost"), null) : callback(null, socket),
      );
    },
  });
}

function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (value !== undefined) joined.set(name, joinValues(name, [value].flat()));
  }
  return joined;
}

/** Two different places to go are none: which one a reader takes would be a matter of taste. */
function joinValues(name: string, values: readonly string[]): string {
  if (name !== "location") return values.join(", ");
  return new Set(values).size === 1 ? (values[0] ?? "") : "";
}

/** The cause says more than the library's wrapping does: `ECONNRESET` rather than `UND_ERR_SOCKET`. */
export function describeError(error: unknown): { readonly error: string; readonly message: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { error: codeOf(cause), message: cause instanceof Error ? cause.message : String(cause) };
}
