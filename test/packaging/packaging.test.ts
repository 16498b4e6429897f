/**
 * Owns what somebody gets who installs haft: that it imports, starts and works from the package alone, under each Node.
 * Leaves how fast to bench/start. Rule: packed as for publishing and installed into an empty project, once.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NODE_24 } from "../support/official.ts";
import { installPackage, type Project } from "./install-package.ts";

let project: Project;
beforeAll(() => {
  project = installPackage();
}, 300_000);
afterAll(() => project?.remove());

const repository = join(import.meta.dirname, "..", "..");
const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
};
const ENTRIES = Object.keys(manifest.exports)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => entry.replace(/^\./, "haft"));
/** What starts processes, connects, or is a database; by Node's public names and by its own parts. */
const HEAVY =
  /^(child_process|cluster|net|tls|http|http2|https|dgram|dns|sqlite|inspector)(\/|$)|^(spawn_sync|process_wrap|tcp_wrap|pipe_wrap|udp_wrap|cares_wrap|sqlite)$/;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the package", () => {
  it("holds the build, the documents and the licences of what is bundled, and no source or test", () => {
    const places = new Set(project.files.map((file) => file.split("/")[0]));
    expect([...places].sort()).toEqual([
      "ARCHITECTURE.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "THREAT-MODEL.md",
      "dist",
      "docs",
      "examples",
      "package.json",
    ]);
    expect(project.files.filter((file) => /\.test\.|\.tsbuildinfo$/.test(file))).toEqual([]);
    const notices = readFileSync(join(project.haft, "..", "THIRD-PARTY.txt"), "utf8");
    for (const name of ["zod", "commander", "@modelcontextprotocol/server"])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(\\S+\\)$`, "m"));
  });
});

const nodes = [
  { name: `Node ${process.versions.node}`, node: process.execPath },
  { name: "Node 24", node: NODE_24 },
];

for (const { name, node = "" } of nodes) {
  if (node === "") console.warn(`skipped: the package under ${name} (test/official is not installed)`);
  describe.skipIf(node === "")(`installed under ${name}`, () => {
    const run = (args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(node, args, {
        cwd: project.folder,
        encoding: "utf8",
        timeout: 60_000,
      });
      return { status, stdout, stderr };
    };
    const makeRoot = (): string => {
      const root = mkdtempSync(join(project.folder, "root-"));
      writeFileSync(join(root, "a.png"), Buffer.from(PIXEL, "base64"));
      return root;
    };

    it.each(["haft", "haft/files"])("loads nothing that starts, connects or stores with %s", (entry) => {
      const told = join(makeRoot(), "loaded.json");
      // Without pipes: Node itself loads its sockets for them.
      spawnSync(node, ["import-root.mjs", entry, told], { cwd: project.folder, stdio: "ignore" });
      const loaded = JSON.parse(readFileSync(told, "utf8")) as readonly string[];
      // That something was seen at all.
      expect(loaded.length).toBeGreaterThan(0);
      expect(loaded.filter((one) => HEAVY.test(one))).toEqual([]);
    });

    it("imports every entry without the SDKs, which are optional; one is made of its SDK's classes", () => {
      expect(run(["import-root.mjs", "haft/langchain"]).stderr).toContain("'@langchain/core'");
      for (const entry of ENTRIES.filter((one) => one !== "haft/langchain")) {
        const { status, stderr } = run(["import-root.mjs", entry]);
        expect([entry, status, stderr]).toEqual([entry, 0, ""]);
      }
    });

    it.each([[["--version"]], [["-V"]]])("tells its version with %s, and loads nothing for it", (args) => {
      expect(run([project.haft, ...args])).toEqual({
        status: 0,
        stdout: `${manifest.version}\n`,
        stderr: "",
      });
    });

    it.each(["none", "worker"])(
      "makes a call of every tool that needs no network, isolation %s",
      (isolation) => {
        const { stdout, stderr } = run(["call-all.mjs", makeRoot(), isolation]);
        expect(stderr).toBe("");
        const { told, kept, calls } = JSON.parse(stdout);
        expect(new Set(Object.values(told))).toEqual(new Set(["ok"]));
        expect(Object.keys(told)).toHaveLength(12);
        expect(kept).toBe(calls);
      },
    );

    it("makes calls from the command line, and keeps them", () => {
      const root = makeRoot();
      writeFileSync(join(root, "a.txt"), "one\n");
      const read = run([project.haft, "call", "read", '{"path":"a.txt"}', "--root", root]);
      expect([read.status, read.stdout]).toEqual([0, expect.stringContaining("one")]);
      const bash = [project.haft, "call", "bash", '{"command":"echo 42"}', "--root", root];
      const ran = run([...bash, "--allow", "bash"]);
      expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining("42")]);
      const sessions = JSON.parse(run([project.haft, "ledger", "sessions", "--root", root, "--json"]).stdout);
      expect(sessions.sessions).toHaveLength(2);
    });

    it("serves a client that greets, lists, and calls", async () => {
      const root = makeRoot();
      writeFileSync(join(root, "a.txt"), "one\n");
      const server = spawn(node, [project.haft, "mcp", "--root", root], { cwd: project.folder });
      let out = "";
      server.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
      });
      const send = (message: object) =>
        server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const clientInfo = { name: "test", version: "1" };
      send({
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
      });
      send({ method: "notifications/initialized" });
      send({ id: 1, method: "tools/list" });
      send({ id: 2, method: "tools/call", params: { name: "read", arguments: { path: "a.txt" } } });
      server.stdin.end();
      await new Promise((resolve) => server.once("close", resolve));
      const answers = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(answers.map(({ id }) => id)).toEqual([0, 1, 2]);
      expect(answers[1].result.tools.length).toBeGreaterThan(10);
      expect(answers[2].result.content[0].text).toContain("one");
    });
  });
}
