/**
 * Owns what every request through the proxy has in common: its clock, the headers that go on, the word for a refusal.
 * Leaves sending to proxy-forward.ts and proxy-tunnel.ts. Rule: what is between the browser and the proxy (its
 * credentials, its connection) stays between them, and Host is the host that was screened.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { explainBlock, type NetRefusal } from "./net-refusal.ts";

/** Until the connection stands; after that the browser's own deadline rules. */
const CONNECT_MS = 15_000;

/** Aborts when the browser gives the request up, and when connecting takes too long. */
export function startRequest(socket: Duplex): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, CONNECT_MS);
  socket.once("close", abort);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      socket.off("close", abort);
    },
  };
}

/** The header by which an answer of the proxy itself is told from a server's (RFC 9209). */
export const PROXY_STATUS = "haft; error=connection_refused";

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Name and value in turn, as they came, without those of one connection. */
export function keepEndToEnd(
  rawHeaders: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!HOP_BY_HOP.has(name.toLowerCase())) pairs.push([name, rawHeaders[index + 1] ?? ""]);
  }
  return pairs;
}

/** The headers of a browser's request for the server of `url`. */
export function forwardedHeaders(of: {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly mark: string;
}): readonly (readonly [name: string, value: string])[] {
  const kept = keepEndToEnd(of.request.rawHeaders)
    .filter(([name]) => name.toLowerCase() !== "host")
    .map(
      ([name, value]) =>
        [name, name.toLowerCase() === "user-agent" ? value.replace(of.mark, "").trim() : value] as const,
    );
  return [["Host", of.url.host], ...kept];
}

export function writeForwardedHeaders(of: {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly mark: string;
}): string {
  const upgrade = [
    ["Connection", "Upgrade"],
    ["Upgrade", of.request.headers.upgrade ?? "websocket"],
  ] as const;
  return [...forwardedHeaders(of), ...upgrade].map(([name, value]) => `${name}: ${value}\r\n`).join("");
}

/** For whoever reads a page's console, or what a program printed; the host reads the typed refusal. */
export function describeRefusal(refusal: NetRefusal): string {
  const { code, facts } = refusal;
  if (isScreened(refusal))
    return `haft: the network screen refuses ${facts.url}: ${explainBlock(code, facts)}`;
  const failure = "error" in facts ? `${code}, ${facts.error}` : code;
  return `haft: ${facts.url} cannot be reached: ${failure}`;
}

/** Whether it was the screen that said no, and not the network. */
export function isScreened({ code }: NetRefusal): boolean {
  return code === "url-blocked" || code === "url-invalid";
}
