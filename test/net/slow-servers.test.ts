/**
 * Owns that every fetch ends: by its deadline, by its caller, and however wrong the server is. Row S14.
 */
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { FETCH_TIMEOUT_MS } from "../../src/contract/network.ts";
import { expectFetched, expectRefused, fetchFor } from "./fetching.ts";
import { serveHttp, serveRaw, untilClosed } from "./loopback.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

/** Sends a text every few milliseconds for as long as the socket is open; of a list, one after the other. */
function trickle(socket: Socket, text: string | readonly string[]): void {
  let at = 0;
  const timer = setInterval(() => {
    const next = typeof text === "string" ? text : text[at++];
    if (next !== undefined) socket.write(next);
  }, 20);
  socket.on("close", () => clearInterval(timer));
}

/** By where the server is slow: what it does once the request is there. */
const SLOW: readonly (readonly [stage: string, name: string, serve: (socket: Socket) => void])[] = [
  ["request", "says nothing", () => undefined],
  ["request", "sends its head byte by byte", (socket) => trickle(socket, [...HEAD])],
  [
    "request",
    "sends headers without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-A: ");
      trickle(socket, "a");
    },
  ],
  [
    "request",
    "sends interim answers without end",
    (socket) => trickle(socket, "HTTP/1.1 102 Processing\r\n\r\n"),
  ],
  [
    "body",
    "sends its body byte by byte",
    (socket) => {
      socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
      trickle(socket, "b");
    },
  ],
  [
    "body",
    "sends its chunks byte by byte",
    (socket) => {
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
      trickle(socket, "1\r\nb\r\n");
    },
  ],
  [
    "body",
    "stops in the middle of compressed bytes",
    (socket) => {
      socket.write(`${HEAD}Content-Encoding: gzip\r\n\r\n`);
      socket.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
    },
  ],
];

describe("a server that", () => {
  it.each(SLOW)("(%s) %s is given up at the deadline", async (stage, _name, serve) => {
    const server = await serveRaw((socket) => socket.once("data", () => serve(socket)));
    const result = await fetchFor(server.url, { privateHosts: [server.host], timeoutMs: 150 });
    const facts = expectRefused(result, "fetch-timed-out");
    expect(facts).toMatchObject({ stage, timeoutMs: 150 });
    await untilClosed(server);
  });

  it.each(SLOW)("(%s) %s is let go at once when the caller cancels", async (_stage, _name, serve) => {
    const cancel = new AbortController();
    const server = await serveRaw((socket) =>
      socket.once("data", () => {
        serve(socket);
        setTimeout(() => cancel.abort(), 50);
      }),
    );
    const result = await fetchFor(server.url, { privateHosts: [server.host], signal: cancel.signal });
    expectRefused(result, "fetch-cancelled");
    await untilClosed(server);
  });

  it("never ends its handshake is given up at the deadline", async () => {
    const server = await serveRaw((socket) => socket.resume());
    const url = server.url.replace("http:", "https:");
    const facts = expectRefused(
      await fetchFor(url, { privateHosts: [server.host], timeoutMs: 150 }),
      "fetch-timed-out",
    );
    expect(facts.stage).toBe("tls");
    await untilClosed(server);
  });

  it.each([
    ["closes at once", (socket: Socket) => socket.end()],
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
    ["speaks something else", (socket: Socket) => socket.end("SSH-2.0-x\r\n")],
    [
      "sends a head of a megabyte",
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(1 << 20)}`),
    ],
    [
      "sends 100,000 headers",
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(100_000)}\r\n`),
    ],
    [
      "has two lengths",
      (socket: Socket) => socket.end(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`),
    ],
    [
      "has a length and chunks",
      (socket: Socket) =>
        socket.end(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    ],
    [
      "changes the protocol",
      (socket: Socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ],
  ])("%s is an error", async (_name, serve) => {
    const server = await serveRaw((socket) => socket.once("data", () => serve(socket)));
    const result = await fetchFor(server.url, { privateHosts: [server.host], timeoutMs: 5000 });
    expect(expectRefused(result, "fetch-failed").stage).toBe("request");
    await untilClosed(server);
  });
});

describe("the deadline", () => {
  it("is one for all hops", async () => {
    const server = await serveHttp((request, response) => {
      const at = Number((request.url ?? "/0").slice(1));
      setTimeout(() => response.writeHead(302, { location: `/${at + 1}` }).end(), 120);
    });
    const result = await fetchFor(`${server.url}0`, { privateHosts: [server.host], timeoutMs: 300 });
    expect(expectRefused(result, "fetch-timed-out").hop).toBeGreaterThan(0);
    await untilClosed(server);
  });

  it("is fifteen seconds unless said otherwise", () => {
    expect(FETCH_TIMEOUT_MS).toBe(15_000);
  });

  it("leaves a response alone that came in time", async () => {
    const server = await serveHttp((_request, response) => response.end("in time"));
    const cancel = new AbortController();
    const result = await fetchFor(server.url, { privateHosts: [server.host], signal: cancel.signal });
    cancel.abort();
    expect(expectFetched(result).body.toString()).toBe("in time");
  });
});

describe("a call that was cancelled before", () => {
  it("connects nowhere and asks no resolver", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const result = await fetchFor(server.url, { privateHosts: [server.host], signal: AbortSignal.abort() });
    expectRefused(result, "fetch-cancelled");
    expect(server.connections()).toBe(0);
  });
});

describe("a port where nobody listens", () => {
  it("is an error that says so", async () => {
    const server = await serveHttp(() => undefined);
    const facts = expectRefused(
      await fetchFor("http://127.0.0.3:1234/", { privateHosts: ["127.0.0.3:1234"] }),
      "fetch-failed",
    );
    expect(facts).toMatchObject({ stage: "connect", error: "ECONNREFUSED" });
    expect(server.connections()).toBe(0);
  });
});
