/**
 * Owns how much of a body is taken, and what is made of encodings. Rows S12, S13 and S17.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/contract/limits.ts";
import { measureRise } from "../support/peak-memory.ts";
import { expectFetched, expectRefused, fetchFor } from "./fetching.ts";
import { type LoopbackServer, serveHttp, serveRaw, untilClosed } from "./loopback.ts";

const MAX = DEFAULT_LIMITS.fetchMax;
const MIB = 1024 * 1024;

function serveBytes(
  bytes: Uint8Array,
  headers: Record<string, string | number> = {},
): Promise<LoopbackServer> {
  return serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain", ...headers }).end(bytes);
  });
}

async function fetchFrom(server: LoopbackServer): ReturnType<typeof fetchFor> {
  return await fetchFor(server.url, { privateHosts: [server.host] });
}

/** Writes without end until the other side has had enough. */
function flood(response: ServerResponse, chunk: Buffer): void {
  const pump = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("error", () => undefined);
  response.on("drain", pump);
  pump();
}

/** 1 GiB of zeros, compressed once for the file: about 1 MB. */
let bomb: Promise<Buffer> | undefined;
async function compressGibibyte(): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const parts: Buffer[] = [];
  gzip.on("data", (part: Buffer) => parts.push(part));
  const zeros = Buffer.alloc(MIB);
  for (let index = 0; index < 1024; index++) if (!gzip.write(zeros)) await once(gzip, "drain");
  gzip.end();
  await once(gzip, "end");
  return Buffer.concat(parts);
}

