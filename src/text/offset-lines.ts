/**
 * Owns the lines in which byte offsets lie. Leaves finding line feeds to newline-scanner.ts.
 * Rule: many offsets cost one pass, so they are asked in ascending order.
 */
import type { Encoding } from "./encodings.ts";
import { scannerFor } from "./newline-scanner.ts";

/** The lines of each list of offsets; all are asked in one ascending pass. */
export function linesOf(
  landings: readonly (readonly number[])[],
  after: Buffer,
  encoding: Encoding,
): number[][] {
  const lineOf = lineCounter(after, encoding);
  const offsets = [...new Set(landings.flat())].sort((a, b) => a - b);
  // What was taken away at the very end lay behind the last line.
  const last = scannerFor(encoding).endsLine(after) ? after.length - 1 : after.length;
  const known = new Map(offsets.map((offset) => [offset, lineOf(Math.min(offset, last))]));
  return landings.map((landing) => [...new Set(landing.map((offset) => known.get(offset) ?? 1))]);
}

/** The line of an offset; asked in ascending order it counts every byte once. */
export function lineCounter(bytes: Buffer, encoding: Encoding): (offset: number) => number {
  const scanner = scannerFor(encoding);
  let at = 0;
  let line = 1;
  return (offset) => {
    if (offset < at) {
      at = 0;
      line = 1;
    }
    line += scanner.count(bytes.subarray(at, offset));
    at = offset;
    return line;
  };
}
