/**
 * Owns the lines of a text that a model sent, and the difference between two such texts.
 * Rule: the difference between old and new text decides what changes, so it is taken on the texts as sent.
 */

export interface SentLine {
  readonly text: string;
  /** Whether a line break follows. */
  readonly hasBreak: boolean;
}

export function splitSent(text: string): SentLine[] {
  const parts = text.split(/\r?\n/);
  const lines = parts.map((part, index) => ({ text: part, hasBreak: index < parts.length - 1 }));
  return lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

/** One new line: the old line that it keeps or takes the place of, by index, or none. */
export interface Paired {
  readonly line: SentLine;
  readonly old: number | undefined;
}

/** Cells of the table of a longest common subsequence; past it only what both ends share is paired. */
const LCS_CELLS = 4_000_000;

/** Lines of a gap that are compared each with each; in a longer one no line is taken for the other's. */
const GAP_PAIRS = 10_000;
/** Below this share of common words and marks two lines are not the same line changed. */
const ALIKE = 0.5;

/** Pairs each new line with an old one: equal lines first, then, between them, those that are alike, in order. */
export function pairLines(old: readonly SentLine[], fresh: readonly SentLine[]): Paired[] {
  const common = commonIndexes(
    old.map((line) => line.text),
    fresh.map((line) => line.text),
  );
  const pairs: Paired[] = fresh.map((line) => ({ line, old: undefined }));
  let [fromOld, fromFresh] = [0, 0];
  for (const [o, f] of [...common, [old.length, fresh.length] as const]) {
    const gap = pairAlike(old.slice(fromOld, o), fresh.slice(fromFresh, f));
    for (const [inOld, inFresh] of gap) setPair(pairs, fromFresh + inFresh, fromOld + inOld);
    if (f < fresh.length) setPair(pairs, f, o);
    [fromOld, fromFresh] = [o + 1, f + 1];
  }
  return pairs;
}

function setPair(pairs: Paired[], index: number, old: number): void {
  const pair = pairs[index];
  if (pair !== undefined) pairs[index] = { line: pair.line, old };
}

/** The changed lines of a gap, each with the one it came from: the pairs in order that are most alike in sum. */
function pairAlike(old: readonly SentLine[], fresh: readonly SentLine[]): (readonly [number, number])[] {
  if (old.length === 1 && fresh.length === 1) return [[0, 0]];
  if (old.length * fresh.length === 0 || old.length * fresh.length > GAP_PAIRS) return [];
  const tokens = [old, fresh].map((lines) => lines.map((line) => line.text.match(/\w+|[^\s\w]/gu) ?? []));
  const [most = 0, others = 0] = tokens.map((lines) => lines.reduce((sum, line) => sum + line.length, 0));
  if (most * others > LCS_CELLS) return [];
  const alike = (i: number, j: number) => likeness(tokens[0]?.[i] ?? [], tokens[1]?.[j] ?? []);
  const width = fresh.length + 1;
  const best = new Float64Array((old.length + 1) * width);
  const scores = new Float64Array(best.length);
  const at = (i: number, j: number) => best[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const score = alike(i, j);
      scores[i * width + j] = score;
      best[i * width + j] = Math.max(score + (score > 0 ? at(i + 1, j + 1) : 0), at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    const score = scores[i * width + j] ?? 0;
    if (score > 0 && at(i, j) === score + at(i + 1, j + 1)) pairs.push([i++, j++]);
    else if (at(i, j) === at(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}

/** The share of words and marks that two lines have in common, in order; 0 where it says nothing. */
function likeness(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const share = (2 * commonIndexes(a, b).length) / (a.length + b.length);
  return share < ALIKE ? 0 : share;
}

/** Index pairs of a longest common subsequence, ascending. */
export function commonIndexes(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  let lead = 0;
  while (lead < a.length && lead < b.length && a[lead] === b[lead]) lead++;
  let tail = 0;
  while (
    tail < a.length - lead &&
    tail < b.length - lead &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail++;
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < lead; index++) pairs.push([index, index]);
  const inner = innerCommon(a.slice(lead, a.length - tail), b.slice(lead, b.length - tail));
  for (const [i, j] of inner) pairs.push([i + lead, j + lead]);
  for (let index = tail; index > 0; index--) pairs.push([a.length - index, b.length - index]);
  return pairs;
}

function innerCommon(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > LCS_CELLS) return [];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
