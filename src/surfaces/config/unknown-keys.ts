/**
 * Owns finding keys that no schema knows, each with the nearest one that it does.
 * Leaves what becomes of them to the callers. Rule: own keys only, `__proto__` among them; what is kept is a new value.
 */
import { z } from "zod";
import { nearestName } from "../../text/edit-distance.ts";
import { showSafely } from "./show-safely.ts";

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
}

export interface Sifted {
  readonly kept: unknown;
  /** Each as `rules.denny (rules.deny is the nearest name)`. */
  readonly unknown: readonly string[];
}

export function siftKeys(value: unknown, schema: z.ZodType): Sifted {
  const unknown: string[] = [];
  const kept = sift({ value, shape: z.toJSONSchema(schema) as Shape, above: "", unknown });
  return { kept, unknown };
}

interface Sifting {
  readonly value: unknown;
  readonly shape: Shape;
  /** `rules.`; empty at the top. */
  readonly above: string;
  readonly unknown: string[];
}

function sift({ value, shape, above, unknown }: Sifting): unknown {
  const { properties, additionalProperties } = shape;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (properties === undefined && typeof additionalProperties !== "object") return value;
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const known = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const below = known ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    if (below === undefined) unknown.push(nameKey({ above, unknown }, key, Object.keys(properties ?? {})));
    else kept.push([key, sift({ value: inner, shape: below, above: `${above}${key}.`, unknown })]);
  }
  return Object.fromEntries(kept);
}

/** Where nothing is near, all that would be right is told; once for each object, which may have many wrong keys. */
function nameKey(
  { above, unknown }: Pick<Sifting, "above" | "unknown">,
  key: string,
  known: readonly string[],
): string {
  const shown = showSafely(above + key);
  const near = nearestName(key, known);
  if (near !== undefined) return `${shown} (${above}${near} is the nearest name)`;
  const all = `(one of ${known.map((one) => above + one).join(", ")} is known)`;
  return unknown.some((one) => one.endsWith(all)) ? shown : `${shown} ${all}`;
}
