/**
 * Owns finding where in a file a text that is not there comes nearest: candidates by votes.
 * Leaves aligning lines and judging candidates to nearest-region.ts.
 * Rule: what is rare says most. A line or word that stands everywhere says nothing and is left out, which also
 * keeps the time bounded.
 */
import { foldLine } from "./fold-line.ts";

/** Occurrences past which a line or word is too common to be worth following, as long as there are rarer ones. */
const COMMON = 1_000;
/** The same where there are none: a file of 50,000 like lines is still followed in some tens of milliseconds. */
const COMMON_AT_LAST = 50_000;
/** Words of the asked text that are looked for: each is a native search through the file. */
const WORDS = 24;
const WORDS_AT_LAST = 6;
/** Candidates worth a closer look. */
const CANDIDATES = 12;
/** Characters of a line that count here. Longer lines are machine-made, and the first part tells them apart well enough. */
const LINE_PART = 500;

/** What speaks for each line as the beginning, from the line `-before` on. */
interface Votes {
  readonly before: number;
  readonly weights: Float64Array;
  any: boolean;
}

interface Piece {
  readonly text: string;
  /** The asked line it stands on. */
  readonly index: number;
}

/** 0-based lines at which the asked lines may begin (below 0 where only their end is there), best first. */
export function findCandidates(lines: readonly string[], asked: readonly string[]): number[] {
  const votes: Votes = {
    before: asked.length,
    weights: new Float64Array(lines.length + asked.length + 1),
    any: false,
  };
  voteByLines(votes, lines, asked);
  const text = lines.join("\n").toLowerCase();
  const starts = listStarts(text);
  const words = listWords(asked, /[\p{L}\p{N}_]{2,}/gu);
  voteByPieces({ votes, text, starts, pieces: words, common: COMMON });
  if (!votes.any) {
    voteByPieces({ votes, text, starts, pieces: words.slice(0, WORDS_AT_LAST), common: COMMON_AT_LAST });
  }
  // A name with a slip in it shares no word with the file, but pieces of it.
  if (!votes.any) voteByPieces({ votes, text, starts, pieces: listPieces(asked), common: COMMON });
  return votes.any ? pickBest(votes) : [];
}

function voteByLines(votes: Votes, lines: readonly string[], asked: readonly string[]): void {
  const wanted = new Map<string, number[]>();
  asked.forEach((line, index) => {
    const folded = foldLine(line.slice(0, LINE_PART));
    if (folded !== "") wanted.set(folded, [...(wanted.get(folded) ?? []), index]);
  });
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const folded = foldLine(line.length > LINE_PART ? line.slice(0, LINE_PART) : line);
    if (!wanted.has(folded)) return;
    const known = places.get(folded);
    if (known === undefined) places.set(folded, [index]);
    else known.push(index);
  });
  for (const [folded, found] of places) {
    if (found.length > COMMON) continue;
    const weight = Math.min(1, folded.length / 8) / found.length;
    for (const place of found)
      for (const index of wanted.get(folded) ?? []) add(votes, place - index, weight);
  }
}

/** Half a line's vote for each rare word: two lines that share a word need not be meant for each other. */
function voteByPieces(use: {
  readonly votes: Votes;
  readonly text: string;
  readonly starts: readonly number[];
  readonly pieces: readonly Piece[];
  readonly common: number;
}): void {
  for (const { text: piece, index } of use.pieces) {
    const found = findAll(use.text, piece, use.common);
    if (found.length > use.common) continue;
    const weight = (0.5 * Math.min(1, piece.length / 6)) / found.length;
    for (const place of found) add(use.votes, lineAt(use.starts, place) - index, weight);
  }
}

function listWords(asked: readonly string[], pattern: RegExp): Piece[] {
  const words = new Map<string, number>();
  asked.forEach((line, index) => {
    for (const [word] of line
      .slice(0, 4 * LINE_PART)
      .toLowerCase()
      .matchAll(pattern)) {
      if (!words.has(word)) words.set(word, index);
    }
  });
  const listed = [...words].map(([text, index]) => ({ text, index }));
  return listed.sort((a, b) => b.text.length - a.text.length).slice(0, WORDS);
}

function listPieces(asked: readonly string[]): Piece[] {
  const long = listWords(asked, /[^\s]{3,}/gu);
  const pieces = long.flatMap(({ text, index }) => {
    const cuts: Piece[] = [];
    for (let at = 0; at + 3 <= text.length && at < 60; at += 2)
      cuts.push({ text: text.slice(at, at + 3), index });
    return cuts;
  });
  return pieces.slice(0, WORDS);
}

function findAll(text: string, piece: string, common: number): number[] {
  const found: number[] = [];
  let at = text.indexOf(piece);
  while (at >= 0 && found.length <= common) {
    found.push(at);
    at = text.indexOf(piece, at + piece.length);
  }
  return found;
}

function listStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return low;
}

function add(votes: Votes, start: number, weight: number): void {
  const at = start + votes.before;
  votes.weights[at] = (votes.weights[at] ?? 0) + weight;
  votes.any = true;
}

/** A line too many or missing moves the votes behind it by one, so neighbours count in part. */
function pickBest({ weights, before }: Votes): number[] {
  const at = (index: number): number => weights[index] ?? 0;
  const best: { readonly index: number; readonly score: number }[] = [];
  for (let index = 0; index < weights.length; index++) {
    if (at(index) === 0) continue;
    const score = at(index) + (at(index - 1) + at(index + 1)) / 2 + (at(index - 2) + at(index + 2)) / 4;
    const last = best.at(-1);
    if (best.length === CANDIDATES && last !== undefined && score <= last.score) continue;
    const close = best.findIndex((other) => index - other.index <= 1);
    if (close >= 0) {
      if ((best[close]?.score ?? 0) >= score) continue;
      best.splice(close, 1);
    }
    best.push({ index, score });
    best.sort((a, b) => b.score - a.score || a.index - b.index);
    best.length = Math.min(best.length, CANDIDATES);
  }
  return best.map(({ index }) => index - before);
}
