/**
 * Owns telling the line at the head of a page and the one at its foot from the page: what a browser or a publisher
 * prints on every page. Leaves the order of the page to columns.ts. Rule: a line belongs to the page unless it stands
 * well apart from it; in small print, less far apart will do.
 */
import { gatherRows } from "./rows.ts";
import { median, type Row, type TextRun } from "./text-run.ts";

/** Of the usual distance of two rows. */
const FAR = 3;
const APART = 1.4;
/** Of the size of most rows. */
const SMALL = 0.85;
/** Rows that a page must have besides. */
const ENOUGH_ROWS = 2;

interface CutPage {
  readonly above: readonly TextRun[];
  readonly page: readonly TextRun[];
  readonly below: readonly TextRun[];
}

export function cutMargins(runs: readonly TextRun[]): CutPage {
  const rows = gatherRows(runs);
  const distances = rows.slice(1).map((row, at) => row.y - (rows[at]?.y ?? row.y));
  // Columns that do not share their baselines make rows that are close together: their sizes tell as well.
  const size = median(rows.map((row) => row.size)) ?? 0;
  const usual = Math.max(median(distances) ?? 0, size);
  const isApart = (row: Row | undefined, distance = 0): boolean => {
    if (row === undefined || rows.length < ENOUGH_ROWS + 1) return false;
    return distance > usual * (row.size < size * SMALL ? APART : FAR);
  };
  const above = isApart(rows[0], distances[0]) ? 1 : 0;
  const below = isApart(rows.at(-1), distances.at(-1)) ? 1 : 0;
  const runsOf = (part: readonly Row[]) => part.flatMap((row) => row.runs);
  return {
    above: runsOf(rows.slice(0, above)),
    page: above + below === 0 ? runs : runsOf(rows.slice(above, rows.length - below)),
    below: runsOf(rows.slice(rows.length - below)),
  };
}
