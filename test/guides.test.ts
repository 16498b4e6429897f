/**
 * Owns that the guides tell the truth: the programs of docs/own-tools.md and docs/ledger.md are compiled and run, the
 * commands of docs/ledger.md and docs/mcp.md too, and the entries of docs/mcp.md start servers that work.
 * Leaves docs/hosts.md to test/adapters, docs/permissions.md to permission/. Rule: what is run is what stands in the page.
 */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openSnippetProject, readBlocks, type SnippetProject } from "./support/snippet-project.ts";

const repository = join(import.meta.dirname, "..");
const programs = {
  count: readBlocks("docs/own-tools.md", "ts")[0] ?? "",
  deploy: readBlocks("docs/own-tools.md", "ts")[1] ?? "",
  greet: readBlocks("docs/own-tools.md", "ts")[2] ?? "",
  recall: readBlocks("docs/ledger.md", "ts")[0] ?? "",
};

let project: SnippetProject;
beforeAll(() => {
  project = openSnippetProject(programs);
  writeFileSync(join(project.folder, "notes.txt"), "Buy milk and bread.\n");
}, 120_000);
afterAll(() => project.remove());

/** A folder with `haft` on its PATH, as `npm link` gives it. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "haft-guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const haft = join(bin, "haft");
  const main = join(repository, "dist", "surfaces", "cli", "main.js");
  writeFileSync(haft, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(haft, 0o755);
  writeFileSync(join(folder, "notes.txt"), "Buy milk.\n");
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    XDG_CONFIG_HOME: join(folder, "config"),
  };
  return { folder, env };
}

const commandsOf = (page: string) =>
  readBlocks(page, "sh").flatMap((block) => block.split("\n").filter((line) => line !== ""));

describe("docs/own-tools.md", () => {
  it("has the programs that are run here", () => {
    expect(readBlocks("docs/own-tools.md", "ts")).toHaveLength(3);
  });

  it("mounts a tool whose arguments are repaired and whose details are typed", async () => {
    expect(await project.run("count")).toEqual({
      status: 0,
      error: "",
      out: "read grep count_words\nnotes.txt: 2 words\n3\n",
    });
  });

  it("decides by what a tool declares", async () => {
    const { out, error } = await project.run("deploy");
    expect({ out, error }).toEqual({
      error: "",
      out: "web allow connects(web.deploy.example.com)\napi ask connects(api.deploy.example.com)\n",
    });
  });

  it("serves a tool over MCP in four lines", async () => {
    const client = new Client({ name: "guides", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(project.folder, "greet.js")],
        cwd: project.folder,
      }),
    );
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
    expect(content).toEqual([{ type: "text", text: "Hello, Ada." }]);
  });
});

describe("docs/ledger.md", () => {
  it("recalls what the window left out, and resumes", async () => {
    const { out, error, status } = await project.run("recall");
    expect({ error, status }).toEqual({ error: "", status: 0 });
    const [window, gap, ...rest] = out.split("\n");
    expect(window).toBe("108914 true");
    expect(gap).toMatch(
      /^\[result lines \d+–\d+ omitted, [\d,]+ characters; recall \{"id":"call_1",.*returns them\]$/,
    );
    expect(rest.join("\n")).toContain("\n9998\n9999\n".trim());
    expect(rest.join("\n")).toContain("19999");
    expect(rest.at(-4)).toBe("monday/call_1 bash done");
  });

  it("has commands that work one after the other", () => {
    const { folder, env } = openFolder();
    const commands = commandsOf("docs/ledger.md");
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const done = spawnSync("bash", ["-c", command], { cwd: folder, env, encoding: "utf8" });
      expect({ command, status: done.status, error: done.stderr }).toMatchObject({ command, status: 0 });
    }
    expect(readFileSync(join(folder, "ledger.jsonl"), "utf8")).toContain("Buy milk.");
  });
});

describe("docs/mcp.md", () => {
  const entries = readBlocks("docs/mcp.md", "json").map(
    (block) => Object.values(JSON.parse(block) as Record<string, { haft: Entry }>)[0]?.haft,
  );
  interface Entry {
    readonly command?: string;
    readonly args?: readonly string[];
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  it.each([0, 1])("has an entry (%i) that starts a server", async (index) => {
    const { folder } = openFolder();
    const place = (text: string) =>
      text
        .replace("/path/to/haft", repository)
        .replace("/path/to/project", folder)
        .replace("${" + "workspaceFolder}", folder);
    const { command = "", args = [] } = entries[index] ?? {};
    const client = new Client({ name: "guides", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command, args: args.map(place) }));
    const { content } = await client.callTool({ name: "read", arguments: { path: "notes.txt" } });
    expect(content).toEqual([{ type: "text", text: "notes.txt: 1 line\n1\tBuy milk." }]);
  });

  it.each(commandsOf("docs/mcp.md").filter((command) => !command.includes("--http")))(
    "has flags that are taken: %s",
    (command) => {
      const { folder, env } = openFolder();
      const done = spawnSync("bash", ["-c", command], { cwd: folder, env, encoding: "utf8", input: "" });
      expect({ status: done.status, out: done.stdout }).toEqual({ status: 0, out: "" });
    },
  );

  it("serves over HTTP as it says, with a token where one is set", async () => {
    const { folder, env } = openFolder();
    const [command = ""] = commandsOf("docs/mcp.md").filter((one) => one.includes("--http"));
    const child = spawn("bash", ["-c", `exec ${command.replace("3000", "0")}`], {
      cwd: folder,
      env: { ...env, HAFT_HTTP_TOKEN: "YOUR_TOKEN" },
    });
    onTestFinished(() => void child.kill());
    const address = await new Promise<string>((resolve) => {
      let said = "";
      child.stderr.on("data", (piece) => {
        said += piece;
        const found = /http:\/\/\S+/.exec(said);
        if (found !== null) resolve(found[0]);
      });
    });
    const { url = "", headers = {} } = entries[2] ?? {};
    expect(new URL(url).pathname).toBe(new URL(address).pathname);
    const there = new URL(url.replace("3000", new URL(address).port));
    const client = new Client({ name: "guides", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(there, { requestInit: { headers } }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const stranger = new Client({ name: "guides", version: "1" });
    await expect(stranger.connect(new StreamableHTTPClientTransport(there))).rejects.toThrow();
  });
});

describe("the index of the documents", () => {
  it("names every page", () => {
    const index = readFileSync(join(repository, "docs", "README.md"), "utf8");
    const pages = readdirSync(join(repository, "docs")).filter(
      (name) => name.endsWith(".md") && name !== "README.md",
    );
    expect(pages.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});
