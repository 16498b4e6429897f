/**
 * Owns telling an object with names from everything else that JSON can be. Leaves what the names mean to its callers.
 */

/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
