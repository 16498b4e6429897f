/**
 * Owns finding the matches of a pattern that may cross lines, in a whole text.
 * Leaves line patterns to line-finder.ts. Rule: leftmost-first and not overlapping, as every engine of this dialect
 * has it. One pass backwards finds each place where a match can start; from each of those that counts, one forwards
 * finds where it ends.
 */
import { type LazyDfa, MATCHED, makeDfa, UNKNOWN } from "./lazy-dfa.ts";
import { makeNeedle } from "./needle.ts";
import { buildProgram } from "./pattern-program.ts";
import type { SearchPattern } from "./regex-pattern.ts";
import { LENGTH, makeSymbolReader, type SymbolReader } from "./symbol-reader.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SpanFinder {
  /** The matches in a whole text. Yields undefined for a pause. */
  find(bytes: Buffer): Generator<Span | undefined, void>;
}

const PAUSE_BYTES = 131_072;
const PAUSE_WORK = 40_000;

interface Machine {
  readonly dfa: LazyDfa;
  readonly reader: SymbolReader;
}

export function makeSpanFinder(pattern: SearchPattern): SpanFinder {
  // Where the texts hold line breaks, `\r\n` may stand for them: what is between two of them is needed all the same.
  const texts = pattern.literals?.texts.map(findLongestLine);
  const needles = texts?.every((text) => text !== "") === true ? texts.map(makeNeedle) : undefined;
  const back = makeMachine(
    pattern,
    makeDfa(buildProgram(pattern.node, { reversed: true, unanchored: true }), { matches: "all" }),
  );
  const forth = makeMachine(pattern, makeDfa(buildProgram(pattern.node), { matches: "priority" }));
  return {
    find: function* (bytes) {
      if (needles?.every((needle) => needle.find(bytes, 0) < 0) === true) return;
      const starts = yield* findStarts(back, bytes);
      if (starts === undefined) return;
      let at = 0;
      while (at <= bytes.length) {
        at = nextStart(starts, at, bytes.length);
        if (at > bytes.length) return;
        const end = yield* findEnd(forth, bytes, at);
        if (isBehindLastLine(bytes, at)) return;
        yield { start: at, end };
        at = end > at ? end : at + 1;
      }
    },
  };
}

function findLongestLine(text: string): string {
  return text.split("\n").reduce((longest, line) => (line.length > longest.length ? line : longest));
}

function makeMachine(pattern: SearchPattern, dfa: LazyDfa): Machine {
  return { dfa, reader: makeSymbolReader(dfa.alphabet, pattern.joinsReturn) };
}

/** A final newline starts no further line: an empty match there is on no line. */
function isBehindLastLine(bytes: Buffer, at: number): boolean {
  return at === bytes.length && (at === 0 || bytes[at - 1] === 10);
}

/** One bit for each offset at which a match can start; undefined for none. */
function* findStarts({ dfa, reader }: Machine, bytes: Buffer): Generator<undefined, Uint8Array | undefined> {
  const starts = new Uint8Array((bytes.length >> 3) + 1);
  let any = false;
  let state = dfa.startState(dfa.alphabet.end);
  let pauseAt = bytes.length - PAUSE_BYTES;
  let pauseWork = dfa.work() + PAUSE_WORK;
  for (let at = bytes.length; ; ) {
    const read = at > 0 ? reader.readBefore(bytes, at, 0) : LENGTH + dfa.alphabet.end;
    const entry = step(dfa, state, read % LENGTH);
    if (entry <= MATCHED) {
      starts[at >> 3] = (starts[at >> 3] as number) | (1 << (at & 7));
      any = true;
    }
    state = entry <= MATCHED ? MATCHED - entry : entry;
    if (at === 0) return any ? starts : undefined;
    at -= Math.floor(read / LENGTH);
    if (at > pauseAt && dfa.work() < pauseWork) continue;
    yield undefined;
    pauseAt = at - PAUSE_BYTES;
    pauseWork = dfa.work() + PAUSE_WORK;
  }
}

function nextStart(starts: Uint8Array, from: number, last: number): number {
  for (let at = from; at <= last; at++) {
    const byte = starts[at >> 3] as number;
    if (byte === 0) at |= 7;
    else if ((byte & (1 << (at & 7))) !== 0) return at;
  }
  return last + 1;
}

/** Where the match that starts at `from` ends. */
function* findEnd({ dfa, reader }: Machine, bytes: Buffer, from: number): Generator<undefined, number> {
  const { alphabet } = dfa;
  const before = from === 0 ? alphabet.end : reader.readBefore(bytes, from, 0) % LENGTH;
  let state = dfa.startState(before);
  let found = from;
  let pauseAt = from + PAUSE_BYTES;
  let pauseWork = dfa.work() + PAUSE_WORK;
  for (let at = from; ; ) {
    const read = at < bytes.length ? reader.read(bytes, at, bytes.length) : LENGTH + alphabet.end;
    const entry = step(dfa, state, read % LENGTH);
    if (entry <= MATCHED) found = at;
    state = entry <= MATCHED ? MATCHED - entry : entry;
    if (at >= bytes.length || dfa.isDead(state)) return found;
    at += Math.floor(read / LENGTH);
    if (at < pauseAt && dfa.work() < pauseWork) continue;
    yield undefined;
    pauseAt = at + PAUSE_BYTES;
    pauseWork = dfa.work() + PAUSE_WORK;
  }
}

function step(dfa: LazyDfa, state: number, symbol: number): number {
  const entry = dfa.table()[state + symbol] as number;
  return entry === UNKNOWN ? dfa.advance(state, symbol) : entry;
}
