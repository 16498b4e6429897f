/**
 * Owns narrowing a file to the stretches in which a text could stand, by a word of it that every rule leaves alone.
 * Leaves comparing to places.ts. Rule: complete for the ladder: what is left out cannot hold the text by any rule,
 * for none touches a run of ASCII letters, digits and underscores. A miss in a large file then costs a native search.
 */
import { type Encoding, encode } from "../encodings.ts";
import { type NewlineScanner, scannerFor } from "../newline-scanner.ts";

/** Whole lines of a file, by byte offsets, half open; `firstLine` is 1-based. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
}

interface Narrowing {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly text: string;
  /** Lines of a stretch before and behind the line of the word. */
  readonly marginLines: number;
}

/** Words that are looked for: the longest are the rarest, mostly. */
const WORDS_TRIED = 3;
/** Places of a word past which it tells nothing. */
const HITS_FOLLOWED = 1_000;

/** The stretches around the rarest word; undefined where the text has no word, or only such as stand everywhere. */
export function narrowToWord(of: Narrowing): Stretch[] | undefined {
  let best: number[] | undefined;
  for (const word of wordsOf(of.text).slice(0, WORDS_TRIED)) {
    const hits = findHits(of, word);
    if (hits !== undefined && (best === undefined || hits.length < best.length)) best = hits;
  }
  return best && stretchesAround(of, best);
}

/** The stretches around any of the words: for what comes near, which need not hold them all. */
export function narrowToAnyWord(of: Narrowing): Stretch[] {
  const hits = wordsOf(of.text)
    .slice(0, WORDS_TRIED)
    .flatMap((word) => findHits(of, word) ?? []);
  return stretchesAround(
    of,
    hits.sort((a, b) => a - b),
  );
}

/** Runs of ASCII word characters, longest first. A letter that a combining mark follows may be another letter in the file. */
function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/\w+/g)) {
    const isMarked = /^\p{M}/u.test(text.slice(index + word.length, index + word.length + 2));
    words.add(isMarked ? word.slice(0, -1) : word);
  }
  words.delete("");
  return [...words].sort((a, b) => b.length - a.length);
}

function findHits({ bytes, encoding }: Narrowing, word: string): number[] | undefined {
  const needle = encode(word, encoding);
  if (needle === undefined) return undefined;
  const hits: number[] = [];
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length)) {
    hits.push(at);
    if (hits.length > HITS_FOLLOWED) return undefined;
  }
  return hits;
}

function stretchesAround({ bytes, encoding, marginLines }: Narrowing, hits: readonly number[]): Stretch[] {
  const scanner = scannerFor(encoding);
  const stretches: Stretch[] = [];
  let lineEnd = -1;
  for (const hit of hits) {
    // Another hit in the same line needs the same stretch.
    if (hit < lineEnd) continue;
    const newline = scanner.next(bytes, hit - (hit % scanner.unit));
    lineEnd = newline === -1 ? bytes.length : newline;
    const last = stretches.at(-1);
    const end = goDown({ bytes, scanner, from: lineEnd, lines: marginLines });
    const floor = last?.end ?? 0;
    const start = hit < floor ? floor : goUp({ bytes, scanner, from: hit, lines: marginLines, floor });
    if (last !== undefined && start <= last.end)
      stretches[stretches.length - 1] = { ...last, end: Math.max(end, last.end) };
    else stretches.push({ start, end, firstLine: firstLineOf({ bytes, scanner, start, last }) });
  }
  return stretches;
}

function firstLineOf(of: {
  bytes: Buffer;
  scanner: NewlineScanner;
  start: number;
  last: Stretch | undefined;
}): number {
  const from = of.last?.start ?? 0;
  return (of.last?.firstLine ?? 1) + of.scanner.count(of.bytes.subarray(from, of.start));
}

/** The start of the line that many lines above; never above `floor`, which starts a line. */
function goUp(of: {
  bytes: Buffer;
  scanner: NewlineScanner;
  from: number;
  lines: number;
  floor: number;
}): number {
  const within = of.bytes.subarray(of.floor);
  let at = of.scanner.previous(within, of.from - of.floor);
  for (let left = of.lines; left > 0 && at !== -1; left--) at = of.scanner.previous(within, at);
  return at === -1 ? of.floor : of.floor + at + of.scanner.unit;
}

/** Behind the end of the line that many lines below the line that ends at `from`. */
function goDown(of: { bytes: Buffer; scanner: NewlineScanner; from: number; lines: number }): number {
  let at = of.from;
  for (let left = of.lines; left > 0 && at !== -1 && at < of.bytes.length; left--) {
    at = of.scanner.next(of.bytes, at + of.scanner.unit);
  }
  return at === -1 || at >= of.bytes.length ? of.bytes.length : at + of.scanner.unit;
}
