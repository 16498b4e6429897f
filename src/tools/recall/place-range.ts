/**
 * Owns placing a range that was asked for in a result of a known length.
 * Leaves reading it to the result. Rule: a range that begins past the end is refused with the real length; one that
 * only ends past it ends with the result, and that is said.
 */
import { type RefusalOf, refuse } from "../../contract/refusal.ts";
import type { PastResult } from "../../contract/results.ts";

/** Either side may be left out: the start or the end of the result. */
export interface AskedRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** A range that is there. Lines are 1-based and inclusive, characters 0-based and half open. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  /** What to say where it is not what was asked for. */
  readonly clause: string;
}

export function placeRange(of: {
  result: PastResult;
  unit: "lines" | "characters";
  asked: AskedRange | undefined;
}): Extent | undefined | RefusalOf<"result-range"> {
  const { result, unit, asked } = of;
  if (asked === undefined) return undefined;
  const total = unit === "lines" ? result.lines : result.characters;
  const first = unit === "lines" ? 1 : 0;
  const start = asked.start ?? first;
  const end = asked.end ?? total;
  const isInside = start >= first && start < total + first;
  if (!isInside)
    return refuse("result-range", {
      id: result.id,
      unit,
      asked: { start, end: Math.max(start, end) },
      total,
    });
  return end > total
    ? { start, end: total, clause: `, where it ends (${end} was asked for)` }
    : { start, end, clause: "" };
}
