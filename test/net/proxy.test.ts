/**
 * Owns the proxy that a browser's requests go through: who may use it, what it lets through, and that it ends.
 */
import { request as sendRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FilteringProxy, openProxy } from "../../src/net/proxy.ts";
import { openScreen, type ScreenOptions } from "../../src/net/screen.ts";
import { CERTIFICATE } from "./certificate.ts";
import {
  type LoopbackServer,
  serveHttp,
  serveHttps,
  serveRaw,
  stubResolver,
  untilClosed,
} from "./loopback.ts";

async function open(options: ScreenOptions): Promise<FilteringProxy> {
  const proxy = await openProxy({ screen: openScreen({ lookup: stubResolver({}).lookup, ...options }) });
  onTestFinished(() => proxy.close());
  return proxy;
}

function authorise(proxy: FilteringProxy): Record<string, string> {
  return { "proxy-authorization": `Basic ${Buffer.from(proxy.credentials).toString("base64")}` };
}

function get(
  proxy: FilteringProxy,
  url: string,
  headers: Record<string, string> = authorise(proxy),
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const request = sendRequest({ host: "127.0.0.1", port: proxy.port, path: url, headers, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      let body = "";
      response.on("data", (part: Buffer) => {
        body += part.toString();
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
      );
      response.on("error", reject);
    });
    request.end();
  });
}

/** Sends `text` and gives the socket and all that comes back until `until` stands in it, or the end. */
function say(proxy: FilteringProxy, text: string, until: string): Promise<{ socket: Socket; heard: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(proxy.port, "127.0.0.1", () => socket.write(text));
    onTestFinished(() => void socket.destroy());
    let heard = "";
    socket.on("error", reject);
    socket.on("close", () => resolve({ socket, heard }));
    socket.on("data", (part: Buffer) => {
      heard += part.toString("latin1");
      if (heard.includes(until)) resolve({ socket, heard });
    });
  });
}

