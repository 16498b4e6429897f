/**
 * Owns which lines of a region were changed: the shortest list of changes, or a good one where the shortest would
 * take too long.
 * Leaves finding regions to diff-regions.ts and showing changes to diff-hunks.ts.
 * Rule: lines are equal when their bytes are, ending included; the time is bounded whatever the texts.
 */
import type { Splice } from "./diff-regions.ts";
import { asBuffer } from "./utf-8.ts";

interface LineChanges {
  /** In bytes of the whole files, on line borders, ascending. */
  readonly changes: readonly Splice[];
  /** Whether there may be a shorter list. */
  readonly shortened: boolean;
}

/**
 * The search for the shortest list costs the square of its length. At 1,200 the worst case takes some 100 ms, so that
 * a host's timers never slip by half a second; without a bound, wholly different texts of 6,000 lines took 10 s.
 */
const MAX_EDITS = 1_200;

/** What is left of the search for all regions of one diff together: many small searches are as dear as a long one. */
interface Budget {
  squares: number;
}

/** Index pairs of equal lines, ascending in both. */
type Matches = readonly (readonly [number, number])[];

interface Lines {
  /** Where each line starts, and last where the final one ends. */
  readonly starts: readonly number[];
  /** A number for each line, equal exactly where the bytes are. */
  readonly ids: readonly number[];
}

export async function compareRegions(
  before: Uint8Array,
  after: Uint8Array,
  regions: readonly Splice[],
): Promise<LineChanges> {
  const known = new Map<string, number>();
  const budget: Budget = { squares: MAX_EDITS ** 2 };
  const changes: Splice[] = [];
  let shortened = false;
  for (const region of regions) {
    const old = indexLines(asBuffer(before), region.start, region.end, known);
    const now = indexLines(asBuffer(after), region.newStart, region.newEnd, known);
    const found = await matchLines(old.ids, now.ids, budget);
    for (const change of listChanges(old, now, found.matches)) changes.push(change);
    shortened ||= found.shortened;
  }
  return { changes, shortened };
}

interface Matching {
  readonly matches: Matches;
  readonly shortened: boolean;
}

function indexLines(bytes: Buffer, start: number, end: number, known: Map<string, number>): Lines {
  const starts = [start];
  const ids: number[] = [];
  let at = start;
  while (at < end) {
    const newline = bytes.indexOf(0x0a, at);
    const next = newline < 0 || newline >= end ? end : newline + 1;
    const key = bytes.toString("latin1", at, next);
    const id = known.get(key) ?? known.size;
    known.set(key, id);
    ids.push(id);
    starts.push(next);
    at = next;
  }
  return { starts, ids };
}

async function matchLines(old: readonly number[], now: readonly number[], budget: Budget): Promise<Matching> {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const middle = await matchShared(
    listShared(old, now, head, old.length - tail),
    listShared(now, old, head, now.length - tail),
    budget,
  );
  const matches: (readonly [number, number])[] = [];
  for (let index = 0; index < head; index++) matches.push([index, index]);
  for (const match of middle.matches) matches.push(match);
  for (let index = tail; index > 0; index--) matches.push([old.length - index, now.length - index]);
  return { matches, shortened: middle.shortened };
}

interface Entry {
  readonly id: number;
  readonly index: number;
}

/** The lines of `[start, end)` that the other side has too. Those that it has not are in no match, so leaving them out loses nothing and makes most rewrites cheap. */
function listShared(ids: readonly number[], others: readonly number[], start: number, end: number): Entry[] {
  const theirs = new Set(others);
  const shared: Entry[] = [];
  for (let index = start; index < end; index++) {
    const id = ids[index] as number;
    if (theirs.has(id)) shared.push({ id, index });
  }
  return shared;
}

async function matchShared(old: readonly Entry[], now: readonly Entry[], budget: Budget): Promise<Matching> {
  if (old.length === 0 || now.length === 0) return { matches: [], shortened: false };
  const { diffArrays } = await import("diff");
  const maxEditLength = Math.floor(Math.sqrt(budget.squares));
  const ids = (entries: readonly Entry[]): number[] => entries.map(({ id }) => id);
  const runs = diffArrays(ids(old), ids(now), { maxEditLength });
  if (runs === undefined) {
    budget.squares = 0;
    return { matches: matchUniqueLines(old, now), shortened: true };
  }
  const matches: (readonly [number, number])[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const { count, added, removed } of runs) {
    for (let step = 0; step < count; step++) {
      if (!added && !removed) matches.push([(old[oldAt] as Entry).index, (now[nowAt] as Entry).index]);
      if (!added) oldAt++;
      if (!removed) nowAt++;
    }
  }
  const edits = old.length + now.length - 2 * matches.length;
  budget.squares = Math.max(0, budget.squares - edits ** 2);
  return { matches, shortened: false };
}

/** The longest run of lines in common order among those that occur once on either side (the idea of patience diff). */
function matchUniqueLines(old: readonly Entry[], now: readonly Entry[]): Matches {
  const nowUnique = listUnique(now);
  const pairs: (readonly [number, number])[] = [];
  for (const [id, index] of listUnique(old)) {
    const other = nowUnique.get(id);
    if (other !== undefined) pairs.push([index, other]);
  }
  // piles[n]: the pair with the least second index that ends a rising run of n + 1 pairs.
  const piles: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, target], at) => {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] as number]?.[1] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (piles[low - 1] as number));
    piles[low] = at;
  });
  const run: (readonly [number, number])[] = [];
  for (let at = piles.at(-1) ?? -1; at >= 0; at = previous[at] as number)
    run.push(pairs[at] as readonly [number, number]);
  return run.reverse();
}

function listUnique(entries: readonly Entry[]): Map<number, number> {
  const unique = new Map<number, number>();
  const seen = new Set<number>();
  for (const { id, index } of entries) {
    if (seen.has(id)) unique.delete(id);
    else unique.set(id, index);
    seen.add(id);
  }
  return unique;
}

/** What lies between matches, as byte ranges. */
function listChanges(old: Lines, now: Lines, matches: Matches): Splice[] {
  const changes: Splice[] = [];
  let [oldAt, nowAt] = [0, 0];
  const close = (oldNext: number, nowNext: number): void => {
    if (oldNext === oldAt && nowNext === nowAt) return;
    changes.push({
      start: old.starts[oldAt] as number,
      end: old.starts[oldNext] as number,
      newStart: now.starts[nowAt] as number,
      newEnd: now.starts[nowNext] as number,
    });
  };
  for (const [oldNext, nowNext] of matches) {
    close(oldNext, nowNext);
    oldAt = oldNext + 1;
    nowAt = nowNext + 1;
  }
  close(old.ids.length, now.ids.length);
  return changes;
}
