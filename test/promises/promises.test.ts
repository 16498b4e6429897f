/**
 * Owns the promises that every tool keeps, whatever it does. Leaves what a tool answers to its own tests.
 * Rule: a promise is checked for each registered call, in a copy of the tree of its own.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { CATALOG } from "../../src/tools/catalog.ts";
import { ALIASES } from "../../src/toolset/aliases.ts";
import {
  expectSuccess,
  FILE_TOOLS,
  type LooseToolset,
  mountLoosely,
  mountWithPorts,
  mountWithResults,
  type Output,
} from "../support/loose-toolset.ts";
import { keepResults } from "../support/past-results.ts";
import { findSuggestedCalls, type SuggestedCall } from "../support/suggested-calls.ts";
import { readTreeContents, readTreeState, type TreeState } from "../support/tree-state.ts";
import { chooseRows, IS_SHORT } from "../support/where-tools-run.ts";
import { makePromisedTree } from "./promised-tree.ts";
import type { PromisedCall, Registration } from "./registration.ts";
import { REGISTRY } from "./registry.ts";

/** Generous: it catches a hang, not slowness. */
const ANSWER_MS = 10_000;
/** Suggested calls followed from one answer: each page of a long file suggests the next. */
const FOLLOWED = 12;
/** Tools whose results end at `resultMax`. Any other gives its whole result. */
const PAGED: ReadonlySet<string> = new Set(["read", "list", "glob", "grep"]);

