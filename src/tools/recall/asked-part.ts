/**
 * Owns which part of a result a call asks for, and what is wrong with asking so.
 * Leaves placing it in a result to place-range.ts. Rule: a range that says nothing is absent, because models fill in
 * what they do not need; two that contradict each other are refused, because either may have been meant.
 */
import type { InputProblem } from "../../contract/refusal.ts";
import type { AskedRange } from "./place-range.ts";

export interface AskedPart {
  readonly range: AskedRange | undefined;
  readonly chars: AskedRange | undefined;
  readonly grep: string | undefined;
}

export function readAsked(args: {
  readonly range?: AskedRange | undefined;
  readonly chars?: AskedRange | undefined;
  readonly grep?: string | undefined;
}): AskedPart {
  return { range: dropEmpty(args.range), chars: dropEmpty(args.chars), grep: args.grep };
}

/** `{}` and `{ start: 0, end: 0 }` ask for nothing. */
function dropEmpty(range: AskedRange | undefined): AskedRange | undefined {
  return (range?.start ?? 0) === 0 && (range?.end ?? 0) === 0 ? undefined : range;
}

export function findProblems({ range, chars, grep }: AskedPart): InputProblem[] {
  const problems: InputProblem[] = [];
  if (range !== undefined && chars !== undefined)
    problems.push({ path: "chars", message: "stands beside range; give one of the two" });
  else if (chars !== undefined && grep !== undefined)
    problems.push({ path: "chars", message: "stands beside grep, which goes with range alone" });
  if (range?.start !== undefined && range.end !== undefined && range.end < range.start)
    problems.push({ path: "range.end", message: `${range.end} lies before the first line, ${range.start}` });
  if (chars?.start !== undefined && chars.end !== undefined && chars.end <= chars.start)
    problems.push({
      path: "chars.end",
      message: `must be larger than the start, ${chars.start}: it is not included`,
    });
  return problems;
}
