/**
 * Owns checking that a value is a tool: what the compiler cannot see, at run time, once.
 * Leaves mounting to mount-tools.ts. Rule: a tool that is wrong throws here, with the name of what is wrong,
 * and never later inside a call.
 */
import type { z } from "zod";
import { OptionsError } from "../contract/errors.ts";
import type { AnyTool, Tool } from "../contract/tool.ts";
import { emitInputSchema } from "./input-schema.ts";
import { showValue } from "./show-value.ts";

/** What providers accept as a function's name. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Checks a tool of one's own, and gives it back typed and frozen. Throws `OptionsError`, naming what is wrong. No
 * option of `mount` takes one in this version: it is for those who add a tool to the catalogue.
 */
export function defineTool<const Name extends string, Schema extends z.ZodObject, Details>(
  tool: Tool<Name, Schema, Details>,
): Tool<Name, Schema, Details> {
  checkTool(tool);
  return Object.freeze({ ...tool, annotations: Object.freeze({ ...tool.annotations }) });
}

function checkTool(tool: unknown): asserts tool is AnyTool {
  const parts = (typeof tool === "object" && tool !== null ? tool : {}) as Record<string, unknown>;
  const { name, annotations, alwaysLoaded } = parts;
  if (typeof name !== "string" || !TOOL_NAME.test(name))
    throw wrong("name", "1 to 64 letters, digits, _ and -", name);
  if (typeof alwaysLoaded !== "boolean") throw wrong("alwaysLoaded", "true or false", alwaysLoaded);
  const hints = (typeof annotations === "object" && annotations !== null ? annotations : {}) as Record<
    string,
    unknown
  >;
  if (typeof hints.title !== "string") throw wrong("annotations.title", "a string", hints.title);
  for (const hint of HINTS)
    if (typeof hints[hint] !== "boolean") throw wrong(`annotations.${hint}`, "true or false", hints[hint]);
  for (const method of ["describe", "access", "run"])
    if (typeof parts[method] !== "function") throw wrong(method, "a function", parts[method]);
  try {
    emitInputSchema(parts as unknown as AnyTool);
  } catch (error) {
    throw new OptionsError({
      option: "input",
      expected: "a zod object of strings, numbers, booleans, enums, arrays and objects of these",
      got: error instanceof Error ? error.message : String(error),
    });
  }
}

function wrong(option: string, expected: string, got: unknown): OptionsError {
  return new OptionsError({
    option,
    expected,
    got: typeof got === "function" ? "a function" : showValue(got),
  });
}
