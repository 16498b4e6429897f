/**
 * Owns where the official tools are that test/official holds, and what is said where they are not.
 * Leaves installing them to scripts/official-tools.mjs. Rule: a test that needs one skips where it is missing, and the
 * reason is printed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";

const packages = join(import.meta.dirname, "..", "official", "node_modules");
const NEEDED_MAJOR = 24;

/** A program and what comes before its arguments. */
export interface OfficialCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A Node that the official tools run with: the installed one, or the running one where that is new enough. */
export const NODE_24: string | undefined = findNode();

/** The suite of server scenarios: `server --url URL --scenario NAME`. */
export const CONFORMANCE = findTool("@modelcontextprotocol/conformance/dist/index.js");

/** The inspector without its window: `--cli …`. */
export const INSPECTOR = findTool("@modelcontextprotocol/inspector/clients/launcher/build/index.js");

/** Below this folder stand `ai` 7 and its providers, for what runs with Node 24. */
export const AI_SDK_7: string | undefined =
  NODE_24 !== undefined && existsSync(join(packages, "ai", "package.json")) ? packages : undefined;

/** Like `describe`, skipped with a printed reason where any of what it needs is missing. */
export function describeWith(needed: readonly unknown[], name: string, tests: () => void): void {
  const isMissing = needed.includes(undefined);
  if (isMissing) console.warn(`skipped: ${name} (test/official is not installed: npm ci there, or npm test)`);
  describe.skipIf(isMissing)(name, tests);
}

function findNode(): string | undefined {
  const installed = join(packages, `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(installed)) return installed;
  return Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR ? process.execPath : undefined;
}

function findTool(path: string): OfficialCommand | undefined {
  const script = join(packages, path);
  if (NODE_24 === undefined || !existsSync(script)) return undefined;
  return { command: NODE_24, args: [script] };
}
