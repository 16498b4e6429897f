/**
 * Owns what `browse` gives of pages, with the browser of this machine.
 * Leaves what pages connect to to browse-ways-out.test.ts, how visits end to browse-endings.test.ts. Rule: every page
 * here comes from a server of the test.
 */
import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { openSession } from "../../src/session/open-session.ts";
import { serveHttp, serveHttps } from "../net/loopback.ts";
import { describeWithBrowser, LOOPBACK, makeFolder, openBrowsing } from "./browser-fixture.ts";

type Site = Readonly<Record<string, string | RequestListener>>;

/** Pages by their path. */
async function serveSite(site: Site) {
  const server = await serveHttp((request, response) => {
    const page = site[new URL(request.url ?? "", "http://x").pathname];
    if (typeof page === "function") return void page(request, response);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(page ?? "<title>none</title><p>no such page");
  });
  const host = `page.test:${server.port}`;
  return { ...server, host, at: (path: string) => `http://${host}${path}` };
}

const APPLICATION = `<!doctype html><html><head><title>Shop</title></head><body><div id="root">Loading…</div>
<script>
  fetch("/items").then((answer) => answer.json()).then((items) => {
    document.title = items.length + " items";
    document.getElementById("root").innerHTML = "<main><h1>Items</h1><ul>" + items.map((item) => "<li><a href='/item/" + item + "'>" + item + "</a></li>").join("") + "</ul></main>";
  });
</script></body></html>`;

const items: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end('["anchor","buoy"]');

