/**
 * Owns calling a toolset with arguments that no type allows, as a model does, and what holds of every answer.
 * Leaves what a single answer says to the tests. Rule: an answer that is not a whole ToolOutput fails here.
 */
import { expect } from "vitest";
import type { CallOptions } from "../../src/contract/call.ts";
import type { Ports } from "../../src/contract/context.ts";
import type { ToolOutput } from "../../src/contract/output.ts";
import type { RefusalCode } from "../../src/contract/refusal.ts";
import type { PastResults } from "../../src/contract/results.ts";
import { mount } from "../../src/index.ts";
import { CATALOG } from "../../src/tools/catalog.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { WHERE } from "./where-tools-run.ts";

export type Details = Readonly<Record<string, unknown>>;
export type Output = ToolOutput<Details>;
export type Succeeded = Extract<Output, { isError: false }>;
export type Refused = Extract<Output, { isError: true }>;

/** A toolset whose `call` takes anything. */
export interface LooseToolset {
  readonly root: string;
  names(): readonly string[];
  call(name: string, args: unknown, options?: CallOptions): Promise<Output>;
  dispatch(name: string, args: string): Promise<string>;
  close(): Promise<void>;
}

/** Every tool of the files room; grep runs with the built-in engine so that no test depends on an installed one. */
export const FILE_TOOLS = ["read", "list", "glob", "grep", "edit", "write", "delete", "move"] as const;

export function mountLoosely(root: string, options: Readonly<Record<string, unknown>> = {}): LooseToolset {
  const all = { root, tools: [...FILE_TOOLS], ripgrep: "never", ...WHERE, ...options };
  return loosen(mount(all as unknown as Parameters<typeof mount>[0]) as unknown as LooseToolset);
}

/** The same with `recall`, as a session mounts it over its results. */
export function mountWithResults(
  root: string,
  results: PastResults,
  options: Readonly<Record<string, unknown>> = {},
): LooseToolset {
  return mountWithPorts(root, { tool: "recall", ports: { results } }, options);
}

/** The same with one tool more, as a session mounts it over what it is given. */
export function mountWithPorts(
  root: string,
  { tool, ports }: { readonly tool: string; readonly ports: Partial<Ports> },
  options: Readonly<Record<string, unknown>> = {},
): LooseToolset {
  const all = { root, tools: [...FILE_TOOLS, tool], ripgrep: "never", ...WHERE, ...options };
  const request = { catalog: CATALOG, preset: { prefix: "", tools: [...FILE_TOOLS], inSession: true } };
  return loosen(mountTools(request, all, { ports }) as unknown as LooseToolset);
}

function loosen(mounted: LooseToolset): LooseToolset {
  return {
    root: mounted.root,
    names: () => mounted.names(),
    call: async (name, args, callOptions) => checkOutput(await mounted.call(name, args, callOptions)),
    dispatch: (name, args) => mounted.dispatch(name, args),
    close: () => mounted.close(),
  };
}

/** What holds of every answer, whatever was asked. */
export function checkOutput(output: Output): Output {
  expect(typeof output.isError).toBe("boolean");
  expect(typeof output.content).toBe("string");
  expect(output.content.length).toBeGreaterThan(0);
  // A lone surrogate does not survive the way through UTF-8.
  expect(Buffer.from(output.content).toString() === output.content, "content is well-formed").toBe(true);
  expect(Array.isArray(output.images)).toBe(true);
  expect(Array.isArray(output.notes)).toBe(true);
  if (output.isError) expect(typeof output.refusal.code).toBe("string");
  return output;
}

export function expectSuccess(output: Output): Succeeded {
  if (output.isError) expect.fail(`refused (${output.refusal.code}): ${output.content}`);
  return output;
}

/** A refusal, of one of `codes` where any are named; a fault of ours is never what a test wants. */
export function expectRefusal(output: Output, ...codes: readonly RefusalCode[]): Refused {
  if (!output.isError) expect.fail(`succeeded: ${output.content.slice(0, 500)}`);
  expect(output.refusal.code, output.content).not.toBe("fault");
  if (codes.length > 0) expect(codes, output.content).toContain(output.refusal.code);
  return output;
}
