/**
 * Owns `haft init`, `haft completion` and the help of every command. Leaves the rest of the command line to cli.test.ts.
 * Rule: the built program, without a terminal.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HAFT, makeFolder } from "./start-server.ts";

function haft(...args: readonly string[]) {
  const done = spawnSync(process.execPath, [HAFT, ...args], {
    encoding: "utf8",
    input: "",
    env: { ...process.env, XDG_CONFIG_HOME: makeFolder() },
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

describe("haft init", () => {
  it("shows what it would write and writes nothing where nobody can say yes", () => {
    const root = makeFolder();
    const ran = haft("init", "--root", root);
    expect(ran.status).toBe(1);
    expect(ran.out).toContain("+++ haft.config.json");
    expect(ran.out).toContain("+++ .mcp.json");
    expect(ran.err).toContain("--yes");
    expect(readdirSync(root)).toEqual([]);
  });

  it("writes a configuration that haft follows and an entry that starts it, and is done once", () => {
    const root = makeFolder();
    expect(haft("init", "--root", root, "--yes").status).toBe(0);
    const { mcpServers } = readJson(join(root, ".mcp.json")) as {
      mcpServers: { haft: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.haft;
    const initialize = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    });
    const served = spawnSync(command, args, { input: `${initialize}\n`, encoding: "utf8" });
    expect(served.stdout).toContain('"name":"haft"');
    expect(served.stderr).toBe("");
    writeFileSync(join(root, ".env"), "secret\n");
    expect(haft("call", "read", '{"path":".env"}', "--root", root).err).toContain("deny reads(**/.env)");
    const read = (path: string) => {
      writeFileSync(join(root, path), "a line\n");
      return haft("call", "read", JSON.stringify({ path }), "--root", root);
    };
    for (const path of [".env.local", ".env.production", ".env.production.local", ".env.test"])
      expect(read(path).err).toContain("deny reads(**/.env.");
    for (const path of [".env.example", ".env.sample", ".env.template", ".envrc"])
      expect(read(path).out).toContain("a line");
    expect(haft("init", "--root", root).out).toBe("there is nothing to write\n");
  });

  it("keeps what stands in a client's file, and finds the clients of the project", () => {
    const root = makeFolder();
    mkdirSync(join(root, ".cursor"));
    mkdirSync(join(root, ".vscode"));
    writeFileSync(join(root, ".cursor", "mcp.json"), '{"mcpServers":{"other":{"command":"x"}},"more":1}');
    expect(haft("init", "--root", root, "--yes").status).toBe(0);
    expect(readJson(join(root, ".cursor", "mcp.json"))).toMatchObject({
      mcpServers: { other: { command: "x" }, haft: {} },
      more: 1,
    });
    expect(readJson(join(root, ".vscode", "mcp.json"))).toMatchObject({ servers: { haft: {} } });
    expect(existsSync(join(root, ".mcp.json"))).toBe(false);
  });

  it.each([
    ["a link", (root: string, outside: string) => symlinkSync(join(outside, "x"), join(root, ".mcp.json"))],
    ["no JSON", (root: string) => writeFileSync(join(root, ".mcp.json"), '{ // mine\n "mcpServers": {} }')],
    ["no object", (root: string) => writeFileSync(join(root, ".mcp.json"), '{"mcpServers": []}')],
  ])("leaves a client's file alone that is %s, and says what to write by hand", (_name, prepare) => {
    const root = makeFolder();
    const outside = makeFolder();
    prepare(root, outside);
    const before = readdirSync(root);
    const ran = haft("init", "--root", root, "--client", "claude", "--yes");
    expect(ran.status).toBe(1);
    expect(ran.err).toContain(".mcp.json is left alone");
    expect(ran.err).toContain('"mcpServers"');
    expect(readdirSync(root)).toEqual([...before, "haft.config.json"].sort());
    expect(readdirSync(outside)).toEqual([]);
    expect(haft("init", "--root", root, "--client", "claude", "--yes")).toMatchObject({ status: 1, out: "" });
  });

  it("leaves a server of its name as it stands, and a client's file indented as it is", () => {
    const root = makeFolder();
    const narrowed = { command: "haft", args: ["mcp", "--read-only"], env: { A: "b" } };
    const text = `${JSON.stringify({ mcpServers: { haft: narrowed } }, null, 4)}\n`;
    writeFileSync(join(root, ".mcp.json"), text);
    expect(haft("init", "--root", root, "--yes").status).toBe(0);
    expect(readFileSync(join(root, ".mcp.json"), "utf8")).toBe(text);
    writeFileSync(join(root, ".mcp.json"), `${JSON.stringify({ mcpServers: {} }, null, "\t")}\n`);
    expect(haft("init", "--root", root, "--yes").status).toBe(0);
    expect(readFileSync(join(root, ".mcp.json"), "utf8")).toMatch(/^\{\n\t"mcpServers": \{\n\t\t"haft"/);
  });

  it("writes nothing through a folder that is a link", () => {
    const root = makeFolder();
    const outside = makeFolder();
    symlinkSync(outside, join(root, ".cursor"));
    expect(haft("init", "--root", root, "--client", "cursor", "--yes").err).toContain(".cursor is a link");
    expect(readdirSync(outside)).toEqual([]);
  });

  it("knows its clients", () => {
    expect(haft("init", "--client", "emacs")).toMatchObject({ status: 2, out: "" });
  });
});

/** Every command with those below it: `ledger show`. */
function listCommands(path: readonly string[] = []): string[][] {
  const { out } = haft(...path, "--help");
  const section = out.split(/^Commands:\n/m)[1]?.split(/^\S/m)[0] ?? "";
  const names = [...section.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "help").flatMap((name) => [[...path, name]]);
}

describe("help", () => {
  it("of every command has examples", () => {
    const top = listCommands();
    expect(top.length).toBeGreaterThan(10);
    const all = [...top, ...listCommands(["ledger"]), ...listCommands(["commitments"])];
    const without = all.filter((path) => !/^Examples:\n {2}haft /m.test(haft(...path, "--help").out));
    expect(without).toEqual([]);
  }, 120_000);
});

describe("haft completion", () => {
  const complete = (script: string, words: readonly string[]): string[] => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const ran = spawnSync(
      "bash",
      [
        "-c",
        `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _haft; echo "\${COMPREPLY[@]}"`,
      ],
      { encoding: "utf8" },
    );
    expect(ran.stderr).toBe("");
    return ran.stdout.trim().split(" ");
  };

  it("completes commands, those below them, tools, flags and their values in bash", () => {
    const { out, status } = haft("completion", "bash");
    expect(status).toBe(0);
    expect(complete(out, ["haft", "tr"])).toEqual(["trust"]);
    expect(complete(out, ["haft", "ledger", "se"])).toEqual(["sessions", "search"]);
    expect(complete(out, ["haft", "call", "gr"])).toEqual(["grep"]);
    expect(complete(out, ["haft", "mcp", "--ht"])).toEqual(["--http"]);
    expect(complete(out, ["haft", "mcp", "--mode", "w"])).toEqual(["workspace-write"]);
  });

  it("is there for zsh and fish, and says what was meant otherwise", () => {
    expect(haft("completion", "zsh").out).toContain("bashcompinit");
    expect(haft("completion", "fish").out).toMatch(/^complete -c haft -f -n '.*' -a trust -d /m);
    const ran = haft("completion", "bsh");
    expect(ran).toMatchObject({ status: 2, out: "" });
    expect(ran.err).toContain("did you mean bash?");
  });
});
