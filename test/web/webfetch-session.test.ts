/**
 * Owns how permission stands before every hop of `webfetch` in a session, and what is told where pages cannot be
 * converted. Leaves rules to src/permission/, addresses to webfetch-screen.test.ts.
 * Rule: connections are counted at the listener: a hop that no rule covers reaches nobody.
 */
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../src/tools/catalog.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { type LoopbackServer, serveHttp } from "../net/loopback.ts";
import { expectCode, expectDone, makeRoot, open } from "../session/session-fixture.ts";
import { serveBody } from "./web-fixture.ts";

function redirectTo(url: string): Promise<LoopbackServer> {
  return serveHttp((_request, response) => response.writeHead(302, { location: url }).end());
}

const networkOf = (...servers: readonly LoopbackServer[]) => ({
  privateHosts: servers.map(({ host }) => host),
});

describe("webfetch in a session", () => {
  it("is mounted by default, and asked for where no rule speaks", async () => {
    const server = await serveBody("<p>x");
    for (const mode of ["read-only", "workspace-write"] as const) {
      const session = await open(makeRoot(), { mode, network: networkOf(server) });
      const text = expectCode(await session.call("webfetch", { url: server.url }), "permission-denied");
      expect(text).toContain(`connects(${server.host})`);
    }
    expect(server.connections()).toBe(0);
    const session = await open(makeRoot(), { mode: "full-access", network: networkOf(server) });
    expectDone(await session.call("webfetch", { url: server.url }));
  });

  it("declares the port, written or not", async () => {
    const session = await open(makeRoot());
    for (const [url, host] of [
      ["https://site.example/a", "site.example:443"],
      ["http://SITE.example/a", "site.example:80"],
      ["http://site.example:8080/", "site.example:8080"],
      ["http://[::1]/", "[::1]:80"],
    ] as const) {
      const explained = await session.explain({ name: "webfetch", args: { url } });
      expect("access" in explained && explained.access.connects).toEqual([host]);
    }
  });

  it("follows no redirect to a host that no allow rule covers, and names it", async () => {
    const target = await serveBody("<p>secret");
    const first = await redirectTo(target.url);
    const options = { mode: "workspace-write", network: networkOf(first, target) } as const;
    const narrow = await open(makeRoot(), { ...options, rules: { allow: [`connects(${first.host})`] } });
    const text = expectCode(await narrow.call("webfetch", { url: first.url }), "url-blocked");
    expect(text).toContain(`no rule allows ${target.host}`);
    expect([first.connections(), target.connections()]).toEqual([1, 0]);
    const wide = await open(makeRoot(), { ...options, rules: { allow: ["connects(127.0.0.1)"] } });
    expectDone(await wide.call("webfetch", { url: first.url }));
    expect(target.connections()).toBe(1);
  });

  it("follows no redirect to a host that a rule denies, whoever let the call through", async () => {
    const target = await serveBody("<p>secret");
    const first = await redirectTo(target.url);
    const rules = { deny: [`connects(${target.host})`] };
    const approve = async () => ({ allow: "once" }) as const;
    for (const options of [{ mode: "full-access" }, { mode: "workspace-write", approve }] as const) {
      const session = await open(makeRoot(), { ...options, rules, network: networkOf(first, target) });
      const text = expectCode(await session.call("webfetch", { url: first.url }), "url-blocked");
      expect(text).toContain(`deny connects(${target.host})`);
    }
    expect(target.connections()).toBe(0);
  });

  it("follows redirects of a call that a person allowed", async () => {
    const target = await serveBody("<p>there");
    const first = await redirectTo(target.url);
    const approve = async () => ({ allow: "once" }) as const;
    const session = await open(makeRoot(), {
      mode: "workspace-write",
      approve,
      network: networkOf(first, target),
    });
    expect(expectDone(await session.call("webfetch", { url: first.url })).content).toContain("there");
  });

  it("carries a long page with a gap that recall fills", async () => {
    const server = await serveBody(
      Array.from({ length: 3_000 }, (_, at) => `<p>paragraph ${at} of many`).join("\n"),
    );
    const session = await open(makeRoot(), { network: networkOf(server) });
    const { content } = expectDone(await session.call("webfetch", { url: server.url }));
    const gap = /recall (\{.*\}) returns them/.exec(content)?.[1] ?? "";
    expect(content.length).toBeLessThan(31_000);
    expect(expectDone(await session.call("recall", JSON.parse(gap))).content).toContain(
      "paragraph 1500 of many",
    );
  });

  it("fetches where every tool runs in the worker, by the same rules", async () => {
    const target = await serveBody("<title>T</title><p>there");
    const first = await redirectTo(target.url);
    const options = {
      mode: "workspace-write",
      isolation: "worker",
      network: networkOf(first, target),
    } as const;
    const narrow = await open(makeRoot(), { ...options, rules: { allow: [`connects(${first.host})`] } });
    expectCode(await narrow.call("webfetch", { url: first.url }), "url-blocked");
    expect(target.connections()).toBe(0);
    const wide = await open(makeRoot(), { ...options, rules: { allow: ["connects(127.0.0.1)"] } });
    expect(expectDone(await wide.call("webfetch", { url: first.url })).content).toContain('"T"');
  });
});

describe("a page that cannot be converted", () => {
  const PAGE = "<title>T</title><script>no()</script><h1>A &amp; B</h1><ul><li>c<li><a href=d>e</a></ul>";

  it.each([
    ["because it takes too long", "took longer than 3000 ms"],
    ["because the process is lost", "failed: the process that runs programs was ended by SIGKILL"],
  ])("%s is plain text, and that is said", async (_name, why) => {
    const server = await serveBody(PAGE);
    const pages = { convert: async () => ({ kind: "not-converted", why }) as const };
    const tools = mountTools(
      { catalog: CATALOG, preset: { prefix: "", tools: ["webfetch"] } },
      { root: makeRoot(), network: networkOf(server) },
      { ports: { pages } },
    );
    const output = await tools.call("webfetch", { url: server.url });
    expect(output.isError).toBe(false);
    expect(output.content).toBe(
      `${server.url}: 200, text/html, ${PAGE.length} bytes, "T"; plain text, without links and structure\nA & B\nc\ne\n[note] converting the page ${why}, so only its tags were taken out`,
    );
    await tools.close();
  });

  it("because no worker can be started is plain text too", async () => {
    const server = await serveBody(PAGE);
    const tools = mountTools(
      { catalog: CATALOG, preset: { prefix: "", tools: ["webfetch"] } },
      { root: makeRoot(), network: networkOf(server) },
      { worker: { entry: "/nowhere/main.js" } },
    );
    const output = await tools.call("webfetch", { url: server.url });
    expect(output.content).toMatch(
      /\nA & B\nc\ne\n\[note\] converting the page failed: the process that runs programs /,
    );
    await tools.close();
  });
});
