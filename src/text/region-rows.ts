/**
 * Owns the rows of a closest region: which lines are shown, how much of them, and what was asked for beside them.
 * Leaves choosing the region to nearest-region.ts and marks to visible-text.ts.
 * Rule: at most {@link MAX_ROWS} rows of bounded length, cut between characters, those that differ first.
 */
import type { ClosestRegion } from "../contract/refusal.ts";
import type { Pair } from "./line-alignment.ts";
import { contrast } from "./visible-text.ts";

type Row = ClosestRegion["rows"][number];

/** As many as fit a glance; a model that needs more reads the lines. */
const MAX_ROWS = 20;
/** Characters of a line that are shown, a third of them before the place that counts. */
const MAX_CHARACTERS = 240;
/** What is looked at around that place: marks make a text longer. */
const PART = 2_000;
/** Asked lines without a line of their own that are shown in a row. */
const MAX_EXTRA = 3;

const NOT_ASKED = "(not in the asked text)";

/** A line of the file, the asked line beside it, and asked lines that come after it and have no line of their own. */
interface Beside {
  readonly line: number;
  readonly asked: string | undefined;
  readonly extra: readonly string[];
}

interface Region {
  readonly lines: readonly string[];
  readonly asked: readonly string[];
  readonly pairs: readonly Pair[];
  /** 0-based, half open. */
  readonly start: number;
  readonly end: number;
}

export function showRows(region: Region): Pick<ClosestRegion, "rows" | "differences"> {
  const differences = new Set<string>();
  const beside = layBeside(region);
  const differing = beside.map(({ line, asked, extra }) => asked !== region.lines[line] || extra.length > 0);
  const rows: Row[] = [];
  for (const at of chooseRows(differing)) {
    const one = beside[at] as Beside;
    const actual = region.lines[one.line] ?? "";
    const shown = differing[at] ? showDifference(actual, one) : { actual: cutAround(actual, 0) };
    for (const difference of shown.differences ?? []) differences.add(difference);
    rows.push({
      line: one.line + 1,
      actual: shown.actual,
      ...(shown.asked === undefined ? {} : { asked: shown.asked }),
    });
  }
  return { rows, differences: [...differences] };
}

/** Between two pairs, lines stand beside each other in order; what is left over on either side stands alone. */
function layBeside({ lines, asked, pairs, start, end }: Region): Beside[] {
  const rows: Beside[] = [];
  let nextAsked = Math.max(0, (pairs[0]?.asked ?? 0) - ((pairs[0]?.line ?? 0) - start));
  let nextLine = start;
  const skipped = asked.slice(0, nextAsked);
  const goTo = (line: number, index: number): void => {
    while (nextLine < line) {
      rows.push({ line: nextLine, asked: nextAsked < index ? asked[nextAsked++] : undefined, extra: [] });
      nextLine++;
    }
    const left = asked.slice(nextAsked, index);
    const last = rows.at(-1);
    if (left.length > 0 && last !== undefined) rows[rows.length - 1] = { ...last, extra: left };
    else skipped.push(...left);
    nextAsked = index;
  };
  for (const pair of pairs) {
    goTo(pair.line, pair.asked);
    rows.push({ line: pair.line, asked: asked[pair.asked], extra: [] });
    nextLine = pair.line + 1;
    nextAsked = pair.asked + 1;
  }
  goTo(Math.min(end, lines.length), asked.length);
  const first = rows[0];
  // Lines asked for before the file's first line have no row above theirs.
  if (skipped.length > 0 && first !== undefined) rows[0] = { ...first, extra: [...skipped, ...first.extra] };
  return rows;
}

/** All of them if they fit; else those that differ, then their neighbours, as many as fit, in order. */
function chooseRows(differing: readonly boolean[]): number[] {
  const all = differing.map((_, at) => at);
  if (all.length <= MAX_ROWS) return all;
  const distance = (at: number): number => {
    for (let reach = 0; reach <= 2; reach++) if (differing[at - reach] || differing[at + reach]) return reach;
    return 3;
  };
  const ranked = all.map((at) => ({ at, rank: distance(at) })).sort((a, b) => a.rank - b.rank || a.at - b.at);
  return ranked
    .slice(0, MAX_ROWS)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
}

interface Shown {
  readonly actual: string;
  readonly asked?: string;
  readonly differences?: readonly string[];
}

function showDifference(actual: string, { asked, extra }: Beside): Shown {
  const more = extra.slice(0, MAX_EXTRA).map((line) => cutAround(line, 0));
  if (extra.length > MAX_EXTRA) more.push(`(${extra.length - MAX_EXTRA} more lines)`);
  if (asked === undefined) return { actual: cutAround(actual, 0), asked: [NOT_ASKED, ...more].join("\n") };
  const place = findPlace(actual, asked);
  const file = takePart(actual, place.actual);
  const wish = takePart(asked, place.asked);
  const shown = contrast(file.text, wish.text);
  return {
    actual: cutAround(shown.actual, place.actual - file.start, file),
    asked: [cutAround(shown.asked, place.asked - wish.start, wish), ...more].join("\n"),
    differences: shown.differences,
  };
}

/** Where two lines are worth showing: where they part, or, in a long line, where the words of the asked one stand. */
function findPlace(actual: string, asked: string): { readonly actual: number; readonly asked: number } {
  const shorter = Math.min(actual.length, asked.length);
  let same = 0;
  while (same < shorter && actual[same] === asked[same]) same++;
  if (same > 0 || actual.length <= MAX_CHARACTERS) return { actual: same, asked: same };
  const votes = new Map<number, number>();
  for (const { 0: word, index } of asked.slice(0, PART).matchAll(/[\p{L}\p{N}_]{3,}/gu)) {
    let at = actual.indexOf(word);
    for (let found = 0; at >= 0 && found < 20; found++) {
      // Blanks may differ in number, so places count by the dozen.
      const start = Math.max(0, Math.floor((at - index) / 12) * 12);
      votes.set(start, (votes.get(start) ?? 0) + word.length / (found + 1));
      at = actual.indexOf(word, at + word.length);
    }
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { actual: best?.[0] ?? 0, asked: 0 };
}

interface Part {
  readonly text: string;
  readonly start: number;
  readonly cutStart: boolean;
  readonly cutEnd: boolean;
}

function takePart(text: string, place: number): Part {
  const start = betweenCharacters(text, Math.max(0, place - PART / 2));
  const end = betweenCharacters(text, Math.min(text.length, start + PART));
  return { text: text.slice(start, end), start, cutStart: start > 0, cutEnd: end < text.length };
}

/** A window of a line around a place, with `…` where it was cut. */
function cutAround(text: string, place: number, part?: Part): string {
  const start = betweenCharacters(
    text,
    text.length <= MAX_CHARACTERS ? 0 : Math.max(0, place - MAX_CHARACTERS / 3),
  );
  const end = betweenCharacters(text, Math.min(text.length, start + MAX_CHARACTERS));
  const before = start > 0 || part?.cutStart === true ? "…" : "";
  const after = end < text.length || part?.cutEnd === true ? "…" : "";
  return before + text.slice(start, end) + after;
}

/** The place, moved back where it would cut a character in two. */
function betweenCharacters(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return place > 0 && code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}
