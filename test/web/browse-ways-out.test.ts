/**
 * Owns that nothing which a page does reaches an address that the screen refuses, by counting what arrives there.
 * Leaves the ways to ways-out.ts. Rule: each is shown to reach a server that is allowed, so that a page which does
 * nothing at all is no proof.
 */
import { createSocket } from "node:dgram";
import type { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { serveHttp, serveRaw } from "../net/loopback.ts";
import {
  BROWSER,
  describeWithBrowser,
  LOOPBACK,
  nameBrowser,
  openBrowsing,
  writeProgram,
} from "./browser-fixture.ts";
import { AWAY, REGISTER, SERVICE_WORKER, WITHIN } from "./ways-out.ts";

/** A server that answers everything, and counts connections, datagrams and first lines. */
async function listen() {
  const lines: string[] = [];
  let datagrams = 0;
  const server = await serveRaw((socket: Socket) => {
    socket.once("data", (data) => {
      lines.push(data[0] === 0x16 ? "TLS" : (data.toString("latin1").split(" ")[1] ?? ""));
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *\r\n\r\n");
    });
  });
  const udp = createSocket("udp4");
  udp.on("message", () => {
    datagrams += 1;
  });
  await new Promise<void>((resolve) => udp.bind(server.port, "127.0.0.1", () => resolve()));
  onTestFinished(() => void udp.close());
  return { ...server, lines, arrived: () => ({ connections: server.connections(), datagrams }) };
}

/** `/` is the page, `/to?URL` leads there, and `/hold` keeps the page in real time for what goes on beside it. */
async function servePage(page: string, worker = "") {
  const server = await serveHttp((request, response) => {
    const { pathname, search } = new URL(request.url ?? "", "http://x");
    if (pathname === "/to") response.writeHead(302, { location: search.slice(1) }).end();
    else if (pathname === "/sw.js")
      response.writeHead(200, { "content-type": "text/javascript" }).end(worker);
    else if (pathname === "/hold") setTimeout(() => response.writeHead(404).end(), 2_000);
    else if (pathname !== "/") response.writeHead(404).end();
    else
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><title>page</title><body><p>the page</p>${page}<img src="/hold"></body>`);
  });
  return { ...server, at: (name: string) => `${name}:${server.port}` };
}

const NOTHING = { connections: 0, datagrams: 0 };

describeWithBrowser("what a page connects to", () => {
  it("arrives, whatever way it takes, at a server that is allowed: so the others are counted", async () => {
    const listener = await listen();
    const host = `good.test:${listener.port}`;
    const page = await servePage(WITHIN.map(({ html }) => html(host)).join("\n"));
    const { browse } = openBrowsing({ allowed: [page.at("page.test"), host] });
    const output = await browse(`http://${page.at("page.test")}/`, { format: "source" });
    expect(output.content).toContain("the page");
    const wanted = WITHIN.map(({ arrives }) => arrives).filter((path) => path !== undefined);
    expect(wanted.filter((path) => !listener.lines.includes(path))).toEqual([]);
  }, 60_000);

  it("arrives by UDP at a machine of WebRTC where Chromium is not told otherwise", async () => {
    const listener = await listen();
    const rtc = WITHIN.find(({ about }) => about === "WebRTC");
    const page = await servePage(rtc?.html(`127.0.0.1:${listener.port}`) ?? "");
    const told = "*webrtc-ip-handling*|--host-resolver-rules*";
    nameBrowser(
      writeProgram(
        `#!/bin/bash\nargs=()\nfor word in "$@"; do case "$word" in ${told}) ;; *) args+=("$word") ;; esac; done\nexec ${BROWSER} "\${args[@]}"\n`,
      ),
    );
    const { browse } = openBrowsing({ allowed: [page.at("page.test")] });
    const output = await browse(`http://${page.at("page.test")}/`, { format: "source" });
    expect(output.content).toContain("page peers");
    expect(listener.arrived().datagrams).toBeGreaterThan(0);
  }, 60_000);

  it.each(["evil.test", "127.0.0.1", "localhost", "page.test"])(
    "does not arrive at %s, which is this machine",
    async (name) => {
      const listener = await listen();
      const host = `${name}:${listener.port}`;
      const page = await servePage(WITHIN.map(({ html }) => html(host)).join("\n"));
      const { browse } = openBrowsing({ allowed: [page.at("page.test")] });
      const output = await browse(`http://${page.at("page.test")}/`, { format: "source" });
      expect(output.content).toContain("the page");
      expect(output.content).toContain("peers");
      expect(listener.arrived()).toEqual(NOTHING);
      const blocked = output.isError ? [] : output.details.blocked.first.map(({ url }) => url);
      const wanted = [
        "/img",
        "/script",
        "/frame-to",
        "/fetch-to",
        "/es",
        "/beacon",
        "/css",
        "/worker",
        "/form",
      ];
      expect(wanted.filter((path) => !blocked.includes(`http://${host}${path}`))).toEqual([]);
      expect(output.content.split("\n")[0]).toMatch(/requests were blocked: http:\/\/.* and \d+ more$/);
    },
    60_000,
  );

  it.each(AWAY)(
    "does not take the page to a refused address by $about",
    async ({ html }) => {
      const listener = await listen();
      const host = `evil.test:${listener.port}`;
      const page = await servePage(html(host));
      const { browse } = openBrowsing({ allowed: [page.at("page.test")] });
      const output = await browse(`http://${page.at("page.test")}/`);
      expect(listener.arrived()).toEqual(NOTHING);
      expect(output.isError && output.refusal.code).toBe("url-blocked");
      expect(output.content).toMatch(/^https?:\/\/evil\.test:\d+\/away .* loopback address/);
    },
    60_000,
  );

  it("does not follow a redirect to a refused address", async () => {
    const listener = await listen();
    const page = await servePage("");
    const { browse } = openBrowsing({ allowed: [page.at("page.test")] });
    const output = await browse(`http://${page.at("page.test")}/to?http://evil.test:${listener.port}/`);
    expect(listener.arrived()).toEqual(NOTHING);
    expect(output.isError && output.refusal.code).toBe("url-blocked");
    expect(output.content).toContain(`http://evil.test:${listener.port}/`);
  }, 60_000);

  it("does not arrive from a service worker, though it runs when the page has gone", async () => {
    for (const [name, isAllowed] of [
      ["good.test", true],
      ["evil.test", false],
    ] as const) {
      const listener = await listen();
      const host = `${name}:${listener.port}`;
      const page = await servePage(REGISTER, SERVICE_WORKER(host));
      // Only a secure place may have one: a name of this machine is.
      const own = page.at("localhost");
      const { browse } = openBrowsing({ allowed: isAllowed ? [own, host] : [own] });
      const output = await browse(`http://${own}/`, { format: "source" });
      expect(output.content).toContain("page ready");
      if (isAllowed) expect(listener.lines).toEqual(expect.arrayContaining(["/sw-install", "/sw-message"]));
      else expect(listener.arrived()).toEqual(NOTHING);
    }
  }, 60_000);

  it("does not arrive at a name that has become this machine since it was screened", async () => {
    const listener = await listen();
    let asked = 0;
    const lookup = async (host: string) =>
      host === "rebind.test" && asked++ === 0 ? [{ address: "93.184.216.34", family: 4 }] : LOOPBACK();
    const { browse } = openBrowsing({ network: { lookup } });
    const output = await browse(`http://rebind.test:${listener.port}/`);
    expect(asked).toBeGreaterThan(1);
    expect(listener.arrived()).toEqual(NOTHING);
    expect(output.isError && output.refusal.code).toBe("url-blocked");
  }, 60_000);

  it("is no file of this machine", async () => {
    const page = await servePage(
      `<iframe src="file:///etc/passwd"></iframe><script>fetch("file:///etc/passwd").catch(() => {}); location = "file:///etc/passwd"</script>`,
    );
    const { browse } = openBrowsing({ allowed: [page.at("page.test")] });
    const output = await browse(`http://${page.at("page.test")}/`, { format: "source" });
    expect(output.content).toContain("the page");
    expect(output.content).not.toContain("root:");
    const redirected = await browse(`http://${page.at("page.test")}/to?file:///etc/passwd`, {
      format: "source",
    });
    expect(redirected.isError).toBe(true);
    expect(redirected.content).not.toContain("root:");
  }, 60_000);

  it("is not what the browser itself would ask its maker", async () => {
    const asked: string[] = [];
    const page = await servePage("");
    const lookup = async (host: string) => {
      asked.push(host);
      return LOOPBACK();
    };
    const own = page.at("page.test");
    const { browse } = openBrowsing({ network: { lookup, privateHosts: [own] } });
    const output = await browse(`http://${own}/`);
    expect(output.isError).toBe(false);
    expect([...new Set(asked)]).toEqual(["page.test"]);
  }, 60_000);
});
