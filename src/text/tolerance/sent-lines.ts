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

/** Pairs each new line with an old one: equal lines first, then, between them, changed lines one to one. */
export function pairLines(old: readonly SentLine[], fresh: readonly SentLine[]): Paired[] {
  const common = commonIndexes(
    old.map((line) => line.text),
    fresh.map((line) => line.text),
  );
  const pairs: Paired[] = fresh.map((line) => ({ line, old: undefined }));
  let [fromOld, fromFresh] = [0, 0];
  for (const [o, f] of [...common, [old.length, fresh.length] as const]) {
    // Between two kept lines, as many changed lines as there are on both sides stand for each other.
    if (o - fromOld === f - fromFresh) {
      for (let step = 0; step < f - fromFresh; step++) setPair(pairs, fromFresh + step, fromOld + step);
    }
    if (f < fresh.length) setPair(pairs, f, o);
    [fromOld, fromFresh] = [o + 1, f + 1];
  }
  return pairs;
}

function setPair(pairs: Paired[], index: number, old: number): void {
  const pair = pairs[index];
  if (pair !== undefined) pairs[index] = { line: pair.line, old };
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
