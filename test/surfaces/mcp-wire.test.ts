/**
 * Owns what the server writes, what it does with cancelled requests, and how it ends.
 * Leaves the tools and roots to their own tests. Rule: the bare process, so that every byte is seen.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { connect, HAFT, makeFolder, openBare, startBare, textOf } from "./start-server.ts";

const fixture = (name: string): string => pathToFileURL(join(import.meta.dirname, "fixtures", name)).href;

function makeRoot(): string {
  const root = makeFolder();
  writeFileSync(join(root, "a.txt"), "a\n");
  writeFileSync(join(root, "slow.txt"), "slow\n");
  return root;
}

const readCall = (id: number, path: string) => ({
  id,
  method: "tools/call",
  params: { name: "read", arguments: { path } },
});

describe("standard output", () => {
  it("carries nothing but messages, whatever modules print while they load and later", async () => {
    const server = startBare(["--root", makeRoot()], { nodeArgs: ["--import", fixture("noise.mjs")] });
    await openBare(server);
    server.send({ id: 1, method: "tools/list" });
    await server.answer(1);
    const calls = ["read", "list", "glob", "grep", "edit", "write", "delete", "move"];
    for (const [index, name] of calls.entries()) {
      server.send({ id: 10 + index, method: "tools/call", params: { name, arguments: { path: "a.txt" } } });
      await server.answer(10 + index);
    }
    await vi.waitFor(() => expect(server.errors()).toContain("noise of a timer"), { timeout: 5_000 });
    expect(server.errors()).toContain("noise of a module");
    expect(server.lines.length).toBeGreaterThanOrEqual(2 + calls.length);
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("answers everything that arrived before the end of input", () => {
    const messages = [
      {
        id: 0,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "pipe", version: "1" },
        },
      },
      { method: "notifications/initialized" },
      { id: 1, method: "tools/list" },
      readCall(2, "a.txt"),
    ];
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
    const done = spawnSync(process.execPath, [HAFT, "mcp", "--root", makeRoot()], {
      input,
      encoding: "utf8",
    });
    expect(done.status).toBe(0);
    const ids = done.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids.sort()).toEqual([0, 1, 2]);
  });

  it("survives a line that is no message", async () => {
    const server = startBare(["--root", makeRoot()]);
    server.child.stdin.write("this is no message\n");
    await openBare(server);
    server.send(readCall(1, "a.txt"));
    expect(textOf((await server.answer(1)).result)).toContain("1\ta");
  });

  it.each([
    ["an id that is no whole number", { id: 7.5 }, 7.5],
    ["an id that is null", { id: null }, null],
    ["parameters that are a list", { params: [] }, 7],
    ["another version of the protocol below", { jsonrpc: "1.0" }, 7],
  ])("refuses a request with %s under its own id, and goes on", async (_name, wrong, id) => {
    const server = startBare(["--root", makeRoot()]);
    await openBare(server);
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping", ...wrong })}\n`);
    expect(await server.answer(id as number)).toMatchObject({ error: { code: -32_600 } });
    server.send(readCall(1, "a.txt"));
    expect(textOf((await server.answer(1)).result)).toContain("1\ta");
    expect(server.errors()).toBe("");
  });

  it("takes a batch message by message", async () => {
    const server = startBare(["--root", makeRoot()]);
    await openBare(server);
    const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
    server.child.stdin.write(`${JSON.stringify([ping(11), { jsonrpc: "2.0", ...readCall(12, "a.txt") }])}\n`);
    expect(await server.answer(11)).toMatchObject({ result: {} });
    expect(textOf((await server.answer(12)).result)).toContain("1\ta");
  });

  it("takes a message of more than ten megabytes", async () => {
    const root = makeRoot();
    const { client } = await connect({ args: ["--root", root] });
    const content = `${"x".repeat(99)}\n`.repeat(120_000);
    const result = await client.callTool({ name: "write", arguments: { path: "big.txt", content } });
    expect(textOf(result)).toContain("created big.txt: 120000 lines");
  });
});

describe("a cancelled request", () => {
  it("settles at the client, is never answered, and the server goes on", async () => {
    const server = startBare(["--root", makeRoot()], { nodeArgs: ["--import", fixture("slow-open.mjs")] });
    await openBare(server);
    server.send(readCall(1, "slow.txt"));
    await vi.waitFor(() => expect(server.errors()).toContain("slow.txt is asked for"), { timeout: 10_000 });
    server.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    server.send(readCall(2, "a.txt"));
    expect(textOf((await server.answer(2)).result)).toContain("1\ta");
    // Longer than the call itself may take to end after its signal.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.lines.filter((line) => /"id":1[,}]/.test(line))).toEqual([]);
  });

  it("settles with an ordinary client too", async () => {
    const { client } = await connect({ args: ["--root", makeRoot()] });
    const abort = new AbortController();
    const pending = client.callTool({ name: "read", arguments: { path: "a.txt" } }, { signal: abort.signal });
    abort.abort("enough");
    await expect(pending).rejects.toThrow();
    expect(textOf(await client.callTool({ name: "read", arguments: { path: "a.txt" } }))).toContain("1\ta");
  });

  it("is ignored where its id is unknown or its call has ended", async () => {
    const server = startBare(["--root", makeRoot()]);
    await openBare(server);
    server.send({ method: "notifications/cancelled", params: { requestId: 999 } });
    server.send({ method: "notifications/cancelled", params: {} });
    server.send(readCall(1, "a.txt"));
    await server.answer(1);
    server.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    server.send(readCall(2, "a.txt"));
    expect((await server.answer(2)).error).toBeUndefined();
    expect(server.lines.filter((line) => /"id":1[,}]/.test(line))).toHaveLength(1);
  });
});

describe("the end of the server", () => {
  it("comes with the end of its input", async () => {
    const server = startBare(["--root", makeRoot()]);
    await openBare(server);
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
  });

  it("comes within seconds even where a call hangs", async () => {
    const server = startBare(["--root", makeRoot()], { nodeArgs: ["--import", fixture("slow-open.mjs")] });
    await openBare(server);
    server.send(readCall(1, "slow.txt"));
    await vi.waitFor(() => expect(server.errors()).toContain("slow.txt is asked for"), { timeout: 10_000 });
    const begun = Date.now();
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  it("comes when nobody reads its output any more", async () => {
    const server = startBare(["--root", makeRoot()]);
    await openBare(server);
    server.child.stdout.destroy();
    for (let id = 1; id < 20; id += 1) server.send(readCall(id, "a.txt"));
    expect(await server.ended()).toBe(0);
    expect(server.errors()).not.toMatch(/^\s+at /m);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("comes with %s", async (signal) => {
    const server = startBare(["--root", makeRoot()]);
    await openBare(server);
    server.child.kill(signal);
    expect(await server.ended()).toBe(0);
  });
});
