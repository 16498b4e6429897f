/**
 * Owns choosing the stretch of a document that an edit is about: some whole lines, or parts of lines.
 * Leaves changing it to change.ts. Rule: what is cut is what stands in the file, byte for byte.
 */
import { type Document, isBlank } from "./document.ts";
import type { Random } from "./random.ts";

export interface Cut {
  /** 0-based lines, half open. */
  readonly start: number;
  readonly end: number;
  /** What stands before the cut on its first line, and behind it on its last. */
  readonly prefix: string;
  readonly suffix: string;
  /** The cut itself. */
  readonly lines: readonly string[];
  /** Whether the ending of the last line is part of it. */
  readonly withBreak: boolean;
}

export interface CutRange {
  readonly min?: number;
  readonly max?: number;
  /** Absent: as it comes. */
  readonly withBreak?: boolean;
}

const LONGEST_CUT = 12;

/** Whole lines, the first and the last of them not blank. */
export function cutLines(random: Random, document: Document, range: CutRange = {}): Cut | undefined {
  const { min = 1, max = LONGEST_CUT } = range;
  const count = Math.min(random.between(min, max), random.between(min, max));
  if (document.lines.length < count) return undefined;
  const start = random.below(document.lines.length - count + 1);
  return cutAt(document, { start, end: start + count, withBreak: range.withBreak ?? random.chance(0.4) });
}

export function cutAt(
  document: Document,
  at: { start: number; end: number; withBreak: boolean },
): Cut | undefined {
  const { start, end } = at;
  const lines = document.lines.slice(start, end).map((line) => line.text);
  if (lines.length === 0 || isBlank(lines[0] ?? "") || isBlank(lines.at(-1) ?? "")) return undefined;
  const withBreak = at.withBreak && document.lines[end - 1]?.ending !== "";
  return { start, end, prefix: "", suffix: "", lines, withBreak };
}

/** From within one line to within the same or a later one; the borders are between words. */
export function cutParts(random: Random, document: Document, range: CutRange = {}): Cut | undefined {
  const whole = cutLines(random, document, { max: 4, ...range, withBreak: false });
  if (whole === undefined) return undefined;
  const lines = [...whole.lines];
  const last = lines.length - 1;
  const suffix = splitOff(random, lines[last] ?? "", "end");
  if (suffix === undefined) return undefined;
  lines[last] = (lines[last] ?? "").slice(0, (lines[last] ?? "").length - suffix.length);
  const prefix = splitOff(random, lines[0] ?? "", "start");
  if (prefix === undefined) return undefined;
  lines[0] = (lines[0] ?? "").slice(prefix.length);
  if (isBlank(lines[0] ?? "") || isBlank(lines[last] ?? "")) return undefined;
  return { ...whole, prefix, suffix, lines };
}

/** Some words at one side of a line, up to a third of it. */
function splitOff(random: Random, line: string, side: "start" | "end"): string | undefined {
  const borders = [...line.matchAll(/(?<=[\w)\]}])(?=[ .,;:(){}=])/g)].map((match) => match.index);
  const usable = borders.filter((at) => (side === "start" ? at < line.length / 2 : at > line.length / 2));
  if (usable.length === 0) return undefined;
  const at = random.pick(usable);
  return side === "start" ? line.slice(0, at) : line.slice(at);
}

/** The old text as the file has it, with plain newlines. */
export function joinCut(lines: readonly string[], cut: Cut): string {
  return lines.join("\n") + (cut.withBreak ? "\n" : "");
}
