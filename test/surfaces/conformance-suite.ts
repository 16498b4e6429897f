/**
 * Owns running the official conformance suite of MCP against a server, and reading what it found.
 * Leaves what does not apply to test/official/conformance-not-applicable.json. Rule: the suite is the judge; nothing of
 * its report is read but the counts that it prints of each scenario.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CONFORMANCE, NODE_24 } from "../support/official.ts";
import { type Serving, startServing } from "./http-server.ts";
import { makeFolder } from "./start-server.ts";

const official = join(import.meta.dirname, "..", "official");

export type ServerKind = "haft mcp" | "own tools";
export type TransportKind = "http" | "stdio";

interface NotApplicable {
  readonly scenario: string;
  readonly why: string;
  /** Absent: all of them. */
  readonly servers?: readonly ServerKind[];
  readonly transports?: readonly TransportKind[];
}

export const NOT_APPLICABLE = JSON.parse(
  readFileSync(join(official, "conformance-not-applicable.json"), "utf8"),
) as readonly NotApplicable[];

/** What does not apply to one server over one transport. */
export function listNotApplicable(server: ServerKind, transport: TransportKind): string[] {
  return NOT_APPLICABLE.filter(
    ({ servers, transports }) =>
      (servers?.includes(server) ?? true) && (transports?.includes(transport) ?? true),
  ).map(({ scenario }) => scenario);
}

/** The scenarios for servers that this version of the suite has. */
export async function listScenarios(): Promise<string[]> {
  const text = await runSuite(["list", "--server"]);
  return [...text.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
}

/** Whether each scenario passed: the given ones, or all. Those that are given are run beside each other. */
export async function judge(
  url: string,
  scenarios?: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (scenarios === undefined) return readSummary(await runSuite(["server", "--url", url, "--suite", "all"]));
  const found = new Map<string, boolean>();
  for (const scenario of scenarios) {
    const text = await runSuite(["server", "--url", url, "--scenario", scenario]);
    const counts = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(text);
    found.set(scenario, counts !== null && counts[3] === "0");
  }
  return found;
}

/** Lines as `✓ ping: 1 passed, 0 failed`. Warnings are in neither count. */
function readSummary(text: string): Map<string, boolean> {
  const lines = text.matchAll(/^[✓✗] (\S+): \d+ passed, (\d+) failed/gm);
  return new Map([...lines].map(([, name = "", failed]) => [name, failed === "0"]));
}

/** The exit code tells of failures that are expected here, so the text alone is read. */
function runSuite(args: readonly string[]): Promise<string> {
  const { command = "", args: before = [] } = CONFORMANCE ?? {};
  return new Promise((resolve) => {
    // The suite leaves its results in the folder it runs in.
    const options = { cwd: makeFolder(), maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    const child = execFile(command, [...before, ...args], options, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
    onTestFinished(() => void child.kill());
  });
}

/** Starts a relay to a server on standard input and output: the suite speaks HTTP alone. */
export function startRelay(words: readonly string[]): Promise<Serving> {
  return startServing([join(official, "stdio-relay.mjs"), process.execPath, ...words], {
    node: NODE_24 ?? "",
  });
}
