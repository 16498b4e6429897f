/**
 * Owns checking one option of a given shape, and what is said of a name that is none.
 * Leaves which options there are to options.ts. Rule: what is absent has its default; what is wrong is told with what
 * would be right.
 */
import { OptionsError } from "../contract/errors.ts";
import { nearestName } from "../text/edit-distance.ts";
import { showValue } from "./show-value.ts";

export function checkRipgrep(value: unknown): "auto" | "always" | "never" {
  if (value === undefined) return "auto";
  if (value === "auto" || value === "always" || value === "never") return value;
  throw new OptionsError({
    option: "ripgrep",
    expected: '"auto", "always" or "never"',
    got: showValue(value),
  });
}

export function checkFlag(option: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === "boolean") return value;
  throw new OptionsError({ option, expected: "true or false", got: showValue(value) });
}

export function checkFunction(option: string, value: unknown): unknown {
  if (value === undefined || typeof value === "function") return value;
  throw new OptionsError({ option, expected: "a function", got: showValue(value) });
}

export function checkStrings(option: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw new OptionsError({ option, expected: "an array of strings", got: showValue(value) });
}

export function unknownOption(name: string, known: readonly string[], above: "" | "limits."): OptionsError {
  const near = nearestName(name, known);
  return new OptionsError({
    option: `${above}${name}`,
    expected: `${near === undefined ? "" : `${above}${near} (the nearest name): `}one of ${known.map((one) => above + one).join(", ")}`,
  });
}

export function isOneOf<const T extends string>(name: string, names: readonly T[]): name is T {
  return (names as readonly string[]).includes(name);
}
