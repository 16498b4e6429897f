/**
 * Owns the stretch of a file that comes closest to a text that was not found in it, line by line beside it.
 * Leaves finding candidates to region-search.ts, marks to visible-text.ts, the sentence to the toolset.
 * Rule: it only shows; likeness never lets an edit land. What is shown is bounded in lines and in characters.
 */
import type { ClosestRegion } from "../contract/refusal.ts";
import { alignLines, type Pair } from "./line-alignment.ts";
import { showRows } from "./region-rows.ts";
import { findCandidates } from "./region-search.ts";

export { makeVisible } from "./visible-text.ts";

/** Lines of the asked text that are compared. A longer one is told apart by its start. */
const ASKED_LINES = 200;
/** A file of so few lines is near as a whole, even where nothing in it is alike. */
const SHORT_FILE = 20;

/** The nearest region, or undefined where nothing in the file is like the asked text. `lines` come without endings. */
export function findNearestRegion(use: {
  readonly lines: readonly string[];
  readonly asked: string;
}): ClosestRegion | undefined {
  const lines = dropEnd(use.lines);
  const asked = dropEnd(use.asked.split(/\r?\n/)).slice(0, ASKED_LINES);
  while (asked.length > 1 && asked[0] === "") asked.shift();
  if (lines.length === 0 || asked.every((line) => line.trim() === "")) return undefined;
  let best: { readonly pairs: readonly Pair[]; readonly score: number } | undefined;
  for (const start of findCandidates(lines, asked)) {
    const aligned = alignLines(lines, asked, start);
    if (aligned.pairs.length > 0 && (best === undefined || aligned.score > best.score)) best = aligned;
  }
  if (best === undefined && lines.length > SHORT_FILE) return undefined;
  return describeRegion(lines, asked, best?.pairs ?? [{ line: 0, asked: 0 }]);
}

/** Splitting at newlines leaves an empty piece behind the last one. */
function dropEnd(lines: readonly string[]): string[] {
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : [...lines];
}

function describeRegion(
  lines: readonly string[],
  asked: readonly string[],
  pairs: readonly Pair[],
): ClosestRegion {
  const first = pairs[0] as Pair;
  const last = pairs.at(-1) as Pair;
  const start = Math.max(0, first.line - first.asked);
  const end = Math.min(lines.length, last.line + asked.length - last.asked);
  const { rows, differences } = showRows({ lines, asked, pairs, start, end });
  return { lines: { start: start + 1, end }, rows, differences };
}
