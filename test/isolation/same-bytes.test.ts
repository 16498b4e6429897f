/**
 * Owns showing that a tool answers in the worker, confined or not, what it answers in the host: byte for byte, in all
 * that an answer has, and in what it leaves of the tree. Leaves what is asked to the registered calls of test/promises/.
 * Rule: the same calls in the same order on both sides; a worker serves all calls with the same options.
 */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CATALOG } from "../../src/tools/catalog.ts";
import { probe, saySkipped } from "../confine/confine-fixture.ts";
import { makePromisedTree } from "../promises/promised-tree.ts";
import type { PromisedCall, Registration } from "../promises/registration.ts";
import { REGISTRY } from "../promises/registry.ts";
import {
  expectSuccess,
  FILE_TOOLS,
  type LooseToolset,
  mountLoosely,
  mountWithPorts,
  mountWithResults,
} from "../support/loose-toolset.ts";
import { keepResults } from "../support/past-results.ts";
import { readTreeContents } from "../support/tree-state.ts";

saySkipped();

const HOST = { isolation: "none", confine: "off" };
const ELSEWHERE = [
  { where: "in a worker", options: { isolation: "worker", confine: "off" }, can: true },
  { where: "confined", options: { isolation: "worker", confine: "prefer" }, can: probe.canFence },
  {
    where: "without a network",
    options: { isolation: "worker", confine: "require" },
    can: probe.canCutNetwork && process.env.HAFT_LONG === "1",
  },
];

/** Details for a host that are of one run alone. */
const OF_ONE_RUN = ["durationMs", "pid", "pids"];

type Options = Readonly<Record<string, unknown>>;

/** A tree, and the toolsets over it by their options. */
class Side {
  readonly outer = realpathSync(mkdtempSync(join(tmpdir(), "haft-same-")));
  readonly root = join(this.outer, "root");
  private readonly toolsets = new Map<string, LooseToolset>();
  private readonly of: Registration;
  private readonly where: Options;

  constructor(of: Registration, where: Options) {
    this.of = of;
    this.where = where;
    mkdirSync(this.root);
    this.renew();
  }

  /** The folder of commands' temporary files is in use by the worker. */
  renew(): void {
    for (const name of readdirSync(this.outer))
      if (name !== "root") rmSync(join(this.outer, name), { recursive: true });
    for (const name of readdirSync(this.root))
      if (name !== ".haft") rmSync(join(this.root, name), { recursive: true });
    makePromisedTree(this.root);
  }

  private mount(own: Options): LooseToolset {
    const { tool, results, commitments } = this.of;
    const options = { ...own, ...this.where };
    if (commitments !== undefined)
      return mountWithPorts(this.root, { tool, ports: { commitments: commitments(this.root) } }, options);
    if (results !== undefined) return mountWithResults(this.root, keepResults(results), options);
    return mountLoosely(this.root, { tools: [...new Set([...FILE_TOOLS, tool])], ...options });
  }

  async answer(call: PromisedCall): Promise<unknown> {
    const own = call.options ?? {};
    const key = JSON.stringify(own);
    const tools = this.toolsets.get(key) ?? this.mount(own);
    this.toolsets.set(key, tools);
    for (const { name, args } of call.after ?? []) expectSuccess(await tools.call(name, args));
    const output = await tools.call(this.of.tool, call.args);
    const text = JSON.stringify(output, (key, value) => (OF_ONE_RUN.includes(key) ? undefined : value));
    return { ...JSON.parse(text.replaceAll(this.outer, "")), tree: this.readTree() };
  }

  private readTree() {
    const all = Object.entries(readTreeContents(this.outer));
    return Object.fromEntries(all.filter(([path]) => !path.startsWith("./root/.haft")));
  }

  async remove(): Promise<void> {
    for (const tools of this.toolsets.values()) await tools.close();
    rmSync(this.outer, { recursive: true });
  }
}

describe.each(ELSEWHERE)("$where", ({ options, can }) => {
  describe.runIf(can).each(REGISTRY)("$tool answers what it answers in the host", (of) => {
    const isReadOnly = CATALOG.find(({ name }) => name === of.tool)?.annotations.readOnlyHint === true;
    const sides: Side[] = [];
    afterAll(async () => {
      for (const side of sides) await side.remove();
    });
    const take = () => {
      if (sides.length === 0) sides.push(new Side(of, HOST), new Side(of, options));
      return sides;
    };

    it.each(of.calls)("$about", { timeout: 60_000 }, async (call) => {
      const both = take();
      const [here, there] = await Promise.all(both.map((side) => side.answer(call)));
      expect(there).toEqual(here);
      if (!isReadOnly && call.gives === "success") for (const side of both) side.renew();
    });
  });
});
