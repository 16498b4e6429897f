/**
 * Owns that the official inspector's command line, which people try a server with, lists and calls the tools.
 * Leaves results to the other tests of the server. Rule: the real program, over both transports, and its exit code.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TOOL_NAMES } from "../../src/index.ts";
import { describeWith, INSPECTOR } from "../support/official.ts";
import { startHttp } from "./http-server.ts";
import { HAFT, makeFolder } from "./start-server.ts";

/** What the inspector says of a result that is an error. */
const TOOL_IS_ERROR = 5;
const LONG_MS = 120_000;

interface Inspected {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function inspect(args: readonly string[]): Promise<Inspected> {
  const { command = "", args: before = [] } = INSPECTOR ?? {};
  // It keeps a catalogue in the person's home.
  const HOME = makeFolder();
  const env = { ...process.env, HOME, XDG_CONFIG_HOME: HOME };
  return new Promise((resolve) => {
    const child = execFile(
      command,
      [...before, "--cli", ...args],
      { env, cwd: HOME },
      (_error, output, errors) => resolve({ code: child.exitCode, output, errors }),
    );
  });
}

interface Listed {
  readonly tools: readonly { readonly name: string; readonly title: string; readonly inputSchema: object }[];
}

interface Called {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

function makeRoot(): string {
  const root = makeFolder();
  writeFileSync(join(root, "a.txt"), "alpha\n");
  return root;
}

/** What the inspector is told of the server: an address, or the command that starts it. */
async function targetOver(transport: string, root: string): Promise<string[]> {
  const flags = ["--root", root, "--allow", "bash"];
  if (transport === "HTTP") return [(await startHttp(flags)).url];
  return [process.execPath, HAFT, "mcp", ...flags];
}

describeWith([INSPECTOR], "the official inspector's command line", () => {
  it.each(["standard input and output", "HTTP"])(
    "lists the tools over %s, and finds nothing in them that a client could not use",
    {
      timeout: LONG_MS,
    },
    async (transport) => {
      const target = await targetOver(transport, makeRoot());
      const { code, output, errors } = await inspect([...target, "--method", "tools/list", "--strict"]);
      expect({ code, errors: errors.replace(/^haft mcp: .*\n/gm, "") }).toEqual({ code: 0, errors: "" });
      const { tools } = JSON.parse(output) as Listed;
      expect(TOOL_NAMES).toEqual(expect.arrayContaining(tools.map(({ name }) => name)));
      expect(tools.length).toBeGreaterThan(10);
    },
  );

  it.each(["standard input and output", "HTTP"])(
    "calls them over %s, and is told what changed, what ran and what was refused",
    {
      timeout: LONG_MS,
    },
    async (transport) => {
      const root = makeRoot();
      const target = await targetOver(transport, root);
      const call = async (tool: string, args: object) => {
        const given = ["--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
        const { code, output } = await inspect([...target, "--method", "tools/call", ...given]);
        return { code, ...(JSON.parse(output) as Called) };
      };
      const write = await call("write", { path: "b.txt", content: "beta\n" });
      expect(write).toMatchObject({ code: 0, content: [{ text: "created b.txt: 1 line, 5 bytes" }] });
      expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("beta\n");
      const bash = await call("bash", { command: "cat a.txt b.txt" });
      expect(bash).toMatchObject({ code: 0, content: [{ text: expect.stringContaining("alpha\nbeta") }] });
      const missing = await call("read", { path: "c.txt" });
      expect(missing).toMatchObject({ code: TOOL_IS_ERROR, isError: true });
      expect(missing.content[0]?.text).toContain("c.txt does not exist");
    },
  );
});
