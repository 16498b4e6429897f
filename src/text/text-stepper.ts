/**
 * Owns stepping an automaton over strings. Leaves bytes to line-finder.ts.
 * Rule: a state is carried from one call to the next, so that a path is read folder by folder.
 */

import { classOf } from "./alphabet.ts";
import { type LazyDfa, MATCHED, makeDfa, type State, UNKNOWN } from "./lazy-dfa.ts";
import type { PatternNode } from "./pattern-node.ts";
import { buildProgram } from "./pattern-program.ts";

export interface TextStepper {
  readonly start: State;
  /** The state after `text`, or undefined where nothing can match any more. */
  step(state: State, text: string): State | undefined;
  /** Whether what was read so far matches whole. */
  accepts(state: State): boolean;
  /** Whether a text matches whole. */
  matches(text: string): boolean;
}

/** Throws ProgramTooLarge. */
export function makeStepper(node: PatternNode): TextStepper {
  const dfa = makeDfa(buildProgram(node), { matches: "all" });
  const ascii = new Int32Array(128);
  for (let code = 0; code < 128; code++) ascii[code] = classOf(dfa.alphabet, code);
  const start = dfa.saveState(dfa.startState(dfa.alphabet.end));
  const run = { dfa, ascii, start };
  return {
    start,
    step: (state, text) => stepText({ dfa, ascii, state, text }),
    accepts: (state) => next(dfa, dfa.restoreState(state), dfa.alphabet.end) <= MATCHED,
    matches: (text) => matchesWhole(run, text),
  };
}

interface Run {
  readonly dfa: LazyDfa;
  readonly ascii: Int32Array;
  readonly state: State;
  readonly text: string;
}

/** What nearly every name is asked: all of it in one loop as long as its states are known. */
function matchesWhole(run: { dfa: LazyDfa; ascii: Int32Array; start: State }, text: string): boolean {
  const { dfa, ascii, start } = run;
  let state = dfa.restoreState(start);
  const table = dfa.table();
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const entry = code < 128 ? (table[state + (ascii[code] as number)] as number) : UNKNOWN;
    if (entry === UNKNOWN)
      return next(dfa, runText({ dfa, ascii, state: start, text }), dfa.alphabet.end) <= MATCHED;
    state = entry <= MATCHED ? MATCHED - entry : entry;
  }
  return next(dfa, state, dfa.alphabet.end) <= MATCHED;
}

function stepText(run: Run): State | undefined {
  const state = runText(run);
  return run.dfa.isDead(state) ? undefined : run.dfa.saveState(state);
}

function runText({ dfa, ascii, state: from, text }: Run): number {
  let state = dfa.restoreState(from);
  let table = dfa.table();
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 0xd800) {
      code = text.codePointAt(i) as number;
      if (code > 0xffff) i++;
    }
    const symbol = code < 128 ? (ascii[code] as number) : classOf(dfa.alphabet, code);
    let entry = table[state + symbol] as number;
    if (entry === UNKNOWN) {
      entry = dfa.advance(state, symbol);
      table = dfa.table();
    }
    state = entry <= MATCHED ? MATCHED - entry : entry;
  }
  return state;
}

function next(dfa: LazyDfa, state: number, symbol: number): number {
  const entry = dfa.table()[state + symbol] as number;
  return entry === UNKNOWN ? dfa.advance(state, symbol) : entry;
}
