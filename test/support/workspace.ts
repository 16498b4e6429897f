/**
 * Owns a fresh root with a world around it (`<base>/root`, siblings outside), filled by real bash, removed afterwards.
 * Leaves what is asked of the tools to the tests. Rule: a fixture that bash could not make fails the test.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import type { RefusalCode } from "../../src/contract/refusal.ts";
import {
  expectRefusal,
  expectSuccess,
  type LooseToolset,
  mountLoosely,
  type Output,
  type Refused,
  type Succeeded,
} from "./loose-toolset.ts";
import { findSuggestedCalls } from "./suggested-calls.ts";
import { readTreeState } from "./tree-state.ts";

export interface Workspace {
  /** Holds the root and all that stands outside it. */
  readonly base: string;
  readonly root: string;
  readonly tools: LooseToolset;
  /** Runs bash in the root. */
  bash(script: string): string;
  bytes(path: string): Buffer;
  hex(path: string): string;
  text(path: string): string;
  call(name: string, args: unknown): Promise<Output>;
  /** The call must succeed. */
  does(name: string, args: unknown): Promise<Succeeded>;
  /** The call must be refused and leave every byte, mode and time inside and outside the root alone. */
  refuses(name: string, args: unknown, ...codes: readonly RefusalCode[]): Promise<Refused>;
  /** One edit that must succeed. */
  edit(path: string, oldText: string, newText: string): Promise<Succeeded>;
  /** Another toolset on the same root, with nothing seen. */
  mountAgain(options?: Readonly<Record<string, unknown>>): LooseToolset;
}

const open: { base: string; toolsets: LooseToolset[] }[] = [];

afterEach(async () => {
  for (const { base, toolsets } of open.splice(0)) {
    for (const tools of toolsets) await tools.close();
    spawnSync("chmod", ["-R", "u+rwX", base]);
    rmSync(base, { recursive: true, force: true });
  }
});

export function runBash(script: string, cwd: string): string {
  const ran = spawnSync("bash", ["-e", "-c", script], { cwd, encoding: "utf8", maxBuffer: 64_000_000 });
  if (ran.status !== 0) expect.fail(`fixture failed (${ran.status}): ${script}\n${ran.stderr}`);
  return ran.stdout;
}

/** The calls that a refusal suggests must work. Those that change something are left to the tests that want the change. */
async function expectAdviceSucceeds(tools: LooseToolset, refused: Refused): Promise<void> {
  for (const { name, args } of findSuggestedCalls(refused.content, ["read", "list", "glob", "grep"])) {
    const taken = await tools.call(name, args);
    expect(taken.isError, `${name} ${JSON.stringify(args)} was suggested by: ${refused.content}`).toBe(false);
  }
}

/** A fresh workspace; `fixture` is bash, run in the root before the toolset is mounted. */
export function openWorkspace(fixture: string, options: Readonly<Record<string, unknown>> = {}): Workspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-test-")));
  const toolsets: LooseToolset[] = [];
  open.push({ base, toolsets });
  const root = join(base, "root");
  mkdirSync(root);
  if (fixture !== "") runBash(fixture, root);
  const mountAgain = (more: Readonly<Record<string, unknown>> = {}): LooseToolset => {
    const tools = mountLoosely(root, { ...options, ...more });
    toolsets.push(tools);
    return tools;
  };
  const tools = mountAgain();
  const bytes = (path: string): Buffer => readFileSync(join(root, path));
  const does = async (name: string, args: unknown): Promise<Succeeded> =>
    expectSuccess(await tools.call(name, args));
  return {
    base,
    root,
    tools,
    bash: (script) => runBash(script, root),
    bytes,
    hex: (path) => bytes(path).toString("hex").toUpperCase(),
    text: (path) => bytes(path).toString("utf8"),
    call: (name, args) => tools.call(name, args),
    does,
    refuses: async (name, args, ...codes) => {
      const before = readTreeState(base);
      const refused = expectRefusal(await tools.call(name, args), ...codes);
      expect(readTreeState(base), "a refusal leaves everything alone").toEqual(before);
      // A toolset of its own takes the advice: what it is shown must not become known to the one under test.
      await expectAdviceSucceeds(mountAgain(), refused);
      return refused;
    },
    edit: (path, oldText, newText) =>
      does("edit", { path, edits: [{ old_text: oldText, new_text: newText }] }),
    mountAgain,
  };
}
