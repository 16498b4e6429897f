import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { NO_ACCESS } from "../contract/tool.ts";
import { defineTool } from "./define-tool.ts";
import { mountTools } from "./mount-tools.ts";
import type { PrefixOf } from "./toolset.ts";

const root = mkdtempSync(join(tmpdir(), "haft-types-"));
afterAll(() => rmSync(root, { recursive: true }));

const annotations = {
  title: "t",
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const count = defineTool({
  name: "count",
  annotations,
  alwaysLoaded: false,
  input: z.object({ text: z.string(), most: z.int().optional() }),
  describe: () => "Counts.",
  access: () => NO_ACCESS,
  run: async ({ text }) => ({ content: `${text.length}`, details: { count: text.length } }),
});
const spell = defineTool({
  name: "spell",
  annotations,
  alwaysLoaded: false,
  input: z.object({ word: z.string() }),
  describe: () => "Spells.",
  access: () => NO_ACCESS,
  run: async ({ word }) => ({ content: [...word].join("-"), details: { letters: [...word] } }),
});

const request = { catalog: [count, spell], preset: { prefix: "p_", tools: ["count", "spell"] } };

// The lines marked as errors are the test: they fail to compile where the types are too loose.
describe("the types of a toolset", () => {
  const tools = mountTools<typeof count | typeof spell, "p_">(request, { root });

  it("infer arguments and details from the tool by its mounted name", async () => {
    const counted = await tools.call("p_count", { text: "abc", most: 5 });
    if (counted.isError) expect.fail(counted.content);
    const length: number = counted.details.count;
    const spelled = await tools.call("p_spell", { word: "abc" });
    if (spelled.isError) expect.fail(spelled.content);
    const letters: readonly string[] = spelled.details.letters;
    expect([length, letters]).toEqual([3, ["a", "b", "c"]]);
    // @ts-expect-error count has no letters
    expect(counted.details.letters).toBeUndefined();
  });

  it("take JSON text for the arguments of any tool", async () => {
    expect((await tools.call("p_count", '{"text":"ab"}')).content).toBe("2");
  });

  it("refuse wrong arguments at compile time, and at run time all the same", async () => {
    // @ts-expect-error text is a string
    expect((await tools.call("p_count", { text: 5 })).isError).toBe(true);
    // @ts-expect-error word is missing
    expect((await tools.call("p_spell", {})).isError).toBe(true);
    // @ts-expect-error the arguments of another tool
    expect((await tools.call("p_spell", { text: "a" })).isError).toBe(true);
  });

  it("take any arguments under a name that only the run knows", async () => {
    const name: string = "p_count";
    const out = await tools.call(name, { whatever: 1 });
    expect(out.isError).toBe(true);
    expect((await tools.call("count", { text: "bare names are unknown" })).isError).toBe(true);
  });

  it("know the prefix that options give", () => {
    const literal: PrefixOf<{ readonly root: string; readonly prefix: "x_" }, ""> = "x_";
    const absent: PrefixOf<{ readonly root: string }, "file_"> = "file_";
    const nothing: PrefixOf<{ readonly prefix: undefined }, "file_"> = "file_";
    const none: PrefixOf<{ readonly prefix: "" }, "file_"> = "";
    const wide: PrefixOf<{ readonly prefix?: string }, ""> = "any" as string;
    expect(wide).toBe("any");
    expect([literal, absent, nothing, none]).toEqual(["x_", "file_", "file_", ""]);
  });
});