function sayConnect(proxy: FilteringProxy, authority: string): Promise<{ socket: Socket; heard: string }> {
  const headers = `Proxy-Authorization: ${authorise(proxy)["proxy-authorization"]}\r\n`;
  return say(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${headers}\r\n`, "\r\n\r\n");
}

const hello = (): Promise<LoopbackServer> =>
  serveHttp((_request, response) => {
    response
      .writeHead(200, ["content-type", "text/plain", "set-cookie", "a=1", "set-cookie", "b=2"])
      .end("hello");
  });

describe("without the secret", () => {
  it.each([
    ["nothing", () => ({})],
    [
      "another password",
      () => ({ "proxy-authorization": `Basic ${Buffer.from("haft:x").toString("base64")}` }),
    ],
    ["an empty one", () => ({ "proxy-authorization": "" })],
    ["the mark not at the end", (proxy: FilteringProxy) => ({ "user-agent": `${proxy.userAgentMark} x` })],
    ["another's credentials", () => ({ authorization: "Basic x" })],
  ])("(%s) nothing is connected", async (_name, headers) => {
    const server = await hello();
    const proxy = await open({ privateHosts: [server.host] });
    const answer = await get(proxy, server.url, headers(proxy) as Record<string, string>);
    expect(answer.status).toBe(407);
    expect(answer.headers["proxy-authenticate"]).toContain("Basic");
    const { heard } = await say(proxy, `CONNECT ${server.host} HTTP/1.1\r\n\r\n`, "\r\n\r\n");
    expect(heard).toMatch(/^HTTP\/1\.1 407 /);
    expect(server.connections()).toBe(0);
  });

  it("differs from one proxy to the next", async () => {
    const [one, other] = [await open({}), await open({})];
    expect(one.credentials).not.toBe(other.credentials);
  });
});

describe("a plain request", () => {
  it("goes to the screened address under its name, without what is the proxy's", async () => {
    const server = await hello();
    const { lookup, asked } = stubResolver({ "page.test": [["127.0.0.1"], ["127.0.0.2"]] });
    const host = `page.test:${server.port}`;
    const proxy = await open({ lookup, privateHosts: [host] });
    const headers = {
      ...authorise(proxy),
      host: "elsewhere.test",
      "proxy-connection": "keep-alive",
      cookie: "c=d",
      "user-agent": "Browser/1",
    };
    const answer = await get(proxy, `http://${host}/a?b=c`, headers);
    expect([answer.status, answer.body, answer.headers["set-cookie"]]).toEqual([
      200,
      "hello",
      ["a=1", "b=2"],
    ]);
    expect(server.requests[0]?.url).toBe("/a?b=c");
    expect(server.requests[0]?.headers).toEqual({
      host,
      cookie: "c=d",
      "user-agent": "Browser/1",
      connection: "close",
    });
    // Of a name that came twice, the list of headers would show the first alone.
    const sent = server.requests[0]?.rawHeaders.filter((_text, index) => index % 2 === 0) ?? [];
    expect(sent.filter((name) => name.toLowerCase() === "host").length).toBe(1);
    expect(asked).toEqual(["page.test"]);
    expect([proxy.connected(), proxy.refused().count]).toEqual([1, 0]);
    await untilClosed(server);
  });

  it("of a browser that proves itself by its user agent goes on without that proof", async () => {
    const server = await hello();
    const proxy = await open({ privateHosts: [server.host] });
    const answer = await get(proxy, server.url, { "user-agent": `Browser/1 ${proxy.userAgentMark}` });
    expect(answer.status).toBe(200);
    expect(server.requests[0]?.headers["user-agent"]).toBe("Browser/1");
  });

  it.each([
    "http://127.0.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://localhost:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://inside.test:PORT/",
    "http://public.test:25/",
    "http://u:p@public.test/",
    "http://169.254.169.254/",
  ])("to %s is refused and counted", async (pattern) => {
    const server = await hello();
    const { lookup } = stubResolver({ "inside.test": [["93.184.216.34", "127.0.0.1"]] });
    const proxy = await open({ lookup });
    const answer = await get(proxy, pattern.replace("PORT", String(server.port)));
    expect(answer.status).toBe(403);
    expect(proxy.refused()).toMatchObject({ count: 1, first: [{ code: "url-blocked" }] });
    expect([server.connections(), proxy.connected()]).toEqual([0, 0]);
  });

  it("is screened by an answer of its own, whatever the one before had", async () => {
    const server = await hello();
    const { lookup } = stubResolver({ "r.test": [["127.0.0.1"], ["169.254.169.254"]] });
    const proxy = await open({ lookup, privateHosts: [`r.test:${server.port}`] });
    expect((await get(proxy, `http://r.test:${server.port}/`)).status).toBe(200);
    expect((await get(proxy, `http://r.test:${server.port}/`)).status).toBe(403);
    expect((await sayConnect(proxy, `r.test:${server.port}`)).heard).toMatch(/^HTTP\/1\.1 403 /);
    expect(server.connections()).toBe(1);
  });

  it("to itself is refused", async () => {
    const proxy = await open({});
    expect((await get(proxy, `http://127.0.0.1:${proxy.port}/`)).status).toBe(403);
  });

  it.each(["/path", "https://public.test/", "ftp://public.test/", "*"])(
    "for %s is no request for a proxy",
    async (path) => {
      const proxy = await open({});
      expect((await get(proxy, path)).status).toBe(400);
    },
  );

  it("that no server answers gets an answer", async () => {
    const server = await serveRaw((socket) => socket.destroy());
    const proxy = await open({ privateHosts: [server.host, "127.0.0.3:1234"] });
    expect((await get(proxy, server.url)).status).toBe(502);
    expect((await get(proxy, "http://127.0.0.3:1234/")).status).toBe(502);
    expect((await get(proxy, "http://nowhere.test/")).status).toBe(502);
    expect((await sayConnect(proxy, "nowhere.test:443")).heard).toMatch(/^HTTP\/1\.1 502 /);
    expect(proxy.refused().count).toBe(0);
  });

  it.each([
    ["a status that is none", "HTTP/1.1 007 Bond\r\n\r\n"],
    ["a control character", "HTTP/1.1 200 OK\r\nX: a\u0001b\r\n\r\n"],
    ["an upgrade that nobody asked for", "HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
    ["another protocol", "SSH-2.0-x\r\n"],
  ])("that is answered with %s leaves the proxy standing", async (_name, answer) => {
    const server = await serveRaw((socket) => socket.once("data", () => socket.end(answer)));
    const good = await hello();
    const proxy = await open({ privateHosts: [server.host, good.host] });
    await get(proxy, server.url).catch(() => undefined);
    expect((await get(proxy, good.url)).status).toBe(200);
  });

  it("is asked of permission", async () => {
    const server = await hello();
    const proxy = await open({
      privateHosts: [server.host],
      mayConnect: () => ({ allowed: false, rule: "connects(*)" }),
    });
    expect((await get(proxy, server.url)).status).toBe(403);
    expect(proxy.refused().first[0]?.facts).toMatchObject({ by: "permission", rule: "connects(*)" });
    expect(server.connections()).toBe(0);
  });
});

