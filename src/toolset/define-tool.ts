/**
 * Owns checking that a value is a tool of a host's own: what the compiler cannot see, at run time, once; and which of
 * the things that a host mounts are such tools. Leaves making one to own-tool.ts, mounting to mount-tools.ts.
 * Rule: a tool that is wrong throws here, with the name of what is wrong, and never later inside a call.
 */
import type { z } from "zod";
import { OptionsError } from "../contract/errors.ts";
import type { AnyTool, Tool } from "../contract/tool.ts";
import { emitInputSchema, getInputSchema } from "./input-schema.ts";
import { completeTool, type OwnTool } from "./own-tool.ts";
import { showValue } from "./show-value.ts";

/** What providers accept as a function's name. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Names that rules and modes know: a host's tool under one of them would be taken for haft's own, or for an effect.
 * Written out, for the file tools alone load nothing of the others.
 */
export const RESERVED_NAMES: readonly string[] = [
  ...["read", "list", "glob", "grep", "edit", "write", "delete", "move"],
  ...["bash", "jobs", "webfetch", "browse", "recall", "commitments"],
  ...["reads", "writes", "connects", "runs"],
];

const defined = new WeakSet<object>();

/**
 * Makes a tool of a host's own, to be mounted beside haft's: `mount({ root, tools: ["read", myTool] })`, and the same
 * in `files`, `openSession` and `serveMcp`. Its calls pass all that haft's own do: repair of arguments, permission,
 * schedule, ledger, window. What is left out is taken for the most dangerous: see `OwnTool`. The tool is given back
 * typed and frozen. Throws `OptionsError`, naming what is wrong.
 */
export function defineTool<const Name extends string, Schema extends z.ZodObject, Details>(
  tool: OwnTool<Name, Schema, Details>,
): Tool<Name, Schema, Details> {
  checkTool(tool);
  const made = Object.freeze(completeTool<Name, Schema, Details>(tool));
  defined.add(made);
  return made;
}

/** The own tools among what a host mounts, each once. Leaves names, and what is neither, to whoever checks the option. */
export function listOwnTools(tools: unknown): readonly AnyTool[] {
  if (!Array.isArray(tools)) return [];
  const own = [...new Set(tools.filter(isDefined))];
  for (const [index, { name }] of own.entries())
    if (own.findIndex((one) => one.name === name) < index)
      throw new OptionsError({ option: "tools", expected: "tools of different names", got: showValue(name) });
  return own;
}

/** Whether a value came from `defineTool`. */
export function isDefined(value: unknown): value is AnyTool {
  return typeof value === "object" && value !== null && defined.has(value);
}

function checkTool(tool: unknown): void {
  const parts = (typeof tool === "object" && tool !== null ? tool : {}) as Record<string, unknown>;
  checkName(parts.name);
  checkAnnotations(parts.annotations);
  if (!isOptional(parts.alwaysLoaded, "boolean"))
    throw wrong("alwaysLoaded", "true or false", parts.alwaysLoaded);
  checkMethods(parts);
  checkInput(parts);
  checkAliases(parts);
  const { cancelGraceMs } = parts;
  if (cancelGraceMs !== undefined && !(Number.isSafeInteger(cancelGraceMs) && Number(cancelGraceMs) >= 0))
    throw wrong("cancelGraceMs", "a whole number of milliseconds", cancelGraceMs);
}

function checkName(name: unknown): void {
  if (typeof name !== "string" || !TOOL_NAME.test(name))
    throw wrong("name", "1 to 64 letters, digits, _ and -", name);
  if (RESERVED_NAMES.includes(name))
    throw wrong("name", `a name of its own, none of ${RESERVED_NAMES.join(", ")}`, name);
}

function checkAnnotations(annotations: unknown): void {
  if (annotations === undefined) return;
  if (typeof annotations !== "object" || annotations === null)
    throw wrong("annotations", `an object of title, ${HINTS.join(", ")}`, annotations);
  const { title, ...hints } = annotations as Record<string, unknown>;
  if (!isOptional(title, "string")) throw wrong("annotations.title", "a string", title);
  for (const [hint, value] of Object.entries(hints)) {
    if (!(HINTS as readonly string[]).includes(hint))
      throw wrong(`annotations.${hint}`, `one of title, ${HINTS.join(", ")}`, value);
    if (typeof value !== "boolean") throw wrong(`annotations.${hint}`, "true or false", value);
  }
}

function checkMethods(parts: Readonly<Record<string, unknown>>): void {
  const { description, describe, annotations } = parts;
  if (describe === undefined && (typeof description !== "string" || description.trim() === ""))
    throw wrong("description", "a text for the model, or describe, a function that gives one", description);
  for (const method of ["describe", "access", "preview", "release"])
    if (!isOptional(parts[method], "function")) throw wrong(method, "a function", parts[method]);
  if (typeof parts.run !== "function") throw wrong("run", "a function", parts.run);
  const isReadOnly = (annotations as { readOnlyHint?: unknown } | undefined)?.readOnlyHint === true;
  if (isReadOnly && parts.access === undefined)
    throw wrong("access", "a function: what says that it changes nothing says what it touches", undefined);
}

function checkInput(parts: Readonly<Record<string, unknown>>): void {
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

function checkAliases(parts: Readonly<Record<string, unknown>>): void {
  const { aliases } = parts;
  if (aliases === undefined) return;
  if (typeof aliases !== "object" || aliases === null || Array.isArray(aliases))
    throw wrong("aliases", "an object of arguments, each with an array of names", aliases);
  const { properties } = getInputSchema(parts as unknown as AnyTool);
  for (const [argument, names] of Object.entries(aliases)) {
    if (!Object.hasOwn(properties, argument))
      throw wrong(`aliases.${argument}`, `one of ${Object.keys(properties).join(", ")}`, argument);
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
      throw wrong(`aliases.${argument}`, "an array of names", names);
  }
}

const IS = {
  string: (value: unknown) => typeof value === "string",
  boolean: (value: unknown) => typeof value === "boolean",
  function: (value: unknown) => typeof value === "function",
};

function isOptional(value: unknown, type: keyof typeof IS): boolean {
  return value === undefined || IS[type](value);
}

function wrong(option: string, expected: string, got: unknown): OptionsError {
  return new OptionsError({
    option,
    expected,
    got: typeof got === "function" ? "a function" : showValue(got),
  });
}