let base = "";
let worlds = 0;
let shared: World | undefined;
const open: LooseToolset[] = [];

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-promises-")));
});
afterEach(async () => {
  for (const tools of open.splice(0)) await tools.close();
  for (const name of readdirSync(base))
    if (name !== shared?.outer.split("/").at(-1)) rmSync(join(base, name), { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true }));

interface World {
  /** Holds the root and what lies outside it. */
  readonly outer: string;
  readonly root: string;
}

function makeWorld(): World {
  const outer = join(base, `world-${worlds++}`);
  mkdirSync(join(outer, "root"), { recursive: true });
  makePromisedTree(join(outer, "root"));
  return { outer, root: join(outer, "root") };
}

/** One world serves all calls that change nothing; the first promise shows of each that it changes nothing. */
function worldFor(tool: string, call: PromisedCall): World {
  if (!isReadOnly(tool) && call.gives === "success") return makeWorld();
  shared ??= makeWorld();
  return shared;
}

function isReadOnly(tool: string): boolean {
  return CATALOG.find((one) => one.name === tool)?.annotations.readOnlyHint === true;
}

/** `tool` is the one that is held to its promises: it may be one that only a session mounts. */
function mountIn(world: World, tool: string, options: Readonly<Record<string, unknown>> = {}): LooseToolset {
  const { results, commitments } = REGISTRY.find((one) => one.tool === tool) ?? {};
  const tools =
    commitments !== undefined
      ? mountWithPorts(world.root, { tool, ports: { commitments: commitments(world.root) } }, options)
      : results === undefined
        ? mountLoosely(world.root, { tools: [...new Set([...FILE_TOOLS, tool])], ...options })
        : mountWithResults(world.root, keepResults(results), options);
  open.push(tools);
  return tools;
}

/** A tree without the folder of commands' temporary files, which is theirs to write to. */
function withoutScratch(state: TreeState): TreeState {
  return Object.fromEntries(Object.entries(state).filter(([path]) => !path.startsWith("./root/.haft/")));
}

interface Ready {
  readonly world: World;
  readonly tools: LooseToolset;
}

async function prepare(
  tool: string,
  call: PromisedCall,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Ready> {
  const world = worldFor(tool, call);
  const tools = mountIn(world, tool, { ...call.options, ...options });
  for (const first of call.after ?? [])
    expectSuccess(await tools.call(nameIn(tools, first.name), first.args));
  return { world, tools };
}

/** Tools that are mounted under a prefix have it before each name. */
function nameIn(tools: LooseToolset, bare: string): string {
  return tools.names().find((name) => name === bare || name.endsWith(`_${bare}`)) ?? bare;
}

async function make(
  tool: string,
  call: PromisedCall,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Ready & { readonly output: Output }> {
  const ready = await prepare(tool, call, options);
  return { ...ready, output: await ready.tools.call(nameIn(ready.tools, tool), call.args) };
}

function expectAsPromised(call: PromisedCall, output: Output): void {
  expect(output.isError ? "refusal" : "success", output.content).toBe(call.gives);
  if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
}

/** Every string in an output, however deep. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* stringsIn(inner);
    }
}

function expectWellFormed(output: Output): void {
  for (const text of stringsIn(output))
    expect(text.isWellFormed(), JSON.stringify(text.slice(0, 200))).toBe(true);
}

function expectNothingLeft(world: World): void {
  const left = readdirSync(world.outer, { recursive: true, encoding: "utf8" }).filter(
    // The folder of an open toolset's commands is in use, and gone once it is closed.
    (path) => /\.haft-.*\.tmp$/.test(path) && !path.startsWith("root/.haft/scratch/"),
  );
  expect(left).toEqual([]);
}

it("every tool of the catalogue is registered, with successes and refusals", () => {
  expect(REGISTRY.map((one) => one.tool)).toEqual(CATALOG.map((tool) => tool.name));
  for (const { tool, calls } of REGISTRY)
    expect(new Set(calls.map((call) => call.gives)), tool).toEqual(new Set(["success", "refusal"]));
});

describe.each(REGISTRY)("$tool promises", ({ tool, calls: all, values, fixed = {} }: Registration) => {
  const calls = chooseRows(all);
  const readOnly = isReadOnly(tool);

  it.each(calls)("to answer as registered and leave all alone where it refuses: $about", async (call) => {
    const { world, tools } = await prepare(tool, call);
    const before = withoutScratch(readTreeState(world.outer));
    const output = await tools.call(tool, call.args);
    expectAsPromised(call, output);
    expectWellFormed(output);
    expectNothingLeft(world);
    if (output.isError || readOnly) expect(withoutScratch(readTreeState(world.outer))).toEqual(before);
  });

  it.each(calls)("to give the same bytes for the same call in the same state: $about", async (call) => {
    const first = await make(tool, call);
    const second = await make(tool, call);
    expect(second.output.content).toBe(first.output.content);
    expect(first.output.content).not.toContain(first.world.outer);
    if (!readOnly && !first.output.isError) return;
    const again = await first.tools.call(tool, call.args);
    expect(again.content).toBe(first.output.content);
  });

  it.each(calls)("to suggest only calls that succeed: $about", async (call) => {
    const alone = [...new Set([tool, ...(call.after ?? []).map((one) => one.name)])];
    for (const options of [{}, { prefix: "x_" }, { tools: alone }]) {
      const { world, tools, output } = await make(tool, call, options);
      const self = { name: nameIn(tools, tool), args: call.args };
      let waiting = findSuggestedCalls(output.content, tools.names());
      expect(waiting).not.toContainEqual(self);
      for (let followed = 0; followed < FOLLOWED; followed++) {
        const [next, ...rest] = waiting;
        if (next === undefined) break;
        const copy = mountIn(isSafe(tools, next.name) ? world : copyWorld(world), tool, {
          ...call.options,
          ...options,
        });
        const answer = await copy.call(next.name, next.args);
        if (answer.isError) expect.fail(tellRefused(next, output, answer));
        waiting = [...rest, ...findSuggestedCalls(answer.content, tools.names())];
      }
    }
  });

  it.each(calls)("to answer a cancellation in time, with all or nothing done: $about", async (call) => {
    const whole = await make(tool, call);
    const after = withoutScratch(readTreeContents(whole.world.outer));
    for (const when of ["before", "at once", "after 5 ms"] as const) {
      const { world, tools } = await prepare(tool, call);
      const untouched = withoutScratch(readTreeContents(world.outer));
      const host = new AbortController();
      if (when === "before") host.abort();
      const pending = tools.call(tool, call.args, { signal: host.signal });
      if (when === "at once") host.abort();
      if (when === "after 5 ms") setTimeout(() => host.abort(), 5);
      const output = await within(pending);
      if (output.isError && output.refusal.code !== "call-cancelled") expectAsPromised(call, output);
      expectNothingLeft(world);
      const state = withoutScratch(readTreeContents(world.outer));
      if (when === "before") expect(output.isError && output.refusal.code).toBe("call-cancelled");
      expect([untouched, after], when).toContainEqual(state);
      if (output.isError) expect(state).toEqual(untouched);
    }
  });

  it("to give an output for any arguments at all, well-formed, and no fault", async () => {
    const world = makeWorld();
    const tools = mountIn(world, tool);
    const record = randomArguments(tool, values, fixed);
    const args = fc.oneof(
      { weight: 4, arbitrary: record },
      { weight: 2, arbitrary: record.map((one) => JSON.stringify(one)) },
      {
        weight: 1,
        arbitrary: fc.tuple(record, fc.nat(40)).map(([one, cut]) => JSON.stringify(one).slice(0, -cut)),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 1, arbitrary: fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }) },
    );
    await fc.assert(
      fc.asyncProperty(args, async (one) => {
        const output = await within(tools.call(tool, one));
        expectWellFormed({ ...output, ...(output.isError ? { refusal: { ...output.refusal } } : {}) });
        if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
      }),
      { numRuns: IS_SHORT ? 50 : 500 },
    );
    expectNothingLeft(world);
  });

  if (!PAGED.has(tool)) return;

  it("to keep every result within resultMax, header and notes included", async () => {
    for (const call of calls) {
      const limits = { ...((call.options?.limits as object | undefined) ?? {}), resultMax: 2_000 };
      const { output } = await make(tool, { ...call, options: { ...call.options, limits } });
      expect(output.content.length, call.about).toBeLessThanOrEqual(2_000);
      if (output.isError || typeof call.args !== "object" || call.args === null) continue;
      const noted = await make(tool, {
        ...call,
        args: { ...call.args, nothing_known: 1 },
        options: { limits },
      });
      expect(noted.output.content.length, call.about).toBeLessThanOrEqual(2_000);
    }
  });
});

function isSafe(tools: LooseToolset, name: string): boolean {
  return CATALOG.some((one) => one.annotations.readOnlyHint && nameIn(tools, one.name) === name);
}

/** The tree as it is now, for a suggested call that changes it. A FIFO cannot be copied. */
function copyWorld(world: World): World {
  const outer = join(base, `world-${worlds++}`);
  cpSync(world.outer, outer, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith("/pipe"),
  });
  return { outer, root: join(outer, "root") };
}

function tellRefused(next: SuggestedCall, from: Output, answer: Output): string {
  return `${next.name} ${JSON.stringify(next.args)}, suggested by\n${from.content}\nwas refused:\n${answer.content}`;
}

/** Names that the tool takes and some that it does not, with values that fit and some that do not. */
function randomArguments(
  tool: string,
  values: readonly unknown[],
  fixed: NonNullable<Registration["fixed"]>,
): fc.Arbitrary<Record<string, unknown>> {
  const definition = CATALOG.find((one) => one.name === tool);
  const own = Object.keys((definition?.input as z.ZodObject | undefined)?.shape ?? {});
  const rows = ALIASES.filter(
    (row) => row.tools.includes(tool) && !("to" in row && Object.hasOwn(fixed, row.to)),
  );
  const aliases = rows.flatMap((row) => row.names);
  const names = [...own, ...own, ...own, ...aliases, "__proto__", "dry_run", "_note", "old_text", "new_text"];
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
  const pair = fc.constantFrom(...names).chain((name) => {
    const drawn = Object.hasOwn(fixed, name) ? fc.constantFrom(...(fixed[name] ?? [])) : value;
    return fc.tuple(fc.constant(name), drawn);
  });
  return fc.array(pair, { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs));
}

function within(output: Promise<Output>): Promise<Output> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  return Promise.race([output, late]).finally(() => clearTimeout(timer));
}
