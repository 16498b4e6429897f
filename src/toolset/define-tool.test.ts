import { describe, expect, it } from "vitest";
import { z } from "zod";
import { echoTool, mountEcho } from "../../test/support/echo-tools.ts";
import { OptionsError } from "../contract/errors.ts";
import { NO_ACCESS, type Tool } from "../contract/tool.ts";
import { TOOL_NAMES } from "../tools/catalog.ts";
import { defineTool, RESERVED_NAMES } from "./define-tool.ts";

const annotations = {
  title: "Count",
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const shape = {
  name: "count" as const,
  annotations,
  alwaysLoaded: false,
  input: z.object({ text: z.string(), most: z.int().optional() }),
  describe: () => "Counts characters.",
  access: () => NO_ACCESS,
  run: async ({ text }: { text: string }) => ({
    content: `${text.length} characters`,
    details: { count: text.length },
  }),
};

describe("a tool of one's own", () => {
  it("is given back typed, frozen and ready to mount", async () => {
    const tool: Tool<"count", typeof shape.input, { count: number }> = defineTool(shape);
    expect(Object.isFrozen(tool)).toBe(true);
    const out = await mountEcho(import.meta.dirname, { tools: [tool] }).call(
      "count",
      '{"text":"abc","most":"2"}',
    );
    expect(out).toMatchObject({ content: "3 characters", details: { count: 3 } });
  });

  it.each([
    [{ name: "a b" }, "name"],
    [{ name: "" }, "name"],
    [{ name: "x".repeat(65) }, "name"],
    [{ annotations: { ...annotations, readOnlyHint: undefined } }, "annotations.readOnlyHint"],
    [{ name: "bash" }, "name"],
    [{ name: "writes" }, "name"],
    [{ annotations: "none" }, "annotations"],
    [{ annotations: { ...annotations, title: 5 } }, "annotations.title"],
    [{ annotations: { readonlyHint: true } }, "annotations.readonlyHint"],
    [{ describe: undefined }, "description"],
    [{ describe: undefined, description: " " }, "description"],
    [{ aliases: { letters: ["chars"] } }, "aliases.letters"],
    [{ aliases: { text: "chars" } }, "aliases.text"],
    [{ preview: "diff" }, "preview"],
    [{ cancelGraceMs: -1 }, "cancelGraceMs"],
    [{ alwaysLoaded: 1 }, "alwaysLoaded"],
    [{ describe: "text" }, "describe"],
    [{ access: undefined }, "access"],
    [{ run: undefined }, "run"],
    [{ input: undefined }, "input"],
    [{ input: z.object({ a: z.union([z.string(), z.number()]) }) }, "input"],
    [{ input: z.object({ a: z.string().nullable() }) }, "input"],
    [{ input: z.object({ a: z.date() }) }, "input"],
    [{ input: z.object({ a: z.array(z.unknown()) }) }, "input"],
    [{ input: z.object({ a: z.record(z.string(), z.string()) }) }, "input"],
    [{ input: z.string() }, "input"],
  ])("that is wrong throws with the name of what is wrong: %#", (wrong, option) => {
    const define = () => defineTool({ ...shape, ...wrong } as unknown as typeof shape);
    expect(define).toThrow(OptionsError);
    expect(define).toThrow(`option ${option}: expected`);
  });

  it("takes no name that modes and rules know", () => {
    expect(RESERVED_NAMES).toEqual([...TOOL_NAMES, "reads", "writes", "connects", "runs"]);
  });

  it("is the most dangerous where it says nothing of itself", () => {
    const { annotations, alwaysLoaded, access } = defineTool({
      name: "silent",
      description: "Says nothing.",
      input: z.object({}),
      run: async () => ({ content: "done", details: {} }),
    });
    expect(annotations).toEqual({
      title: "silent",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
    expect(alwaysLoaded).toBe(false);
    expect(access({})).toEqual({ paths: [], runs: [], connects: [], isUndeclared: true });
  });

  it("that is nothing at all throws too", () => {
    for (const nothing of [undefined, null, 5])
      expect(() => defineTool(nothing as never)).toThrow(OptionsError);
  });
});

describe("the schema that is shown", () => {
  it("is plain, whatever zod writes", () => {
    const input = z
      .object({
        whole: z.int(),
        positive: z.int().min(1).max(20).default(3),
        exact: z.number().gt(0).optional(),
        word: z.enum(["a", "b"]),
        list: z
          .array(z.object({ deep: z.boolean() }))
          .min(1)
          .max(9)
          .describe("A list."),
        inner: z.object({}),
      })
      .describe("Everything.");
    const [definition] = mountEcho(import.meta.dirname, {
      tools: [echoTool({ name: "x", changes: false, input })],
    }).definitions();
    expect(definition?.inputSchema).toEqual({
      type: "object",
      description: "Everything.",
      properties: {
        whole: { type: "integer" },
        positive: { type: "integer", minimum: 1, maximum: 20, default: 3 },
        exact: { type: "number", exclusiveMinimum: 0 },
        word: { type: "string", enum: ["a", "b"] },
        list: {
          type: "array",
          description: "A list.",
          minItems: 1,
          maxItems: 9,
          items: {
            type: "object",
            properties: { deep: { type: "boolean" } },
            required: ["deep"],
            additionalProperties: false,
          },
        },
        inner: { type: "object", properties: {}, required: [], additionalProperties: false },
      },
      required: ["whole", "word", "list", "inner"],
      additionalProperties: false,
    });
  });
});
