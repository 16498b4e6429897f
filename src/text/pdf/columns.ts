/**
 * Owns the order in which the parts of a page are read: columns one after the other, the rows of a table row by row.
 * Leaves gutters to gutters.ts, the text of a part to part-text.ts. Rule: a gutter parts columns where what stands on
 * either side reads as text of its own. What was drawn side by side, row by row and in short pieces, is a table.
 */
import { findGutters, spanOf } from "./gutters.ts";
import { cutMargins } from "./margins.ts";
import { cutRow, gatherRows } from "./rows.ts";
import { isRightToLeft, median, type Row, type TextRun } from "./text-run.ts";

/** Deeper than pages are nested: columns within columns within columns. */
const DEEPEST = 8;

/** Parts of a page in reading order; the rows of each are read from top to bottom. */
export function orderParts(runs: readonly TextRun[]): TextRun[][] {
  const way = { rightFirst: isRightToLeft(runs), depth: 0 };
  const { above, page, below } = cutMargins(runs);
  return [above, page, below].flatMap((part) => (part.length === 0 ? [] : orderWithin(part, way)));
}

interface Way {
  readonly rightFirst: boolean;
  readonly depth: number;
}

function orderWithin(runs: readonly TextRun[], way: Way): TextRun[][] {
  if (way.depth >= DEEPEST) return [[...runs]];
  const rows = gatherRows(runs);
  for (const gutter of findGutters(rows.flatMap(cutRow))) {
    const bands = cutBands(rows, gutter);
    const whole = judge(bands.flatMap((band) => (band.kind === "beside" ? [band] : [])));
    const isParted = bands.map((band) => band.kind === "beside" && isColumns(band, whole));
    if (isParted.includes(true))
      return bands.flatMap((band, at) => orderBand(band, isParted[at] === true, way));
  }
  return [[...runs]];
}

function orderBand(band: Band, isParted: boolean, way: Way): TextRun[][] {
  if (!isParted) return orderWithin([...band.left, ...band.right], { ...way, depth: way.depth + 1 });
  const sides = way.rightFirst ? [band.right, band.left] : [band.left, band.right];
  return sides.flatMap((side) => orderWithin(side, { ...way, depth: way.depth + 1 }));
}

/** Rows that follow each other: all with something across the gutter (which is then in `left`), or none. */
interface Band {
  readonly kind: "across" | "beside";
  readonly left: TextRun[];
  readonly right: TextRun[];
}

function cutBands(rows: readonly Row[], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const row of rows) {
    const pieces = cutRow(row).map((piece) => ({ runs: piece.runs, ...spanOf(piece) }));
    const kind = pieces.some(({ start, end }) => start < gutter && end > gutter) ? "across" : "beside";
    let band = bands.at(-1);
    if (band?.kind !== kind) {
      band = { kind, left: [], right: [] };
      bands.push(band);
    }
    for (const { runs, start } of pieces) {
      const side = kind === "across" || start < gutter ? band.left : band.right;
      for (const run of runs) side.push(run);
    }
  }
  return bands;
}

/** Rows that a band must have on both sides to be judged by itself. */
const ENOUGH_ROWS = 3;

function isColumns(band: Band, whole: boolean): boolean {
  if (band.left.length === 0 || band.right.length === 0) return whole;
  const rows = Math.min(gatherRows(band.left).length, gatherRows(band.right).length);
  return rows < ENOUGH_ROWS ? whole : judge([band]);
}

/** Characters of a piece on average: sentences are longer, cells mostly not. */
const PROSE_CHARACTERS = 15;
/** Of the width of its side that the middlemost piece fills. */
const PROSE_FILL = 0.55;
/** Turns from side to side, of the rows: as few as that say that the sides were written one after the other. */
const FEW_TURNS = 0.3;
const SHORT_PIECE = 8;

function judge(bands: readonly Band[]): boolean {
  const left = bands.flatMap((band) => band.left);
  const right = bands.flatMap((band) => band.right);
  const sides = [measureSide(left), measureSide(right)] as const;
  const rows = Math.min(sides[0].rows, sides[1].rows);
  if (rows < 2 || countBeside(sides[0].all, sides[1].all) < rows / 2) return false;
  const turns = countTurns(left, right);
  if (turns <= 1) return true;
  const characters = Math.min(sides[0].characters, sides[1].characters);
  if (turns <= Math.max(bands.length * 2, rows * FEW_TURNS)) return characters >= SHORT_PIECE;
  const fill = Math.min(sides[0].fill, sides[1].fill);
  return rows >= ENOUGH_ROWS && characters >= PROSE_CHARACTERS && fill >= PROSE_FILL;
}

function measureSide(runs: readonly TextRun[]) {
  const rows = gatherRows(runs);
  const pieces = rows.flatMap(cutRow).map((piece) => ({ span: spanOf(piece), runs: piece.runs }));
  const start = pieces.reduce((least, { span }) => Math.min(least, span.start), Number.POSITIVE_INFINITY);
  const end = pieces.reduce((most, { span }) => Math.max(most, span.end), Number.NEGATIVE_INFINITY);
  const middlemost = median(pieces.map(({ span }) => span.end - span.start)) ?? 0;
  const characters = runs.reduce((sum, { text }) => sum + text.length, 0);
  return {
    rows: rows.length,
    all: rows,
    characters: characters / Math.max(pieces.length, 1),
    fill: middlemost / Math.max(end - start, 1),
  };
}

/** Of the size: a row so close above or below stands beside, if the columns do not share their baselines. */
const BESIDE = 1.1;

/** Rows of the side with fewer that have one of the other side beside them. */
function countBeside(left: readonly Row[], right: readonly Row[]): number {
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  let at = 0;
  return fewer.filter((row) => {
    const reach = row.size * BESIDE;
    while (at < more.length && (more[at]?.y ?? 0) < row.y - reach) at++;
    return Math.abs((more[at]?.y ?? Number.POSITIVE_INFINITY) - row.y) <= reach;
  }).length;
}

/** How often the page, as it was drawn, goes from one side to the other. */
function countTurns(left: readonly TextRun[], right: readonly TextRun[]): number {
  const drawn = [
    ...left.map(({ order }) => ({ order, isLeft: true })),
    ...right.map(({ order }) => ({ order, isLeft: false })),
  ].sort((a, b) => a.order - b.order);
  return drawn.filter(({ isLeft }, at) => at > 0 && drawn[at - 1]?.isLeft !== isLeft).length;
}
