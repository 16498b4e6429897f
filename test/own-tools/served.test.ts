/**
 * Owns that a host can serve tools of its own over MCP, on standard input and output and over HTTP: listed, called, asked
 * about, with progress and images. Leaves the protocol to test/surfaces. Rule: a host's program, and the real client.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { OptionsError } from "../../src/contract/errors.ts";
import { serveMcp } from "../../src/mcp.ts";
import { makeRoot } from "./own-tools.ts";

const program = join(import.meta.dirname, "programs", "serve.mjs");

async function connect(options: object, answer?: "accept" | "decline") {
  const root = makeRoot();
  const client = new Client(
    { name: "own-tools", version: "1" },
    answer === undefined ? {} : { capabilities: { elicitation: {} } },
  );
  const asked: string[] = [];
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return answer === "accept"
        ? { action: "accept", content: { answer: "Allow once" } }
        : { action: "decline" };
    });
  const args = [program, root, JSON.stringify(options)];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" });
  let errors = "";
  transport.stderr?.on("data", (piece) => {
    errors += piece;
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, asked, errors: () => errors };
}

describe("a host that serves tools of its own over standard input and output", () => {
  it("lists them behind haft's, and gives their text, images and details", async () => {
    const { client, errors } = await connect({ mode: "full-access" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["read", true],
      ["measure", true],
      ["draw", false],
    ]);
    const told: (string | undefined)[] = [];
    const measured = await client.callTool(
      { name: "measure", arguments: { path: "notes.txt" } },
      { onprogress: ({ message }) => void told.push(message) },
    );
    expect(measured.content).toEqual([{ type: "text", text: "notes.txt: 14 bytes" }]);
    expect(measured._meta?.["haft/details"]).toEqual({ bytes: 14 });
    expect(told).toEqual(["measuring"]);
    const drawn = await client.callTool({ name: "draw", arguments: {} });
    expect(drawn.content).toMatchObject([{ text: "a pixel" }, { type: "image", mimeType: "image/png" }]);
    expect(errors()).toContain("a stray line");
  });

  it("has its client's person asked, and denies where there is nobody to ask", async () => {
    const asking = await connect({}, "accept");
    const drawn = await asking.client.callTool({ name: "draw", arguments: {} });
    expect([drawn.isError, asking.asked.length]).toEqual([undefined, 1]);
    expect(asking.asked[0]).toContain("draw");
    const alone = await connect({ rules: { allow: ["reads(notes.txt)"] } });
    const { tools } = await alone.client.listTools();
    expect(tools.map(({ description }) => description?.includes("this client cannot ask one"))).toEqual([
      false,
      true,
      true,
    ]);
    const denied = await alone.client.callTool({ name: "draw", arguments: {} });
    expect(denied.isError).toBe(true);
    const allowed = await alone.client.callTool({ name: "measure", arguments: { path: "notes.txt" } });
    expect(allowed.isError).toBeUndefined();
  });

  it("ends with its client", async () => {
    const child = spawn(process.execPath, [program, makeRoot()], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void child.kill());
    child.stdin.end();
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  });
});

describe("over HTTP", () => {
  it("serves them to clients with a session each", async () => {
    const root = makeRoot();
    const child = spawn(process.execPath, [program, root, '{"mode":"full-access","http":{"port":0}}']);
    onTestFinished(() => void child.kill());
    const url = await new Promise<string>((resolve) => {
      let said = "";
      child.stderr.on("data", (piece) => {
        said += piece;
        const found = /http:\/\/\S+/.exec(said);
        if (found !== null) resolve(found[0]);
      });
    });
    writeFileSync(join(root, "more.txt"), "x\n");
    for (const path of ["notes.txt", "more.txt"]) {
      const client = new Client({ name: "own-tools", version: "1" });
      onTestFinished(() => client.close());
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const measured = await client.callTool({ name: "measure", arguments: { path } });
      expect(measured.content).toMatchObject([{ text: expect.stringMatching(`${path}: (14|2) bytes`) }]);
    }
  });
});

describe("what a host says wrongly is told before anything is served", () => {
  it.each([
    [{ root: ".", approve: async () => ({ allow: "once" }) }, "approve"],
    [{ root: ".", http: { port: 70_000 } }, "http.port"],
    [{ root: ".", http: 3000 }, "http"],
    [undefined, "root"],
  ])("%#", async (options, option) => {
    const served = serveMcp(options as never);
    await expect(served).rejects.toThrow(OptionsError);
    await expect(served).rejects.toThrow(`option ${option}: expected`);
  });
});
