/**
 * Owns the plain JSON Schema of a tool's arguments: what definitions show, and what the gate walks.
 * Leaves the arguments themselves to normalise.ts and check-input.ts.
 * Rule: single-string `type`, `required` always an array, no `oneOf`, `anyOf` or `$schema`, nothing beyond
 * what the schema lists. Some hosts and grammar-driven model servers break on anything else.
 */
import { z } from "zod";
import type { AnyTool } from "../contract/tool.ts";

/** A JSON Schema as haft emits it. */
export interface PlainSchema {
  /** As JSON Schema has it. */
  readonly type: "object" | "array" | "string" | "integer" | "number" | "boolean";
  /** As JSON Schema has it. */
  readonly description?: string;
  /** As JSON Schema has it. */
  readonly default?: unknown;
  /** As JSON Schema has it. */
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  /** As JSON Schema has it. */
  readonly required?: readonly string[];
  /** As JSON Schema has it. */
  readonly additionalProperties?: false;
  /** As JSON Schema has it. */
  readonly items?: PlainSchema;
  /** As JSON Schema has it. */
  readonly enum?: readonly (string | number)[];
  /** As JSON Schema has it. */
  readonly minimum?: number;
  /** As JSON Schema has it. */
  readonly maximum?: number;
  /** As JSON Schema has it. */
  readonly exclusiveMinimum?: number;
  /** As JSON Schema has it. */
  readonly exclusiveMaximum?: number;
  /** As JSON Schema has it. */
  readonly minLength?: number;
  /** As JSON Schema has it. */
  readonly maxLength?: number;
  /** As JSON Schema has it. */
  readonly pattern?: string;
  /** As JSON Schema has it. */
  readonly minItems?: number;
  /** As JSON Schema has it. */
  readonly maxItems?: number;
  /** Accepted through an alias, and never shown to a model. */
  readonly hidden?: true;
}

/** The JSON Schema of the arguments of a tool. */
export type ObjectSchema = PlainSchema & {
  readonly type: "object";
  /** Every argument, by its name. */
  readonly properties: Readonly<Record<string, PlainSchema>>;
  /** Those that must be given. */
  readonly required: readonly string[];
};

type Json = Record<string, unknown>;

const TYPES = new Set(["object", "array", "string", "integer", "number", "boolean"]);
const KEPT = [
  "description",
  "default",
  "enum",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "hidden",
] as const;

/** Keywords of zod's that say nothing a plain schema needs. Any other keyword says something that would be lost. */
const DROPPED: ReadonlySet<string> = new Set(["$schema", "format", "title", "examples", "id", "deprecated"]);
const BUILT: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "const",
]);

const made = new WeakMap<z.ZodObject, ObjectSchema>();

/** The schema that the gate walks: hidden arguments included. Throws a TypeError for a schema that cannot be plain. */
export function getInputSchema(tool: Pick<AnyTool, "name" | "input">): ObjectSchema {
  const known = made.get(tool.input);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(tool.input, { io: "input" }) as Json;
  const schema = makePlain(json, tool.name) as ObjectSchema;
  if (schema.type !== "object") throw new TypeError(`${tool.name}: arguments are an object`);
  made.set(tool.input, schema);
  return schema;
}

/** A fresh copy of the schema that a model is shown. A host may change it. */
export function emitInputSchema(tool: Pick<AnyTool, "name" | "input">): ObjectSchema {
  return structuredClone(dropHidden(getInputSchema(tool))) as ObjectSchema;
}

function makePlain(json: Json, where: string): PlainSchema {
  const { type } = json;
  if (typeof type !== "string" || !TYPES.has(type))
    throw new TypeError(`${where}: only strings, numbers, booleans, enums, arrays and objects of these`);
  for (const key of Object.keys(json))
    if (!DROPPED.has(key) && !BUILT.has(key) && !(KEPT as readonly string[]).includes(key))
      throw new TypeError(`${where}: a schema with ${key} is not plain`);
  if ((json.additionalProperties ?? false) !== false)
    throw new TypeError(`${where}: only objects with named members`);
  const plain: Json = { type };
  for (const key of KEPT) if (json[key] !== undefined) plain[key] = json[key];
  if (json.const !== undefined) plain.enum = [json.const];
  // zod writes the bounds of safe integers into every whole number; they tell a model nothing.
  if (plain.maximum === Number.MAX_SAFE_INTEGER) delete plain.maximum;
  if (plain.minimum === Number.MIN_SAFE_INTEGER) delete plain.minimum;
  if (type === "array") plain.items = makePlain((json.items ?? {}) as Json, `${where}[]`);
  if (type !== "object") return plain as unknown as PlainSchema;
  const properties: Record<string, PlainSchema> = {};
  for (const [name, value] of Object.entries((json.properties ?? {}) as Json))
    properties[name] = makePlain(value as Json, `${where}.${name}`);
  return {
    ...(plain as unknown as PlainSchema),
    properties,
    required: [...((json.required ?? []) as string[])],
    additionalProperties: false,
  };
}

function dropHidden(schema: PlainSchema): PlainSchema {
  if (schema.items !== undefined) return { ...schema, items: dropHidden(schema.items) };
  if (schema.properties === undefined) return schema;
  const shown = Object.entries(schema.properties).filter(([, value]) => value.hidden !== true);
  return {
    ...schema,
    properties: Object.fromEntries(shown.map(([name, value]) => [name, dropHidden(value)])),
  };
}

/** `path`, `offset?`: what a call takes, as a refusal lists it. */
export function listArguments(schema: ObjectSchema): string[] {
  return Object.entries(schema.properties)
    .filter(([, value]) => value.hidden !== true)
    .map(([name]) => (schema.required.includes(name) ? name : `${name}?`));
}