describeWithBrowser("browse", () => {
  it("gives a page that its scripts have made, in each format", async () => {
    const site = await serveSite({ "/": APPLICATION, "/items": items });
    const { browse } = openBrowsing({ allowed: [site.host] });
    const url = site.at("/");
    const markdown = await browse(url);
    expect(markdown.content).toBe(
      `${url}: 200, text/html, ${(markdown.isError ? undefined : markdown.details.bytes) ?? 0} bytes, "2 items"; left out: 1 script\n# Items\n\n- [anchor](${site.at("/item/anchor")})\n- [buoy](${site.at("/item/buoy")})`,
    );
    expect((await browse(url, { format: "text" })).content).toMatch(/\nItems\n[\s\S]*anchor[\s\S]*buoy/);
    expect((await browse(url, { format: "links" })).content).toContain(site.at("/item/buoy"));
    expect((await browse(url, { format: "source" })).content).toContain("<title>2 items</title>");
  }, 60_000);

  it("gives the same bytes for the same page", async () => {
    const site = await serveSite({
      "/": `${APPLICATION}<img src="http://evil.test/a"><img src="http://evil.test/b">`,
      "/items": items,
    });
    const { browse } = openBrowsing({ allowed: [site.host] });
    const first = await browse(site.at("/"));
    expect(first.content).toContain(
      "2 requests were blocked: http://evil.test/a (loopback address), http://evil.test/b (loopback address)",
    );
    expect((await browse(site.at("/"))).content).toBe(first.content);
  }, 60_000);

  it("lets timers run for as long as is asked for, in far less time", async () => {
    const site = await serveSite({
      "/": `<title>t</title><p id=p>start</p><script>setTimeout(() => { p.textContent += " 3 s" }, 3000); setTimeout(() => { p.textContent += " 25 s" }, 25000)</script>`,
    });
    const { browse } = openBrowsing({ allowed: [site.host] });
    expect((await browse(site.at("/"))).content).toMatch(/\nstart 3 s$/);
    expect((await browse(site.at("/"), { wait_ms: 30_000 })).content).toMatch(/\nstart 3 s 25 s$/);
    expect((await browse(site.at("/"), { wait_ms: 0 })).content).toMatch(/\nstart$/);
    expect((await browse(site.at("/"), { wait_ms: 30_001 })).isError).toBe(true);
  }, 60_000);

  it("says where a page came from at last, and its status", async () => {
    const site = await serveSite({
      "/old": (_request, response) => void response.writeHead(302, { location: "/new" }).end(),
      "/new": `<title>new</title><p>moved here</p>`,
      "/script": `<title>s</title><script>location = "/new"</script>`,
    });
    const { browse } = openBrowsing({ allowed: [site.host] });
    for (const path of ["/old", "/script"]) {
      const output = await browse(site.at(path));
      expect(output.content.split("\n")[0]).toMatch(
        new RegExp(
          `^${site.at("/new")}: 200, text/html, \\d+ bytes, "new"; redirected from ${site.at(path)}`,
        ),
      );
      expect(output.isError ? undefined : output.details.url).toBe(site.at("/new"));
    }
    expect((await browse(site.at("/missing"))).content).toMatch(/: 404, text\/html, [\s\S]*no such page$/);
  }, 60_000);

  it("adds a picture that providers take", async () => {
    const site = await serveSite({ "/": `<title>t</title><body style="background:#c00"><p>red</p>` });
    const { browse } = openBrowsing({ allowed: [site.host] });
    const output = await browse(site.at("/"), { screenshot: true });
    expect(output.content).toMatch(/screenshot of 1280×800 pixels\nred$/);
    expect(output.images).toMatchObject([{ mediaType: "image/png", width: 1280, height: 800 }]);
    const bytes = Buffer.from(output.images[0]?.base64 ?? "", "base64");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    const sharp = (await import("sharp")).default;
    const { dominant } = await sharp(bytes).stats();
    expect(dominant.r).toBeGreaterThan(150);
    expect(dominant.g).toBeLessThan(50);
  }, 60_000);

  it("keeps a picture of noise below what providers take", async () => {
    const site = await serveSite({
      "/": `<title>t</title><body style="margin:0"><canvas id=c width=1280 height=800></canvas><script>const x = c.getContext("2d"), d = x.createImageData(1280, 800); for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 === 3 ? 255 : Math.random() * 256; x.putImageData(d, 0, 0)</script>`,
    });
    const { browse } = openBrowsing({ allowed: [site.host] });
    const output = await browse(site.at("/"), { screenshot: true });
    expect(output.images).toHaveLength(1);
    expect(output.images[0]?.base64.length).toBeLessThan(5_000_000);
  }, 60_000);

  it("begins each visit without what another left", async () => {
    const seen: (string | undefined)[] = [];
    const site = await serveSite({
      "/": (request, response) => {
        seen.push(request.headers.cookie);
        response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=1; Max-Age=9999" });
        response.end(
          `<title>t</title><p id=p></p><script>p.textContent = "kept " + localStorage.length; localStorage.setItem("a", "1")</script>`,
        );
      },
    });
    const { browse, profiles } = openBrowsing({ allowed: [site.host] });
    for (const _ of [1, 2]) expect((await browse(site.at("/"))).content).toContain("kept 0");
    expect(seen).toEqual([undefined, undefined]);
    expect(profiles()).toEqual([]);
  }, 60_000);

  it("sends a plain server no word of the proxy, and never a credential", async () => {
    const site = await serveSite({ "/": "<title>t</title><p>x</p>" });
    const { browse } = openBrowsing({ allowed: [site.host] });
    await browse(site.at("/"));
    const [request] = site.requests;
    expect(request?.headers["user-agent"]).toMatch(/Chrome\/[\d.]+ Safari\/[\d.]+$/);
    expect(Object.keys(request?.headers ?? {}).filter((name) => /proxy|auth|cookie/.test(name))).toEqual([]);
  }, 60_000);

  it("gives what there is of a page that never finishes", async () => {
    const site = await serveSite({
      "/": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<title>slow</title><p>the beginning</p>");
      },
      "/stream": `<title>s</title><p>streaming</p><script>new EventSource("/events"); fetch("/poll")</script>`,
      "/events": (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: x\n\n");
      },
      "/poll": () => undefined,
    });
    const { browse } = openBrowsing({ allowed: [site.host] });
    const [slow, stream] = await Promise.all([browse(site.at("/")), browse(site.at("/stream"))]);
    expect(slow.content).toMatch(/\nthe beginning$/);
    expect(stream.content).toMatch(/\nstreaming$/);
  }, 60_000);

  it("says so where a script never ends", async () => {
    const site = await serveSite({ "/": `<title>t</title><p>x</p><script>for (;;);</script>` });
    const { browse, profiles } = openBrowsing({ allowed: [site.host] });
    const startedMs = performance.now();
    const output = await browse(site.at("/"));
    expect(performance.now() - startedMs).toBeLessThan(25_000);
    expect(output.isError && output.refusal).toMatchObject({
      code: "browser-failed",
      facts: { reason: "timed-out" },
    });
    expect(output.content).toContain("A script of the page may never end");
    expect(profiles()).toEqual([]);
  }, 60_000);

  it("keeps no more of a DOM than it says, and no more of a body without end than fits", async () => {
    const site = await serveSite({
      "/grows": `<title>g</title><body><script>const many = "<p>" + "x".repeat(1000); for (let i = 0; i < 3000; i++) document.body.insertAdjacentHTML("beforeend", many)</script>`,
      "/endless": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<title>e</title>");
        const chunk = `<p>${"more ".repeat(1_000)}</p>`.repeat(10);
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          response.once("drain", more);
        };
        more();
      },
    });
    const { browse, profiles } = openBrowsing({ allowed: [site.host] });
    const before = process.memoryUsage().rss;
    const expectCut = (output: Awaited<ReturnType<typeof browse>>) => {
      expect(output.content.split("\n")[0]).toContain(
        "524288 bytes; cut: the body goes on after these bytes",
      );
      expect(output.content.endsWith("no call reads on from here]")).toBe(true);
      expect(output.isError ? undefined : output.details.isCut).toBe(true);
    };
    expectCut(await browse(site.at("/grows"), { format: "source" }));
    const endless = await browse(site.at("/endless"), { format: "source" });
    // A busy machine may not get through the part that fits before its time is over.
    if (endless.isError) expect(endless.refusal).toMatchObject({ facts: { reason: "timed-out" } });
    else expectCut(endless);
    expect(profiles()).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  }, 60_000);

  it("is an error where the server cannot be reached, or gives what is no page", async () => {
    const site = await serveSite({
      "/file": (_request, response) =>
        void response
          .writeHead(200, {
            "content-type": "application/octet-stream",
            "content-disposition": "attachment; filename=a.bin",
          })
          .end("12345"),
    });
    const closed = "page.test:9";
    const { browse } = openBrowsing({ allowed: [site.host, "page.test:1", "page.test:65000"] });
    expect((await browse("http://page.test:65000/")).content).toBe(
      "The browser gave no DOM of http://page.test:65000/. Its last words: no connection to the server",
    );
    expect((await browse(`http://${closed}/`)).isError).toBe(true);
    const file = await browse(site.at("/file"));
    expect(file.isError && file.refusal.code).toBe("browser-failed");
    expect(file.content).toContain("net::ERR_ABORTED");
  }, 60_000);

  it("does not take a certificate that nobody vouches for", async () => {
    const server = await serveHttps((_request, response) => void response.end("<title>t</title>secret page"));
    const host = `page.test:${server.port}`;
    const output = await openBrowsing({ allowed: [host] }).browse(`https://${host}/`);
    expect(output.isError && output.refusal.code).toBe("browser-failed");
    expect(output.content).toMatch(/net::ERR_CERT_/);
    expect(server.requests).toHaveLength(0);
  }, 60_000);

  it("asks the rules of a session about every request of a page", async () => {
    const other = await serveHttp((_request, response) => void response.end());
    const site = await serveSite({
      "/": `<title>t</title><p>x</p><img src="http://denied.test:${other.port}/a">`,
    });
    const session = await openSession({
      root: makeFolder(),
      mode: "full-access",
      ledger: "memory",
      rules: { deny: ["connects(denied.test)"] },
      network: { privateHosts: [site.host, `denied.test:${other.port}`], lookup: LOOPBACK },
    });
    try {
      const output = await session.call("browse", { url: site.at("/") });
      expect(output.content).toMatch(
        /1 request was blocked: http:\/\/denied\.test:\d+\/a \(.*connects\(denied\.test\).*\)/,
      );
      expect(other.connections()).toBe(0);
      const denied = await session.call("browse", { url: `http://denied.test:${other.port}/` });
      expect(denied.isError && denied.refusal.code).toBe("permission-denied");
    } finally {
      await session.close();
    }
  }, 60_000);

  it("serves several visits at once", async () => {
    const site = await serveSite({ "/": APPLICATION, "/items": items });
    const { browse, profiles } = openBrowsing({ allowed: [site.host] });
    const outputs = await Promise.all([1, 2, 3].map(() => browse(site.at("/"))));
    for (const output of outputs) expect(output.content).toContain("# Items");
    expect(profiles()).toEqual([]);
  }, 60_000);
});
