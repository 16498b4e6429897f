/**
 * Owns taking arguments that come as a value: a copy made of plain objects, arrays and scalars.
 * Leaves what they mean to normalise.ts.
 * Rule: whatever a host hands over, nothing is thrown. Getters, proxies, cycles and endless nesting become
 * a problem with a path. Copies have no prototype, so an argument named `__proto__` is only a name.
 */
import type { InputProblem } from "../contract/refusal.ts";

/** Deeper than any arguments of any tool. */
const MAX_DEPTH = 64;
/** Values in one call; a content of megabytes is one value. */
const MAX_VALUES = 200_000;

export type PlainCopy = { readonly value: unknown } | { readonly problem: InputProblem };

interface Walk {
  values: number;
  readonly above: Set<object>;
}

class NotPlain extends Error {
  readonly problem: InputProblem;
  constructor(path: string, message: string) {
    super(message);
    this.problem = { path, message };
  }
}

/** Copies a value, or says where it is not plain JSON. */
export function copyPlain(value: unknown): PlainCopy {
  try {
    return { value: copy(value, "", { values: 0, above: new Set() }) };
  } catch (error) {
    if (error instanceof NotPlain) return { problem: error.problem };
    return {
      problem: { path: "arguments", message: "could not be read: a getter or proxy of the host threw" },
    };
  }
}

function copy(value: unknown, path: string, walk: Walk): unknown {
  if (++walk.values > MAX_VALUES)
    throw new NotPlain(path || "arguments", `holds more than ${MAX_VALUES} values`);
  switch (typeof value) {
    case "string":
    case "boolean":
    case "number":
    case "undefined":
      return value;
    case "object":
      return value === null ? null : copyObject(value, path, walk);
    default:
      throw new NotPlain(path || "arguments", `must be plain JSON, not a ${typeof value}`);
  }
}

function copyObject(value: object, path: string, walk: Walk): unknown {
  if (walk.above.has(value)) throw new NotPlain(path || "arguments", "contains itself");
  if (walk.above.size >= MAX_DEPTH)
    throw new NotPlain(clipPath(path) || "arguments", `is nested deeper than ${MAX_DEPTH} levels`);
  walk.above.add(value);
  const out = Array.isArray(value) ? copyArray(value, path, walk) : copyRecord(value, path, walk);
  walk.above.delete(value);
  return out;
}

function copyArray(value: readonly unknown[], path: string, walk: Walk): unknown[] {
  const out: unknown[] = [];
  for (let index = 0; index < value.length; index++) out.push(copy(value[index], `${path}[${index}]`, walk));
  return out;
}

function copyRecord(value: object, path: string, walk: Walk): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain)
    throw new NotPlain(
      path || "arguments",
      "must be plain JSON: objects, arrays, strings, numbers, booleans",
    );
  const out: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value))
    out[name] = copy((value as Record<string, unknown>)[name], joinPath(path, name), walk);
  return out;
}

/** `edits[1].old_text`. */
export function joinPath(path: string, name: string): string {
  return path === "" ? clipPath(name) : `${path}.${clipPath(name)}`;
}

function clipPath(path: string): string {
  return (path.length <= 100 ? path : `${path.slice(0, 100)}…`).toWellFormed();
}
