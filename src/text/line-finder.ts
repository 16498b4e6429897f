/**
 * Owns finding the matching lines of a stretch of bytes.
 * Leaves patterns that cross lines to span-finder.ts, and reading files to the engine.
 * Rule: whole buffers, never line by line: literals by the machine's own search, then the automaton.
 * It pauses often, so that no text and no pattern holds up the event loop.
 */
import { MATCHED, makeDfa, UNKNOWN } from "./lazy-dfa.ts";
import { type Machine, makeStartFinder, type Stretch } from "./match-start.ts";
import { makeNeedle, type Needle } from "./needle.ts";
import { buildProgram } from "./pattern-program.ts";
import type { SearchPattern } from "./regex-pattern.ts";
import { LENGTH, makeSymbolReader } from "./symbol-reader.ts";

export interface LineHit {
  /** Where the line starts and where its ending starts. */
  readonly start: number;
  readonly end: number;
  /** Where a match on it ends: the one that ends first. */
  readonly matchEnd: number;
}

export interface LineFinder {
  /** Whether there are texts without which nothing matches. */
  readonly isGuided: boolean;
  /** How many lines of `bytes[from)` match, up to `most`; undefined where literals alone do not tell. Pauses nowhere. */
  countLines(bytes: Buffer, from: number, most: number): number | undefined;
  /** False where no line of `bytes[from, end)` matches, told by literals alone. */
  mayMatch(bytes: Buffer, from: number, end: number): boolean;
  /**
   * The matching lines of `bytes[from, end)`, which starts at a line and ends at one or with the text.
   * Yields undefined for a pause.
   */
  find(bytes: Buffer, from: number, end: number): Generator<LineHit | undefined, void>;
  /** Where the match that ends at `matchEnd` starts, not before `floor`. */
  findMatchStart(bytes: Buffer, matchEnd: number, floor: number): number;
}

/** Bytes and automaton work between two pauses: about 2 ms each. */
const PAUSE_BYTES = 262_144;
const PAUSE_WORK = 40_000;

export function makeLineFinder(pattern: SearchPattern): LineFinder {
  let made: Machine | undefined;
  // Most files hold none of the texts that a match needs: then no automaton is ever made.
  const machine = () => {
    made ??= makeMachine(pattern);
    return made;
  };
  const needles = pattern.literals?.texts.map(makeNeedle);
  const start = makeStartFinder(pattern);
  return {
    isGuided: needles !== undefined,
    countLines: (bytes, from, most) => {
      const only = needles?.length === 1 && pattern.literals?.whole === true ? needles[0] : undefined;
      return only === undefined ? undefined : countLinesWith(only, { bytes, from, most });
    },
    mayMatch: (held, from, end) => {
      if (needles === undefined) return true;
      const bytes = end === held.length ? held : held.subarray(0, end);
      return needles.some((needle) => needle.find(bytes, from) >= 0);
    },
    find: (held, from, end) => {
      // Without what lies behind: the machine's own search would run on to the end of the memory.
      const stretch = { bytes: held.subarray(0, end), from, end };
      if (needles === undefined) return findByMachine(machine(), stretch);
      return findByNeedles({ machine, needles, whole: pattern.literals?.whole === true }, stretch);
    },
    findMatchStart: start,
  };
}

function countLinesWith(
  needle: Needle,
  { bytes, from, most }: { bytes: Buffer; from: number; most: number },
): number {
  let count = 0;
  for (let at = from; count < most; ) {
    const hit = needle.find(bytes, at);
    if (hit < 0) break;
    count++;
    at = bytes.indexOf(10, hit + needle.length) + 1;
    if (at === 0) break;
  }
  return count;
}

function makeMachine(pattern: SearchPattern): Machine {
  const dfa = makeDfa(buildProgram(pattern.node, { unanchored: true }), { matches: "earliest" });
  return { dfa, reader: makeSymbolReader(dfa.alphabet, pattern.joinsReturn) };
}

/** Runs the automaton over the stretch, restarted after each matching line. */
function* findByMachine(machine: Machine, stretch: Stretch): Generator<LineHit | undefined, void> {
  const { bytes, end } = stretch;
  let from = stretch.from;
  while (from < end) {
    const matchEnd = yield* runMachine(machine, { bytes, from, end });
    if (matchEnd === undefined) return;
    const hit = lineAround(bytes, { at: matchEnd, matchEnd, from, end });
    yield hit.line;
    from = hit.next;
  }
}

