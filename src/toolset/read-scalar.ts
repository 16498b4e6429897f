/**
 * Owns reading numbers and booleans that come as text. Leaves where they are wanted to normalise.ts and
 * apply-aliases.ts. Rule: what does not read as exactly one value is given back as it is.
 */

/** `"true"` and `"False"` where a boolean is wanted. */
export function readBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : value;
}

/** `"12"`, `" 2 "` and `"2.0"` where a number is wanted. */
export function readNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const digits = value.trim();
  return digits.length < 30 && /^[+-]?\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : value;
}
