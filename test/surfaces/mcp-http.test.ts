/**
 * Owns what clients meet over HTTP: sessions of their own, roots, streams that break, the end.
 * Leaves who may speak at all to mcp-http-guard.test.ts, asks and progress to mcp-client.test.ts.
 * Rule: the built program and the real client.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rareSeconds, waitForLive, waitForNone } from "../support/live-processes.ts";
import { ACCEPT, connectHttp, INITIALIZE, rootUri, sendBare, startHttp } from "./http-server.ts";
import { makeFolder, textOf } from "./start-server.ts";

function makeRoot(): string {
  const root = makeFolder();
  writeFileSync(join(root, "a.txt"), "a\n");
  return root;
}

describe("two clients at once", () => {
  it("have a session each: what one was shown the other was not", async () => {
    const { url } = await startHttp(["--root", makeRoot()]);
    const [one, other] = await Promise.all([connectHttp(url), connectHttp(url)]);
    expect(one.transport.sessionId).not.toBe(other.transport.sessionId);
    await one.client.callTool({ name: "read", arguments: { path: "a.txt" } });
    const write = { name: "write", arguments: { path: "a.txt", content: "b\n" } };
    expect(textOf(await other.client.callTool(write))).toContain("a.txt");
    expect((await other.client.callTool(write)).isError).toBe(true);
    expect((await one.client.callTool(write)).isError).not.toBe(true);
    expect(textOf(await other.client.callTool({ name: "recall", arguments: {} }))).not.toContain("(read");
  });

  it("are served side by side: one's long command keeps nobody waiting", async () => {
    const seconds = rareSeconds();
    const { url } = await startHttp(["--root", makeRoot(), "--allow", "bash"]);
    const [one, other] = await Promise.all([connectHttp(url), connectHttp(url)]);
    const abort = new AbortController();
    const long = one.client
      .callTool({ name: "bash", arguments: { command: `sleep ${seconds}` } }, { signal: abort.signal })
      .catch(() => "cancelled");
    await waitForLive(seconds);
    expect(textOf(await other.client.callTool({ name: "read", arguments: { path: "a.txt" } }))).toContain(
      "a",
    );
    abort.abort();
    expect(await long).toBe("cancelled");
    expect(await waitForNone(seconds)).toEqual([]);
    expect(textOf(await one.client.callTool({ name: "bash", arguments: { command: "echo on" } }))).toContain(
      "on",
    );
  });
});

describe("a client over HTTP", () => {
  it("lists and calls the tools, with arguments as text too", async () => {
    const { url } = await startHttp(["--root", makeRoot()]);
    const { client, transport } = await connectHttp(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("bash");
    const answer = await sendBare({
      url,
      headers: { "mcp-session-id": transport.sessionId ?? "" },
      body: {
        jsonrpc: "2.0",
        id: 7,
        method: "tools/call",
        params: { name: "read", arguments: '{"path":"a.txt"}' },
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("a.txt: 1 line");
  });

  it("is asked for its roots, and the first is the root", async () => {
    const root = makeRoot();
    const { url } = await startHttp([]);
    const { client } = await connectHttp(url, {
      client: { capabilities: { roots: {} } },
      prepare(one) {
        one.setRequestHandler("roots/list", async () => ({ roots: [{ uri: rootUri(root) }] }));
      },
    });
    expect(textOf(await client.callTool({ name: "read", arguments: { path: "a.txt" } }))).toContain(
      "a.txt: 1",
    );
  });

  it("of 2026, which has no sessions, is served too", async () => {
    const { url } = await startHttp(["--root", makeRoot()]);
    const { client } = await connectHttp(url, {
      client: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    });
    expect(textOf(await client.callTool({ name: "read", arguments: { path: "a.txt" } }))).toContain(
      "a.txt: 1",
    );
  });

  it("takes a stream up again where it broke, and misses nothing", async () => {
    const { url } = await startHttp(["--root", makeRoot(), "--allow", "bash"]);
    const { headers } = await sendBare({ url, body: INITIALIZE });
    const session = {
      "mcp-session-id": String(headers["mcp-session-id"]),
      "mcp-protocol-version": "2025-11-25",
    };
    await sendBare({ url, headers: session, body: { jsonrpc: "2.0", method: "notifications/initialized" } });
    const broken = new AbortController();
    const response = await fetch(url, {
      method: "POST",
      signal: broken.signal,
      headers: { ...ACCEPT, ...session },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "bash", arguments: { command: "sleep 1; echo arrived" } },
      }),
    });
    const first = await response.body?.getReader().read();
    const begun = Buffer.from(first?.value ?? []).toString();
    const lastId = /^id: (\S+)$/m.exec(begun)?.[1];
    expect(lastId).toBeDefined();
    // How soon the client should be back where it breaks, in milliseconds.
    expect(begun).toContain("retry: 1000");
    broken.abort();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const again = new AbortController();
    const resumed = await fetch(url, {
      signal: again.signal,
      headers: { ...session, accept: "text/event-stream", "last-event-id": lastId ?? "" },
    });
    expect(resumed.status).toBe(200);
    const part = await resumed.body?.getReader().read();
    again.abort();
    expect(Buffer.from(part?.value ?? []).toString()).toContain("arrived");
  });

  it("ends its session, with what runs in it, and the session is gone", async () => {
    const seconds = rareSeconds();
    const { url } = await startHttp(["--root", makeRoot(), "--allow", "bash"]);
    const { client, transport } = await connectHttp(url);
    const id = transport.sessionId ?? "";
    client.callTool({ name: "bash", arguments: { command: `sleep ${seconds}` } }).catch(() => {});
    await waitForLive(seconds);
    await transport.terminateSession();
    expect(await waitForNone(seconds, 8_000)).toEqual([]);
    const after = await sendBare({
      url,
      headers: { "mcp-session-id": id },
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    expect(after.status).toBe(404);
  });

  it("that vanishes in the middle of a command leaves nothing running", async () => {
    const seconds = rareSeconds();
    const program = join(import.meta.dirname, "fixtures", "serve-http-shortly.mjs");
    const root = makeRoot();
    const { url } = await startHttp([root], { program });
    const { client, transport } = await connectHttp(url);
    client.callTool({ name: "bash", arguments: { command: `sleep ${seconds}; touch made` } }).catch(() => {});
    await waitForLive(seconds);
    const id = transport.sessionId ?? "";
    await client.close();
    expect(await waitForNone(seconds, 15_000)).toEqual([]);
    expect(existsSync(join(root, "made"))).toBe(false);
    const after = await sendBare({
      url,
      headers: { "mcp-session-id": id },
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    expect(after.status).toBe(404);
  });

  it("that only broke off between calls keeps its session for a while, and no longer", async () => {
    const program = join(import.meta.dirname, "fixtures", "serve-http-shortly.mjs");
    const { url } = await startHttp([makeRoot()], { program });
    const { headers } = await sendBare({ url, body: INITIALIZE });
    const list = (): Promise<{ status: number }> =>
      sendBare({
        url,
        headers: { "mcp-session-id": String(headers["mcp-session-id"]) },
        body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      });
    expect((await list()).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect((await list()).status).toBe(404);
  });
});

it("ends on SIGTERM with all that runs, and says so to nobody else", async () => {
  const seconds = rareSeconds();
  const { url, child, ended } = await startHttp(["--root", makeRoot(), "--allow", "bash"]);
  const { client } = await connectHttp(url);
  client.callTool({ name: "bash", arguments: { command: `sleep ${seconds}` } }).catch(() => {});
  await waitForLive(seconds);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(await waitForNone(seconds)).toEqual([]);
});