/** Where the first match ends, or undefined. Pauses by yielding undefined. */
function* runMachine({ dfa, reader }: Machine, stretch: Stretch): Generator<undefined, number | undefined> {
  const { bytes, from, end } = stretch;
  const { ascii } = reader;
  const newline = dfa.alphabet.newline;
  let state = dfa.startState(newline);
  let table = dfa.table();
  let at = from;
  let pauseAt = from + PAUSE_BYTES;
  let pauseWork = dfa.work() + PAUSE_WORK;
  for (;;) {
    const stop = Math.min(pauseAt, end);
    while (at < stop) {
      const symbol = ascii[bytes[at] as number] as number;
      if (symbol < 0) break;
      const entry = table[state + symbol] as number;
      if (entry < 0) break;
      state = entry;
      at++;
    }
    if (at >= stop || dfa.work() > pauseWork) {
      if (at >= end) break;
      yield undefined;
      pauseAt = at + PAUSE_BYTES;
      pauseWork = dfa.work() + PAUSE_WORK;
      if (at >= stop) continue;
    }
    const read = reader.read(bytes, at, end);
    const symbol = read % LENGTH;
    let entry = table[state + symbol] as number;
    if (entry === UNKNOWN) {
      entry = dfa.advance(state, symbol);
      table = dfa.table();
    }
    if (entry <= MATCHED) return at;
    state = entry;
    at += Math.floor(read / LENGTH);
  }
  // A final newline starts no further line.
  if (end > from && bytes[end - 1] === 10) return undefined;
  return dfa.advance(state, dfa.alphabet.end) <= MATCHED ? end : undefined;
}

interface NeedleSearch {
  readonly machine: () => Machine;
  readonly needles: readonly Needle[];
  readonly whole: boolean;
}

function* findByNeedles(search: NeedleSearch, stretch: Stretch): Generator<LineHit | undefined, void> {
  const { bytes, end } = stretch;
  // Offsets of the next occurrence of each needle; beyond the end for none.
  const nexts = search.needles.map(() => -1);
  let from = stretch.from;
  let pauseAt = from + PAUSE_BYTES;
  while (from < end) {
    const found = findNearest(search.needles, nexts, { bytes, from, end });
    if (found === undefined) return;
    const { line, next } = lineAround(bytes, { at: found.at, matchEnd: found.at + found.length, from, end });
    from = next;
    if (search.whole) yield line;
    else {
      const matchEnd = yield* runMachine(search.machine(), {
        bytes,
        from: line.start,
        end: Math.min(next, end),
      });
      if (matchEnd !== undefined) yield { ...line, matchEnd };
    }
    if (from < pauseAt) continue;
    yield undefined;
    pauseAt = from + PAUSE_BYTES;
  }
}

function findNearest(
  needles: readonly Needle[],
  nexts: number[],
  { bytes, from, end }: Stretch,
): { at: number; length: number } | undefined {
  let nearest: { at: number; length: number } | undefined;
  for (const [index, needle] of needles.entries()) {
    let at = nexts[index] as number;
    if (at < from) {
      at = needle.find(bytes, from);
      if (at < 0) at = bytes.length;
      nexts[index] = at;
    }
    if (at + needle.length > end) continue;
    const nearer = nearest === undefined || at + needle.length < nearest.at + nearest.length;
    if (nearer) nearest = { at, length: needle.length };
  }
  return nearest;
}

function lineAround(
  bytes: Buffer,
  { at, matchEnd, from, end }: { at: number; matchEnd: number; from: number; end: number },
): { line: LineHit; next: number } {
  const before = at > from ? bytes.lastIndexOf(10, at - 1) : -1;
  const start = before < from ? from : before + 1;
  const newline = bytes.indexOf(10, at);
  const last = newline < 0 || newline >= end ? end : newline;
  const line = {
    start,
    end: last > start && last < end && bytes[last - 1] === 13 ? last - 1 : last,
    matchEnd,
  };
  return { line, next: last + 1 };
}
