/**
 * Owns the words for a value that the schema does not take. Leaves keys that it does not know to unknown-keys.ts.
 * Rule: the key, what is expected, and the nearest of a few names.
 */
import type { z } from "zod";
import { nearestName } from "../../text/edit-distance.ts";

/** `mode: expected one of read-only, workspace-write, full-access; did you mean read-only?` */
export function describeIssue(error: z.ZodError, value: unknown): string {
  const [issue] = error.issues;
  if (issue === undefined) return error.message;
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code !== "invalid_value") return `${where}${issue.message}`;
  const names = issue.values.map(String);
  const near = nearestName(String(valueAt(value, issue.path)), names);
  return `${where}expected one of ${names.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