describe("a tunnel", () => {
  it("carries TLS to the screened address", async () => {
    const server = await serveHttps((_request, response) => response.end("secure"));
    const { lookup } = stubResolver({ "named.test": [["127.0.0.1"]] });
    const proxy = await open({ lookup, privateHosts: [`named.test:${server.port}`] });
    const { socket, heard } = await sayConnect(proxy, `named.test:${server.port}`);
    expect(heard).toMatch(/^HTTP\/1\.1 200 /);
    const body = await new Promise<string>((resolve, reject) => {
      let text = "";
      const secure = connectTls({ socket, servername: "named.test", ca: CERTIFICATE }, () => {
        secure.write("GET / HTTP/1.1\r\nHost: named.test\r\nConnection: close\r\n\r\n");
      });
      secure.on("data", (part: Buffer) => {
        text += part.toString();
      });
      secure.on("error", reject);
      secure.on("close", () => resolve(text));
    });
    expect(body).toContain("secure");
    expect(server.names).toEqual(["named.test"]);
    await untilClosed(server);
  });

  it.each([
    "127.0.0.1:PORT",
    "localhost:PORT",
    "[::1]:PORT",
    "0:PORT",
    "169.254.169.254:443",
    "public.test:25",
  ])("to %s is refused", async (pattern) => {
    const server = await hello();
    const proxy = await open({});
    const { heard } = await sayConnect(proxy, pattern.replace("PORT", String(server.port)));
    expect(heard).toMatch(/^HTTP\/1\.1 403 /);
    expect([server.connections(), proxy.refused().count]).toEqual([0, 1]);
  });

  it.each([
    "127.0.0.1",
    "u:p@127.0.0.1:80",
    "http://127.0.0.1:80",
    "127.0.0.1:80/x",
    "a:1:2",
    ":80",
    "127.0.0.1:123456",
  ])("to %s is no tunnel", async (authority) => {
    const proxy = await open({});
    const { heard } = await sayConnect(proxy, authority);
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(proxy.connected()).toBe(0);
  });

  it("ends with either side, and with the proxy", async () => {
    const server = await serveRaw((socket) => socket.resume());
    const proxy = await open({ privateHosts: [server.host] });
    const first = await sayConnect(proxy, server.host);
    first.socket.destroy();
    await untilClosed(server);
    const second = await sayConnect(proxy, server.host);
    await proxy.close();
    await untilClosed(server);
    expect(second.heard).toMatch(/^HTTP\/1\.1 200 /);
    await expect(get(proxy, server.url)).rejects.toThrow();
  });

  it("is opened for a websocket, by an upgrade of a plain request, under the same screen", async () => {
    const server = await serveRaw((socket) => {
      socket.once("data", (opening: Buffer) => {
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nX-Opening: ${JSON.stringify(opening.toString())}\r\n\r\n`,
        );
        socket.on("data", (part: Buffer) => socket.write(`echo ${part}`));
      });
    });
    const proxy = await open({ privateHosts: [server.host] });
    const opening = (target: string): string =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${authorise(proxy)["proxy-authorization"]}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n`;
    const { socket, heard } = await say(proxy, opening(`${server.url}ws`), "\r\n\r\n");
    expect(heard).toContain("101 Switching");
    expect(heard).toContain(`GET /ws HTTP/1.1\\r\\nHost: ${server.host}\\r\\n`);
    expect(heard.toLowerCase()).toContain("upgrade: websocket");
    expect(heard.toLowerCase()).not.toContain("proxy-authorization");
    const echoed = new Promise((resolve) => socket.once("data", (part: Buffer) => resolve(part.toString())));
    socket.write("ping");
    expect(await echoed).toBe("echo ping");
    const refused = await say(proxy, opening("http://localhost:1/"), "\r\n\r\n");
    expect(refused.heard).toMatch(/^HTTP\/1\.1 403 /);
    expect((await say(proxy, opening("/ws"), "\r\n\r\n")).heard).toMatch(/^HTTP\/1\.1 400 /);
  });
});
