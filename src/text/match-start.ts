/**
 * Owns finding where a match starts whose end is known: the automaton run backwards.
 * Leaves finding ends to line-finder.ts. Rule: only a window in a long line needs to know, and no window shows more
 * than is looked at.
 */
import { type LazyDfa, MATCHED, makeDfa, UNKNOWN } from "./lazy-dfa.ts";
import { buildProgram } from "./pattern-program.ts";
import type { SearchPattern } from "./regex-pattern.ts";
import { LENGTH, makeSymbolReader, type SymbolReader } from "./symbol-reader.ts";

export interface Machine {
  readonly dfa: LazyDfa;
  readonly reader: SymbolReader;
}

export interface Stretch {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
}

/** Where the match that ends at `matchEnd` starts, not before `floor`. */
export type StartFinder = (bytes: Buffer, matchEnd: number, floor: number) => number;

/** Bytes that are looked at for the start of a match: a window shows far less. */
const MAX_BACK = 1_048_576;

export function makeStartFinder(pattern: SearchPattern): StartFinder {
  let machine: Machine | undefined;
  return (bytes, matchEnd, floor) => {
    if (machine === undefined) {
      const dfa = makeDfa(buildProgram(pattern.node, { reversed: true }), { matches: "all" });
      machine = { dfa, reader: makeSymbolReader(dfa.alphabet, pattern.joinsReturn) };
    }
    return runBack(machine, { bytes, from: Math.max(floor, matchEnd - MAX_BACK), end: matchEnd });
  };
}

function runBack({ dfa, reader }: Machine, { bytes, from, end }: Stretch): number {
  const { alphabet } = dfa;
  const after = end < bytes.length ? reader.read(bytes, end, bytes.length) % LENGTH : alphabet.end;
  let state = dfa.startState(after);
  let found = end;
  for (let at = end; ; ) {
    const read = at > from ? reader.readBefore(bytes, at, from) : LENGTH + alphabet.newline;
    const symbol = read % LENGTH;
    const known = dfa.table()[state + symbol] as number;
    const entry = known === UNKNOWN ? dfa.advance(state, symbol) : known;
    if (entry <= MATCHED) found = at;
    state = entry <= MATCHED ? MATCHED - entry : entry;
    if (at <= from || dfa.isDead(state)) return found;
    at -= Math.floor(read / LENGTH);
  }
}
