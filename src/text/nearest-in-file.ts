/**
 * Owns the closest region of a file given as bytes, of any size. Leaves comparing lines to nearest-region.ts.
 * Rule: a miss costs tens of milliseconds whatever the file: a large one is looked at around the words of the text.
 */
import type { ClosestRegion } from "../contract/refusal.ts";
import { decode, type Encoding } from "./encodings.ts";
import { findNearestRegion } from "./nearest-region.ts";
import { narrowToAnyWord } from "./tolerance/stretches.ts";

/** Bytes that are compared whole: some 50,000 lines of source. */
const COMPARED_BYTES = 2_097_152;
/** Lines of a large file around a word, besides those of the asked text. */
const MARGIN_LINES = 20;
/** Lines put between stretches, so that no region spans two: more than a region may have too many. */
const SEAM_LINES = 12;

export function findNearestInFile(file: {
  bytes: Buffer;
  encoding: Encoding;
  asked: string;
}): ClosestRegion | undefined {
  const { bytes, encoding, asked } = file;
  if (bytes.length <= COMPARED_BYTES) {
    return bytes.length === 0 ? undefined : findNearestRegion({ lines: linesOf(bytes, encoding), asked });
  }
  const lines: string[] = [];
  const numbers: number[] = [];
  const marginLines = asked.split("\n").length + MARGIN_LINES;
  let budget = COMPARED_BYTES;
  for (const stretch of narrowToAnyWord({ bytes, encoding, text: asked, marginLines })) {
    budget -= stretch.end - stretch.start;
    if (budget < 0) break;
    for (const [index, line] of linesOf(bytes.subarray(stretch.start, stretch.end), encoding).entries()) {
      lines.push(line);
      numbers.push(stretch.firstLine + index);
    }
    for (let seam = 0; seam < SEAM_LINES; seam++) {
      lines.push("");
      numbers.push(numbers.at(-1) ?? stretch.firstLine);
    }
  }
  const region = lines.length === 0 ? undefined : findNearestRegion({ lines, asked });
  return region && renumber(region, (line) => numbers[line - 1] ?? line);
}

/** The same region by other line numbers. */
export function renumber(region: ClosestRegion, numberOf: (line: number) => number): ClosestRegion {
  return {
    ...region,
    lines: { start: numberOf(region.lines.start), end: numberOf(region.lines.end) },
    rows: region.rows.map((row) => ({ ...row, line: numberOf(row.line) })),
  };
}

function linesOf(bytes: Buffer, encoding: Encoding): string[] {
  const lines = decode(bytes, encoding).split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