describe("a body", () => {
  it.each([
    ["below the bound", MAX - 1, false],
    ["at the bound", MAX, false],
    ["one byte over the bound", MAX + 1, true],
    ["far over the bound", MAX * 3, true],
  ])("%s is kept up to it", async (_name, length, isCut) => {
    const server = await serveBytes(Buffer.alloc(length, "x"));
    const fetched = expectFetched(await fetchFrom(server));
    expect([fetched.body.length, fetched.isCut]).toEqual([Math.min(length, MAX), isCut]);
    await untilClosed(server);
  });

  it("without end is taken to the bound, and its socket closed", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      flood(response, Buffer.alloc(65_536, "x"));
    });
    const fetched = expectFetched(await fetchFrom(server));
    expect([fetched.body.length, fetched.isCut]).toEqual([MAX, true]);
    await untilClosed(server);
  });

  it.each([
    ["10 with 5 MB", 10, 5 * MIB, [10, false]],
    ["5 GB with 5 MB", 5e9, 5 * MIB, [MAX, true]],
  ])(
    "that lies about its length (%s) is taken as far as it can be",
    async (_name, claimed, sent, expected) => {
      const server = await serveRaw((socket) => {
        socket.once("data", () => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${claimed}\r\n\r\n`);
          socket.write(Buffer.alloc(sent, "x"));
        });
      });
      const fetched = expectFetched(await fetchFrom(server));
      expect([fetched.body.length, fetched.isCut]).toEqual(expected);
      await untilClosed(server);
    },
  );

  it.each([
    ["its length", "Content-Length: 100\r\n\r\nshort"],
    ["its last chunk", "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"],
    ["a chunk's length", "Transfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n0\r\n\r\n"],
  ])("that ends before %s is an error", async (_name, rest) => {
    const server = await serveRaw((socket) => {
      socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    });
    expectRefused(await fetchFrom(server), "fetch-failed");
    await untilClosed(server);
  });

  it("that stalls after exactly the bound is there", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write(Buffer.alloc(MAX, "x"));
    });
    const result = await fetchFor(server.url, { privateHosts: [server.host], timeoutMs: 500 });
    expect(expectFetched(result).body.length).toBe(MAX);
    await untilClosed(server);
  });

  it("is not read where its head says that it is of no use", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "video/mp4" });
      flood(response, Buffer.alloc(65_536));
    });
    const result = await fetchFor(server.url, {
      privateHosts: [server.host],
      wantsBody: ({ headers }) => headers.get("content-type") !== "video/mp4",
    });
    expect(expectFetched(result)).toMatchObject({ isSkipped: true, body: Buffer.alloc(0) });
    await untilClosed(server);
  });
});

describe("a compressed body", () => {
  const text = "The quick brown fox. ".repeat(100);
  const encoded: readonly (readonly [string, Buffer])[] = [
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
    ["", Buffer.from(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
    ["br,gzip", gzipSync(brotliCompressSync(text))],
    ["deflate, identity , gzip", gzipSync(deflateSync(text))],
    ["gzip", Buffer.concat([gzipSync(text.slice(0, 700)), gzipSync(text.slice(700))])],
  ];

  it.each(encoded)("with %j is undone", async (encoding, bytes) => {
    const server = await serveBytes(bytes, { "content-encoding": encoding });
    const fetched = expectFetched(await fetchFrom(server));
    expect([fetched.body.toString(), fetched.isCut]).toEqual([text, false]);
  });

  it.each([
    ["gzip on plain text", "gzip", Buffer.from("plain text"), "broken"],
    ["br on plain text", "br", Buffer.from("plain text that is no brotli"), "broken"],
    ["deflate on plain text", "deflate", Buffer.from("plain text"), "broken"],
    ["an unknown name", "foo", gzipSync(text), "unknown"],
    ["zstd", "zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]), "unknown"],
    ["gzip cut in the middle", "gzip", gzipSync(text).subarray(0, 40), "truncated"],
    ["br cut in the middle", "br", brotliCompressSync(text).subarray(0, 10), "truncated"],
    ["deflate cut in the middle", "deflate", deflateSync(text).subarray(0, 20), "truncated"],
    ["a stack of which one is not there", "gzip, br", gzipSync(text), "broken"],
    ["a wrong sum", "gzip", Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)]), "broken"],
    ["four of them", "gzip, gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(gzipSync(text)))), "too-many"],
  ])("with %s is an error and no text", async (_name, encoding, bytes, reason) => {
    const server = await serveBytes(bytes, { "content-encoding": encoding });
    expect(expectRefused(await fetchFrom(server), "content-encoding").reason).toBe(reason);
    await untilClosed(server);
  });

  it.each([200, 204, 404])("that is empty is empty (%d)", async (status) => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(status, { "content-encoding": "gzip", "content-type": "text/plain" }).end();
    });
    expect(expectFetched(await fetchFrom(server))).toMatchObject({
      status,
      body: Buffer.alloc(0),
      isCut: false,
    });
  });

  it.runIf(process.platform === "linux")("of 1 GiB is decoded to the bound and no further", async () => {
    bomb ??= compressGibibyte();
    const gzip = await bomb;
    const zeros = Buffer.alloc(64 * MIB);
    const bombs: readonly (readonly [string, Buffer])[] = [
      ["gzip", gzip],
      ["gzip, gzip", gzipSync(gzip)],
      ["br", brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
      ["deflate", deflateSync(zeros)],
      ["deflate", deflateRawSync(zeros)],
    ];
    for (const [encoding, bytes] of bombs) {
      for (const length of [{}, { "content-length": bytes.length }]) {
        const server = await serveBytes(bytes, { "content-encoding": encoding, ...length });
        const rise = await measureRise(async () => {
          const fetched = expectFetched(await fetchFrom(server));
          expect([fetched.body.length, fetched.isCut]).toEqual([MAX, true]);
        });

        expect(rise, encoding).toBeLessThan(50 * MIB);
        await untilClosed(server);
      }
    }
  });

  it("without end that decodes to nothing is given up", async () => {
    // A gzip member of no bytes, again and again.
    const empty = Buffer.concat(Array<Buffer>(2000).fill(gzipSync("")));
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      flood(response, empty);
    });
    expect(expectFetched(await fetchFrom(server))).toMatchObject({ body: Buffer.alloc(0), isCut: true });
    await untilClosed(server);
  });
});
