/**
 * Owns gathering runs into rows by their baseline, and cutting rows where a gap is wider than between words.
 * Leaves columns to columns.ts, the text of a row to row-text.ts. Rule: what stands raised or lowered by less than half
 * its neighbour's size (an exponent, an index) stands in the neighbour's row.
 */
import { endOf, type Row, type TextRun } from "./text-run.ts";

/** Of the size: as far as two baselines of one row lie apart. */
const SAME_BASELINE = 0.3;
/** Of the larger size, where the sizes differ as those of text and exponent do. */
const RAISED = 0.5;
const RAISED_SIZE = 0.85;

/** Of the size: wider than any gap between words of ordinary text, and no wider than a narrow gutter. */
const FRAGMENT_GAP = 0.7;
/** Of the size: the same text so close by is drawn twice to make it bold. */
const DOUBLED = 0.1;

interface OpenRow {
  y: number;
  size: number;
  readonly runs: TextRun[];
}

/** From top to bottom. */
export function gatherRows(runs: readonly TextRun[]): Row[] {
  const rows: OpenRow[] = [];
  for (const run of [...runs].sort((a, b) => a.y - b.y || a.order - b.order)) {
    const row = rows.at(-1);
    if (row === undefined || !isInRow(run, row)) {
      rows.push({ y: run.y, size: run.size, runs: [run] });
      continue;
    }
    row.runs.push(run);
    if (run.size > row.size) {
      row.size = run.size;
      row.y = run.y;
    }
  }
  return rows.map(({ y, size, runs: unsorted }) => ({ y, size, runs: dropDoubled(sortAlong(unsorted)) }));
}

function isInRow(run: TextRun, row: OpenRow): boolean {
  const larger = Math.max(run.size, row.size);
  const isRaised = Math.min(run.size, row.size) < larger * RAISED_SIZE;
  return Math.abs(run.y - row.y) <= larger * (isRaised ? RAISED : SAME_BASELINE);
}

function sortAlong(runs: readonly TextRun[]): TextRun[] {
  return [...runs].sort((a, b) => a.x - b.x || a.order - b.order);
}

function dropDoubled(runs: readonly TextRun[]): readonly TextRun[] {
  return runs.filter((run, index) => {
    const before = runs[index - 1];
    return before === undefined || before.text !== run.text || run.x - before.x > run.size * DOUBLED;
  });
}

/** The pieces of a row between gaps that are wider than those between words. */
export function cutRow({ y, size, runs }: Row): Row[] {
  const pieces: TextRun[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    const piece = pieces.at(-1);
    if (piece === undefined || run.x - end > size * FRAGMENT_GAP) pieces.push([run]);
    else piece.push(run);
    end = Math.max(end, endOf(run));
  }
  return pieces.map((piece) => ({ y, size, runs: piece }));
}
