/**
 * Owns telling an envelope from arguments: `{"arguments": {"path": "a"}}`, the inside as text too.
 * Leaves reading what is inside to read-arguments.ts.
 * Rule: only where nothing else is said. An envelope beside other arguments, or for another tool, has no one meaning,
 * and a tool that takes an argument of that name gets it.
 */
import type { ObjectSchema } from "./input-schema.ts";

/** What APIs and frameworks call the arguments of a call. `properties` is the schema's own word, echoed by small models. */
const ENVELOPES = ["arguments", "input", "parameters", "params", "args", "tool_input", "properties"];
/** Under which the tool itself is named beside them. */
const LABELS = ["name", "tool", "tool_name"];

/** What is inside the envelope; undefined where there is none. `names` are those of the called tool. */
export function findEnvelope(
  record: Readonly<Record<string, unknown>>,
  call: { readonly names: readonly string[]; readonly schema: ObjectSchema },
): object | string | undefined {
  const given = Object.keys(record).filter((name) => record[name] !== null && record[name] !== undefined);
  if (given.some((name) => Object.hasOwn(call.schema.properties, name))) return undefined;
  const [key, ...others] = given.filter((name) => !LABELS.includes(name));
  if (key === undefined || others.length > 0 || !ENVELOPES.includes(key)) return undefined;
  const labels = given.filter((name) => LABELS.includes(name)).map((name) => record[name]);
  if (!labels.every((label) => typeof label === "string" && call.names.includes(label))) return undefined;
  const inside = record[key];
  if (typeof inside === "string") return /^\s*(?:"?\s*\{|```)/.test(inside) ? inside : undefined;
  return typeof inside === "object" && inside !== null && !Array.isArray(inside) ? inside : undefined;
}
