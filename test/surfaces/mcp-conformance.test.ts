/**
 * Owns what the official conformance suite says of haft's server, over HTTP and over standard input and output.
 * Leaves running it to conformance-suite.ts. Rule: every scenario passes, or stands in
 * test/official/conformance-not-applicable.json with the reason; one that stands there and passes fails the test.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONFORMANCE, describeWith } from "../support/official.ts";
import {
  judge,
  listNotApplicable,
  listScenarios,
  NOT_APPLICABLE,
  type ServerKind,
  startRelay,
} from "./conformance-suite.ts";
import { startHttp } from "./http-server.ts";
import { HAFT, makeFolder } from "./start-server.ts";

const LONG_MS = 240_000;
/** A host of `haft/mcp` that mounts tools of its own. */
const OWN_TOOLS = join(import.meta.dirname, "fixtures", "conformance-tools.mjs");

function makeRoot(): string {
  const root = makeFolder();
  writeFileSync(join(root, "a.txt"), "a\n");
  return root;
}

/** What passes and what does not, each sorted. */
function divide(found: ReadonlyMap<string, boolean>) {
  const named = (wanted: boolean) =>
    [...found].flatMap(([name, passed]) => (passed === wanted ? [name] : [])).sort();
  return { passed: named(true), failed: named(false) };
}

/** Over HTTP all scenarios are run: what does not apply must still fail. */
async function checkAll(url: string, server: ServerKind): Promise<void> {
  const all = await listScenarios();
  const found = await judge(url);
  expect([...found.keys()].sort()).toEqual(all.sort());
  expect(divide(found).failed).toEqual(listNotApplicable(server, "http").sort());
}

/**
 * Each scenario over standard input and output starts a server, so those that do not apply are run with HAFT_LONG=1
 * alone. What speaks of HTTP would be answered by the relay and is never run.
 */
async function checkApplicable(url: string, server: ServerKind): Promise<void> {
  const missing = listNotApplicable(server, "stdio");
  const applicable = (await listScenarios()).filter((name) => !missing.includes(name)).sort();
  expect(divide(await judge(url, applicable))).toEqual({ passed: applicable, failed: [] });
  if (process.env.HAFT_LONG !== "1") return;
  const everywhere = listNotApplicable(server, "http");
  expect(divide(await judge(url, everywhere)).passed).toEqual([]);
}

describeWith([CONFORMANCE], "the official conformance suite", () => {
  it("has every scenario of the list of what does not apply, and the page for people gives each with its reason", async () => {
    const known = await listScenarios();
    expect(NOT_APPLICABLE.filter(({ scenario }) => !known.includes(scenario))).toEqual([]);
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "mcp-protocol.md"), "utf8");
    for (const { scenario, why } of NOT_APPLICABLE) {
      expect(why.length, scenario).toBeGreaterThan(30);
      const rows = page.split("\n").filter((line) => line.startsWith(`| \`${scenario}\` |`));
      expect(
        rows.some((row) => row.endsWith(` | ${why} |`)),
        scenario,
      ).toBe(true);
    }
  });

  // Two scenarios say little here: a tool that is not there is answered with text, which is marked as an error. They
  // are run in earnest where a host mounts the suite's tools.
  it("passes over HTTP, but for what does not apply", { timeout: LONG_MS }, async () => {
    const { url } = await startHttp(["--root", makeRoot()]);
    await checkAll(url, "haft mcp");
  });

  it("passes over standard input and output, but for what does not apply", { timeout: LONG_MS }, async () => {
    const { url } = await startRelay([HAFT, "mcp", "--root", makeRoot()]);
    await checkApplicable(url, "haft mcp");
  });

  it("passes over HTTP where a host mounts the suite's tools, but for what no tool can be", {
    timeout: LONG_MS,
  }, async () => {
    const { url } = await startHttp([makeRoot(), "http"], { program: OWN_TOOLS });
    await checkAll(url, "own tools");
  });

  it("passes over standard input and output where a host mounts the suite's tools", {
    timeout: LONG_MS,
  }, async () => {
    const { url } = await startRelay([OWN_TOOLS, makeRoot()]);
    await checkApplicable(url, "own tools");
  });
});
