/**
 * Owns finding gutters: stretches across which hardly anything of a region is written, from its top to its bottom.
 * Leaves judging what stands on either side to columns.ts. Rule: a title or a figure's caption may lie across.
 */
import { endOf, median, type Row } from "./text-run.ts";

/** Of the size: LaTeX and CSS leave one; justified text has no such gap at one place of every line. */
const NARROWEST = 0.75;
/** As many pieces of text may lie across, if they are no more than this share. Where few do, a gutter is told best. */
const ACROSS = [0, 1, 2, 4, 8, 16];
const ACROSS_SHARE = 0.2;
/** Of each kind the widest ones are looked at: a page has few columns, a table has many. */
const MOST = 5;

/** Where gutters are, by their middle: those with least across first, of these the widest. Each entry of `pieces` is text without a wide gap. */
export function findGutters(pieces: readonly Row[]): number[] {
  const size = median(pieces.map((piece) => piece.size)) ?? 0;
  const spans = pieces.map(spanOf);
  const middles: number[] = [];
  for (const most of ACROSS) {
    if (most > pieces.length * ACROSS_SHARE) break;
    const found = findClear(spans, most).filter(({ start, end }) => end - start >= size * NARROWEST);
    found.sort((a, b) => b.end - b.start - (a.end - a.start));
    middles.push(...found.slice(0, MOST).map(({ start, end }) => (start + end) / 2));
  }
  return [...new Set(middles)];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export function spanOf({ runs }: Row): Span {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    start = Math.min(start, run.x);
    end = Math.max(end, endOf(run));
  }
  return { start, end };
}

/** The stretches, between the first start and the last end, that at most `most` spans cover. */
function findClear(spans: readonly Span[], most: number): Span[] {
  const edges = spans.flatMap(({ start, end }) => [
    { at: start, by: 1 },
    { at: end, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || b.by - a.by);
  const clear: Span[] = [];
  let covered = 0;
  let since: number | undefined;
  let seen = 0;
  for (const { at, by } of edges) {
    covered += by;
    if (by > 0) seen++;
    // Before the first and behind the last nothing is between anything.
    if (covered <= most && seen > most) since ??= at;
    else if (since !== undefined) {
      clear.push({ start: since, end: at });
      since = undefined;
    }
  }
  return clear;
}
