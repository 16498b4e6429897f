/**
 * Owns what a person and a script meet on the command line: output, exit status, help, mistakes.
 * Leaves the server to its own tests. Rule: the built program, as it is installed.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { HAFT, makeFolder } from "./start-server.ts";

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function haft(args: readonly string[], options: { cwd?: string; input?: string; env?: object } = {}): Ran {
  const { FORCE_COLOR: _force, ...env } = process.env;
  const done = spawnSync(process.execPath, [HAFT, ...args], {
    encoding: "utf8",
    cwd: options.cwd ?? import.meta.dirname,
    input: options.input ?? "",
    env: { ...env, ...options.env },
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function makeRoot(): string {
  const root = makeFolder();
  writeFileSync(join(root, "hello.txt"), "hello\nworld\n");
  mkdirSync(join(root, "src"));
  return root;
}

const STACK = /^\s+at \S/m;

describe("haft call", () => {
  it("prints what a model would read, with status 0", () => {
    const ran = haft(["call", "read", '{"path":"hello.txt"}'], { cwd: makeRoot() });
    expect(ran).toEqual({ status: 0, out: "hello.txt: 2 lines\n1\thello\n2\tworld\n", err: "" });
  });

  it("takes the root from --root and the arguments from standard input", () => {
    const ran = haft(["call", "read", "-", "--root", makeRoot()], {
      input: '{"path":"hello.txt","offset":2}',
    });
    expect(ran.status).toBe(0);
    expect(ran.out).toContain("2\tworld");
  });

  it("prints a refusal to standard error, with status 1 and nothing on standard output", () => {
    const ran = haft(["call", "read", '{"path":"../x"}', "--root", makeRoot()]);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toContain("outside the root");
    expect(ran.err).not.toMatch(STACK);
  });

  it("prints the whole output as JSON where asked, refused or not", () => {
    const root = makeRoot();
    const done = haft(["call", "read", '{"path":"hello.txt"}', "--root", root, "--json"]);
    expect(JSON.parse(done.out)).toMatchObject({ isError: false, images: [], notes: [] });
    const refused = haft(["call", "read", '{"path":"../x"}', "--root", root, "--json"]);
    expect(refused.status).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({ isError: true, refusal: { code: "path-outside-root" } });
  });

  it("changes files, and does not where only reading is mounted", () => {
    const root = makeRoot();
    const edit = '{"path":"hello.txt","edits":[{"old_text":"world","new_text":"haft"}]}';
    const refused = haft(["call", "edit", edit, "--root", root, "--read-only"]);
    expect(refused.status).toBe(2);
    expect(readFileSync(join(root, "hello.txt"), "utf8")).toBe("hello\nworld\n");
    expect(haft(["call", "edit", edit, "--root", root]).status).toBe(0);
    expect(readFileSync(join(root, "hello.txt"), "utf8")).toBe("hello\nhaft\n");
  });

  it("says what was meant by a tool that is not there, as a usage error", () => {
    const ran = haft(["call", "raed", "{}"], { cwd: makeRoot() });
    expect(ran.status).toBe(2);
    expect(ran.err).toMatch(/\bread\b/);
  });

  it("refuses arguments that are no JSON, without a stack trace", () => {
    const ran = haft(["call", "write", '{"path":"a","content":'], { cwd: makeRoot() });
    expect(ran.status).toBe(1);
    expect(ran.err).not.toMatch(STACK);
  });
});

describe("haft tools", () => {
  it("lists a line a tool, in the order of the catalogue, without colours in a pipe", () => {
    const { out } = haft(["tools"], { env: { FORCE_COLOR: "1" } });
    expect(out.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "read",
      "list",
      "glob",
      "grep",
      "edit",
      "write",
      "delete",
      "move",
      "bash",
      "jobs",
      "webfetch",
      "browse",
      "recall",
      "",
    ]);
    expect(out).not.toContain("\u001b");
    expect(out).toMatch(
      /^write \(changes files\): Writes a whole file.*\. Takes path, content, overwrite\?\.$/m,
    );
  });

  it("prints the definitions as a model gets them", () => {
    const definitions = JSON.parse(haft(["tools", "--json", "--tools", "edit,read", "--prefix", "f_"]).out);
    expect(definitions).toMatchObject([{ name: "f_read" }, { name: "f_edit" }]);
    expect(definitions[0].inputSchema.required).toEqual(["path"]);
  });

  it("is not troubled by a reader that has seen enough", () => {
    const ran = spawnSync("sh", ["-c", `"${process.execPath}" "${HAFT}" tools --json | head -c 10`], {
      encoding: "utf8",
    });
    expect(ran.stderr).toBe("");
  });
});

describe("haft doctor", () => {
  it("says what was found and what each absence costs", () => {
    const ran = haft(["doctor", "--root", makeRoot()], { env: { PATH: "/nowhere" } });
    expect(ran.status).toBe(0);
    expect(ran.out).toMatch(/^found {3}node: \d+\./m);
    expect(ran.out).toMatch(/^missing git: .*Without it: \S/m);
    expect(ran.out).not.toContain("\u001b");
  });

  it("prints the same as JSON, and fails where nothing can be mounted", () => {
    const ran = haft(["doctor", "--json", "--root", join(makeRoot(), "missing")]);
    expect(ran.status).toBe(1);
    const { findings } = JSON.parse(ran.out) as { findings: { name: string; found: boolean }[] };
    expect(findings.find(({ name }) => name === "root")).toMatchObject({ found: false });
    expect(findings.map(({ name }) => name)).toEqual([
      "node",
      "root",
      "containment by descriptor",
      "ripgrep",
      "worker",
      "confinement",
      "browser",
      "sqlite",
      "state",
      "sharp",
      "unpdf",
      "@modelcontextprotocol/client",
      "git",
      "person's configuration",
      "project's configuration",
    ]);
  });

  it("says which browser would be run, and what is wrong with one that is named", () => {
    const env = { PATH: "/nowhere", HAFT_BROWSER: "/nowhere/chrome" };
    expect(haft(["doctor", "--root", makeRoot()], { env }).out).toMatch(
      /^missing browser: HAFT_BROWSER names \/nowhere\/chrome, and it does not exist\. Without it: browse refuses/m,
    );
  });

  it("does not count a program that lies in the root", () => {
    const root = makeRoot();
    writeFileSync(join(root, "rg"), "#!/bin/sh\n", { mode: 0o755 });
    const { out } = haft(["doctor", "--root", root], { env: { PATH: root } });
    expect(out).toMatch(/ripgrep/);
    expect(out).not.toContain(join(root, "rg"));
  });
});

describe("haft demo", () => {
  it("repairs its sample through the server and leaves nothing behind", () => {
    const temporary = makeFolder();
    const ran = haft(["demo"], { env: { TMPDIR: temporary } });
    expect(ran.err).toBe("");
    expect(ran.status).toBe(0);
    expect(ran.out).toContain("passes: repaired");
    expect(ran.out).toContain("occurs 2 times");
    expect(spawnSync("ls", ["-A", temporary], { encoding: "utf8" }).stdout).toBe("");
  });

  it("says which package it needs where that is not installed, and leaves nothing behind", () => {
    const temporary = makeFolder();
    const hooks = join(import.meta.dirname, "fixtures", "no-client.mjs");
    const ran = haft(["demo"], {
      env: { TMPDIR: temporary, NODE_OPTIONS: `--import ${pathToFileURL(hooks).href}` },
    });
    expect(ran.status).toBe(1);
    expect(ran.err).toBe(
      "haft: the demo needs the package @modelcontextprotocol/client, which is not installed\n",
    );
    expect(spawnSync("ls", ["-A", temporary], { encoding: "utf8" }).stdout).toBe("");
  });
});

describe("a mistake on the command line", () => {
  it.each([
    [["mpc"], "mcp"],
    [["call"], "tool"],
    [["mcp", "--rot", "."], "--root"],
    [["tools", "--tools", "raed"], "read"],
    [["tools", "--prefix", "a b"], "--prefix"],
    [["tools", "--root", "/nowhere/at/all"], "--root"],
  ] as const)("%j is a usage error that names %s", (args, named) => {
    const ran = haft(args);
    expect(ran.status).toBe(2);
    expect(ran.out).toBe("");
    expect(ran.err).toContain(named);
    expect(ran.err).not.toMatch(STACK);
  });
});

describe("help", () => {
  it.each([[], ["call"], ["tools"], ["mcp"], ["doctor"], ["demo"]])(
    "of haft %s has examples",
    (...command) => {
      const ran = haft([...command, "--help"]);
      expect(ran.status).toBe(0);
      expect(ran.err).toBe("");
      expect(ran.out).toContain("Examples:\n  haft ");
    },
  );

  it("names every command and flag, as pinned", () => {
    const flags = (command: string): string[] => {
      const found = haft([command, "--help"]).out.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? [];
      return found.map((flag) => flag.trim().replace(/^-\w, /, ""));
    };
    expect(
      haft(["--help"])
        .out.match(/^ {2}(?!haft)[a-z]+(?= .* {2})/gm)
        ?.map((name) => name.trim()),
    ).toEqual([
      "call",
      "explain",
      "tools",
      "mcp",
      "ledger",
      "commitments",
      "trust",
      "doctor",
      "demo",
      "init",
      "completion",
      "help",
    ]);
    const session = [
      "--root",
      "--tools",
      "--prefix",
      "--read-only",
      "--mode",
      "--allow",
      "--ask",
      "--deny",
      "--ledger",
      "--state-dir",
      "--isolation",
      "--confine",
      "--commitments",
    ];
    expect(flags("call")).toEqual(["--json", ...session, "--help"]);
    expect(flags("explain")).toEqual(["--json", ...session, "--help"]);
    expect(flags("tools")).toEqual(["--json", ...session, "--help"]);
    expect(flags("mcp")).toEqual([...session, "--http", "--host", "--help"]);
    expect(flags("doctor")).toEqual(["--root", "--json", "--help"]);
    expect(flags("demo")).toEqual(["--keep", "--help"]);
  });

  it("prints the version of package.json", () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8"),
    ) as { version: string };
    expect(haft(["--version"])).toEqual({ status: 0, out: `${version}\n`, err: "" });
  });

  it("is shown where nothing was said, as a usage error", () => {
    const ran = haft([]);
    expect(ran.status).toBe(2);
    expect(ran.err).toContain("Usage: haft");
  });

  it("belongs to a file that can be run", () => {
    expect(readFileSync(HAFT, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(HAFT).mode & 0o111).not.toBe(0);
  });
});

describe("a word of the person's own that is wrong", () => {
  it("is named by the flag that it came with, with status 2", () => {
    const ran = haft(["call", "bash", '{"command":"true"}', "--allow", "Bash(true)"], { cwd: makeRoot() });
    expect(ran.status).toBe(2);
    expect(ran.err).toMatch(/^haft: --allow: expected bash \(the nearest name\)/);
  });

  it("is a usage error of explain as of call, where it is the name of a tool", () => {
    const cwd = makeRoot();
    expect(haft(["explain", "raed", "{}"], { cwd }).status).toBe(2);
    expect(haft(["call", "raed", "{}"], { cwd }).status).toBe(2);
  });
});
