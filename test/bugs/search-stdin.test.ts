/**
 * Owns the reported case of a host whose own standard input is an open pipe, or closed (P15).
 * Leaves everything else to the tests of each tool. Rule: real processes, over the built package.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findRipgrepNow } from "../../src/process/programs.ts";

const dist = process.env.HAFT_DIST ?? join(import.meta.dirname, "..", "..", "dist");
const root = mkdtempSync(join(tmpdir(), "haft-stdin-"));
writeFileSync(join(root, "f"), "needle\n");
afterAll(() => rmSync(root, { recursive: true }));

const HOST = `
  const { mount } = await import(process.argv[1]);
  const tools = mount({ root: process.argv[2], ripgrep: process.argv[3] });
  const out = [];
  for (const [name, args] of [["grep", { pattern: "needle" }], ["glob", { pattern: "*" }], ["list", {}]])
    out.push((await tools.call(name, args)).content);
  process.stdout.write(out.join("\\n"));
  process.exit(0);
`;

/** Runs the host with an input that never ends, or with none; gives what it printed. */
function runHost(engine: string, input: "open" | "closed"): Promise<string> {
  const command = input === "open" ? ["sh", "-c", 'exec "$@"'] : ["sh", "-c", 'exec "$@" <&-'];
  const args = [...command.slice(1), "sh", process.execPath, "--input-type=module", "-e", HOST];
  const child = spawn("sh", [...args, join(dist, "index.js"), root, engine], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (piece) => {
    printed += piece;
  });
  return new Promise((resolve) => {
    child.on("close", () => resolve(printed));
  });
}

const engines = findRipgrepNow(root) === undefined ? ["never"] : ["never", "always"];

describe("a host's own standard input", () => {
  it.each(
    engines.flatMap((engine) => [
      { engine, input: "open" as const },
      { engine, input: "closed" as const },
    ]),
  )("changes nothing: ripgrep $engine, input $input (P15)", async ({ engine, input }) => {
    expect(await runHost(engine, input)).toMatch(
      /^1 match in 1 file; searched 1 file\nf\n1:needle\n1 path matches "\*"\nf\n/,
    );
  });
});
