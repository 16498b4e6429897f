/**
 * Owns one GET over one connection that is made for it: connect, TLS, request, the head of the response.
 * Leaves whether and where to connect to screen.ts, the body to content-encoding.ts, redirects to pinned-fetch.ts.
 * Rule: no cookies, no credentials, no referrer, no proxy of the environment: only what stands here is sent. The
 * connection is closed when the hop is. Node's own client, handed a socket that stands: undici puts its dispatcher
 * under the `fetch` of the whole process when it is loaded, which a library must not do to its host.
 */
import { request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
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

/** The deadline is the caller's, over all hops: no clock of this one connection stands beside it. */
function request(of: {
  readonly target: Screened;
  readonly socket: Socket;
  readonly signal: AbortSignal;
}): Promise<OpenHop> {
  const { url } = of.target;
  return new Promise((resolve, reject) => {
    const sent = sendRequest({
      // No `agent`, not even `false`: with one, Node makes a connection of its own, to a host of its own choice.
      createConnection: () => of.socket,
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...REQUEST_HEADERS, connection: "close" },
      setHost: false,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    // By the bytes alone: past a count, Node would leave headers out without a word.
    sent.maxHeadersCount = 0;
    const close = (): void => {
      of.signal.removeEventListener("abort", onAbort);
      // Not the request: that would empty the body and let it seem to end well.
      of.socket.destroy();
    };
    const onAbort = (): void => {
      close();
      reject(new Error("aborted"));
    };
    of.signal.addEventListener("abort", onAbort);
    // An error may come after the response too; then it is the body's, where the body is not whole.
    sent.on("error", reject);
    sent.on("close", () => reject(new Error("closed without an answer")));
    sent.on("response", (body) => {
      // Nobody may ever read it: the body of a redirect.
      body.on("error", () => undefined);
      resolve({
        kind: "open",
        status: body.statusCode ?? 0,
        headers: joinHeaders(body.headersDistinct),
        body,
        close,
      });
    });
    sent.end();
  });
}

function joinHeaders(headers: NodeJS.Dict<string[]>): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, values = []] of Object.entries(headers)) joined.set(name, joinValues(name, values));
  return joined;
}

/** Two different places to go are none: which one a reader takes would be a matter of taste. */
function joinValues(name: string, values: readonly string[]): string {
  if (name !== "location") return values.join(", ");
  return new Set(values).size === 1 ? (values[0] ?? "") : "";
}

export function describeError(error: unknown): { readonly error: string; readonly message: string } {
  return { error: codeOf(error), message: error instanceof Error ? error.message : String(error) };
}
