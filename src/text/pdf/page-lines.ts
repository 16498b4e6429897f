/**
 * Owns the lines of one page, from its runs. Leaves the order of its parts to columns.ts, rows to rows.ts.
 * Rule: a line is what stands on one baseline of one column; an empty line stands where the page leaves more room
 * than between lines.
 */
import { orderParts } from "./columns.ts";
import { textOfRow } from "./row-text.ts";
import { gatherRows } from "./rows.ts";
import { median, type Row, type TextRun } from "./text-run.ts";

/** Of the usual distance of two lines: a wider one parts paragraphs. */
const PARAGRAPH = 1.4;
/** Of the size: the distance of lines where too few tell. */
const LINE = 1.3;
const ENOUGH_ROWS = 4;

/** The runs of each direction by themselves: first those that most of the page is written in. */
export function linesOfPage(directions: readonly (readonly TextRun[])[]): string[] {
  const lines: string[] = [];
  for (const runs of directions) {
    if (lines.length > 0) lines.push("");
    lines.push(...linesOf(runs));
  }
  return lines;
}

function linesOf(runs: readonly TextRun[]): string[] {
  const lines: string[] = [];
  let before: Row | undefined;
  for (const part of orderParts(runs)) {
    const rows = gatherRows(part);
    const left = part.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
    const usual = usualDistances(rows);
    for (const [at, row] of rows.entries()) {
      const text = textOfRow(row, left);
      if (text === "") continue;
      const distance = row.y - (before?.y ?? row.y);
      if (distance > (usual[at] ?? row.size * LINE) * PARAGRAPH) lines.push("");
      lines.push(text);
      before = row;
    }
  }
  return lines;
}

/** For each row the distance to the one before it that would be nothing special: that of most, or of its neighbours. */
function usualDistances(rows: readonly Row[]): (number | undefined)[] {
  const distances = rows.map((row, at) => row.y - (rows[at - 1]?.y ?? Number.NEGATIVE_INFINITY));
  const usual = rows.length < ENOUGH_ROWS ? undefined : median(distances.slice(1));
  return rows.map((_row, at) => {
    const near = [distances[at - 1], distances[at + 1], usual].filter(
      (distance) => distance !== undefined && Number.isFinite(distance),
    );
    return near.length === 0 ? undefined : Math.min(...(near as number[]));
  });
}
