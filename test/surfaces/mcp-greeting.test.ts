/**
 * Owns that the greeting, which answers before the SDK is loaded, answers as the SDK's server does.
 * Leaves the answers themselves to the other tests of the server. Rule: the two are compared byte for byte, as bare
 * lines; what makes the SDK answer is a member that the greeting does not know and no answer depends on.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { TOOLS_OF_RULES } from "../../src/permission/tool-table.ts";
import { GREETED_VERSIONS } from "../../src/surfaces/mcp/greet.ts";
import { TOOL_NAMES } from "../../src/tools/catalog.ts";
import { connect, HAFT, makeFolder, startBare } from "./start-server.ts";

interface Opening {
  readonly args?: readonly string[];
  readonly version?: string;
  readonly capabilities?: object;
  readonly id?: string | number;
  /** Something that the greeting leaves to the SDK. */
  readonly unknown?: object;
}

/** The first two answers of a server, as they are on the wire. */
async function openings(opening: Opening): Promise<readonly string[]> {
  const { args = [], version = "2025-11-25", capabilities = {}, id = 0, unknown = {} } = opening;
  const server = startBare(["--root", makeFolder(), ...args]);
  const clientInfo = { name: "bare", version: "1" };
  const params = { protocolVersion: version, capabilities, clientInfo, ...unknown };
  const take = async (count: number) => {
    while (server.lines.length < count && server.child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  server.send({ id, method: "initialize", params } as never);
  await take(1);
  server.send({ method: "notifications/initialized" });
  server.send({ id: 1, method: "tools/list" });
  await take(2);
  server.child.kill("SIGKILL");
  return server.lines.slice(0, 2);
}

describe("the greeting", () => {
  const cases: Readonly<Record<string, Opening>> = {
    "a client that can do nothing": {},
    "one that asks its person, and has an id of text": { id: "first", capabilities: { elicitation: {} } },
    "one with roots": { capabilities: { roots: { listChanged: true }, sampling: {} } },
    "an older one": { version: "2024-11-05" },
    "a server with rules": { args: ["--allow", "runs(npm test)", "--deny", "reads(.env*)"] },
    "a server that only reads": { args: ["--mode", "read-only", "--read-only"] },
    "a server with other names": { args: ["--prefix", "file_", "--tools", "read,edit"] },
  };
  it.each(Object.entries(cases))("is what the SDK's server says, to %s", async (_name, opening) => {
    const [greeted, asked] = [openings(opening), openings({ ...opening, unknown: { _meta: {} } })];
    expect(await greeted).toHaveLength(2);
    expect(await greeted).toEqual(await asked);
  });

  it("knows only revisions that the SDK opens in this way", () => {
    for (const version of GREETED_VERSIONS) expect(SUPPORTED_PROTOCOL_VERSIONS).toContain(version);
  });

  it("gives way to the SDK where a message is none of its own", async () => {
    const server = startBare(["--root", makeFolder()]);
    server.send({ id: 7, method: "ping" });
    expect((await server.answer(7)).result).toEqual({});
    server.send({ id: 8, method: "initialize", params: { protocolVersion: 3 } });
    expect((await server.answer(8)).error).toBeDefined();
  });

  it("is over with the end of input, and nothing was said", () => {
    const done = spawnSync(process.execPath, [HAFT, "mcp", "--root", makeFolder()], { input: "" });
    expect([done.status, done.stdout.toString(), done.stderr.toString()]).toEqual([0, "", ""]);
  });

  it("is followed by the server, which knows what the client can do", async () => {
    const root = makeFolder();
    const { client } = await connect({
      args: ["--root", root],
      client: { capabilities: { elicitation: {} } },
      prepare: (one) =>
        one.setRequestHandler("elicitation/create", async () => ({
          action: "accept",
          content: { answer: "Allow once" },
        })),
    });
    await client.listTools();
    const result = await client.callTool({ name: "bash", arguments: { command: "echo asked" } });
    expect(JSON.stringify(result.content)).toContain("asked");
  });
});

describe("the definitions that the build wrote down", () => {
  it("are there, and are those that the tools give", async () => {
    const written = readFileSync(join(HAFT, "..", "definitions.json"), "utf8");
    const done = spawnSync(process.execPath, [HAFT, "tools", "--json", "--ledger", "memory"], {
      cwd: makeFolder(),
      encoding: "utf8",
    });
    expect(JSON.parse(written)).toEqual(JSON.parse(done.stdout));
  });

  it("are not taken where a project has its say", async () => {
    const root = makeFolder();
    mkdirSync(join(root, "below"));
    writeFileSync(join(root, "haft.config.json"), '{ "tools": ["read"] }');
    const { client } = await connect({ args: ["--root", root] });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["read"]);
  });

  it("stand beside flags whose help names the tools in their order", () => {
    expect(TOOLS_OF_RULES).toEqual(TOOL_NAMES);
  });
});
