/**
 * Owns the last word on arguments: the tool's own schema, and what it found put as problems.
 * Leaves repair to normalise.ts. Rule: a problem says what is allowed and what was given, by path.
 */
import type { InputProblem } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { Findings } from "./findings.ts";
import { listArguments, type ObjectSchema, type PlainSchema } from "./input-schema.ts";
import { joinPath } from "./plain-copy.ts";
import { showValue } from "./show-value.ts";

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The input as the tool wants it, or undefined; problems go to `findings`. */
export function checkInput(call: {
  tool: AnyTool;
  schema: ObjectSchema;
  record: Record<string, unknown>;
  findings: Findings;
}): { input: Record<string, unknown> } | undefined {
  const parsed = call.tool.input.safeParse(call.record);
  if (parsed.success) return { input: parsed.data };
  for (const issue of parsed.error.issues) {
    const problem = describeIssue(issue, call.schema, call.record);
    const known = call.findings.problems.some((one) => covers(one.path, problem.path));
    if (!known) call.findings.problem(problem.path, problem.message);
  }
  return undefined;
}

/** A problem with `edits` says enough about `edits[0].old_text`. */
function covers(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

function describeIssue(issue: Issue, schema: ObjectSchema, record: unknown): InputProblem {
  let node: PlainSchema | undefined = schema;
  let value: unknown = record;
  let path = "";
  for (const key of issue.path) {
    path = typeof key === "number" ? `${path}[${key}]` : joinPath(path, String(key));
    node = typeof key === "number" ? node?.items : getProperty(node, String(key));
    value =
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  const shown = path === "" ? "arguments" : path;
  if (value === undefined && path !== "") return { path: shown, message: "is required" };
  if (node === undefined || issue.code === "custom") return { path: shown, message: issue.message };
  return { path: shown, message: describeMisfit(node, value) };
}

function getProperty(node: PlainSchema | undefined, name: string): PlainSchema | undefined {
  return node?.properties !== undefined && Object.hasOwn(node.properties, name)
    ? node.properties[name]
    : undefined;
}

function describeMisfit(node: PlainSchema, value: unknown): string {
  if (node.type === "string" && typeof value === "string" && node.enum === undefined)
    return describeLength(node, value);
  if (node.type === "array" && Array.isArray(value)) return describeCount(node, value);
  const given = showValue(value);
  if (node.type === "string" && node.enum === undefined)
    return `must be a string, not ${given}: send a string`;
  return `must be ${describeWanted(node)}, not ${given}`;
}

function describeLength(node: PlainSchema, value: string): string {
  if (value === "") return "must not be empty";
  if (node.maxLength !== undefined && value.length > node.maxLength)
    return `must have at most ${node.maxLength} characters, not ${value.length}`;
  if (node.minLength !== undefined && value.length < node.minLength)
    return `must have at least ${node.minLength} characters, not ${showValue(value)}`;
  return `must match ${node.pattern ?? "its format"}, not ${showValue(value)}`;
}

function describeCount(node: PlainSchema, value: readonly unknown[]): string {
  if (node.minItems !== undefined && value.length < node.minItems)
    return value.length === 0
      ? "must not be empty"
      : `must hold at least ${node.minItems} entries, not ${value.length}`;
  return `must hold at most ${node.maxItems ?? 0} entries, not ${value.length}`;
}

/** `a whole number of at least 1`, `one of "a", "b"`, `an array of objects { old_text, new_text }`. */
export function describeWanted(node: PlainSchema): string {
  if (node.enum !== undefined) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  switch (node.type) {
    case "string":
      return "a string";
    case "boolean":
      return "true or false";
    case "integer":
      return `a whole number${describeRange(node)}`;
    case "number":
      return `a number${describeRange(node)}`;
    case "object":
      return node.properties === undefined
        ? "an object"
        : `an object { ${listArguments({ ...node, type: "object", properties: node.properties, required: node.required ?? [] }).join(", ")} }`;
    case "array":
      return node.items === undefined ? "an array" : `an array; each entry ${describeWanted(node.items)}`;
  }
}

function describeRange({ minimum, maximum }: PlainSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}
