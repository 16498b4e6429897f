/**
 * Owns what travels beside the text of a result over MCP, and the messages of a client that asked for them.
 * Leaves text and refusals to mcp-tools.test.ts. Rule: the real client.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, makeFolder, textOf } from "./start-server.ts";

describe("a result", () => {
  it("carries its details, its id and the decision for the host, and none of them in the text", async () => {
    const root = makeFolder();
    writeFileSync(join(root, "a.txt"), "a\n");
    const { client } = await connect({ args: ["--root", root] });
    const done = await client.callTool({ name: "read", arguments: { path: "a.txt" } });
    expect(done._meta?.["haft/call"]).toMatchObject({ id: "call_1", decision: { outcome: "allowed" } });
    expect(done._meta?.["haft/details"]).toMatchObject({ path: "a.txt" });
    expect(textOf(done)).toBe("a.txt: 1 line\n1\ta");
    const denied = await client.callTool({ name: "bash", arguments: { command: "true" } });
    expect(denied._meta?.["haft/call"]).toMatchObject({ decision: { outcome: "denied", by: "nobody" } });
  });

  it("says which part of it is left out, and leaves out details that repeat it", async () => {
    const root = makeFolder();
    const { client } = await connect({ args: ["--root", root, "--allow", "bash"] });
    const long = await client.callTool({ name: "bash", arguments: { command: "seq 20000" } });
    expect(long._meta?.["haft/call"]).toMatchObject({ window: { omitted: { kind: "lines" } } });
    writeFileSync(join(root, "b.txt"), "x\n");
    await client.callTool({ name: "read", arguments: { path: "b.txt" } });
    const content = "y".repeat(200_000);
    const written = await client.callTool({ name: "write", arguments: { path: "b.txt", content } });
    expect(written.isError).not.toBe(true);
    expect(JSON.stringify(written._meta).length).toBeLessThan(80_000);
  });
});

describe("log messages", () => {
  it("come to a client that set a level, from that level on, and to no other", async () => {
    const heard: { level: string; data: unknown }[] = [];
    const { client } = await connect({
      args: ["--root", makeFolder()],
      prepare: (one) =>
        one.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params)),
    });
    const call = (path: string) => client.callTool({ name: "read", arguments: { path } });
    await call("missing");
    expect(heard).toEqual([]);
    await client.setLoggingLevel("info");
    await call("missing");
    await client.callTool({ name: "list", arguments: {} });
    expect(heard).toMatchObject([
      { level: "info", data: { tool: "read", isError: true, code: "path-missing" } },
    ]);
    await client.setLoggingLevel("debug");
    await client.callTool({ name: "list", arguments: {} });
    expect(heard).toHaveLength(2);
    expect(heard[1]).toMatchObject({ level: "debug", data: { tool: "list", isError: false } });
  });
});
