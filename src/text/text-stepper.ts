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
}

/** Throws ProgramTooLarge. */
export function makeStepper(node: PatternNode): TextStepper {
  const dfa = makeDfa(buildProgram(node), { matches: "all" });
  const ascii = new Int32Array(128);
  for (let code = 0; code < 128; code++) ascii[code] = classOf(dfa.alphabet, code);
  return {
    start: dfa.saveState(dfa.startState(dfa.alphabet.end)),
    step: (state, text) => stepText({ dfa, ascii, state, text }),
    accepts: (state) => next(dfa, dfa.restoreState(state), dfa.alphabet.end) <= MATCHED,
  };
}

function stepText(at: { dfa: LazyDfa; ascii: Int32Array; state: State; text: string }): State | undefined {
  const { dfa, ascii, text } = at;
  let state = dfa.restoreState(at.state);
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 0xd800) {
      code = text.codePointAt(i) as number;
      if (code > 0xffff) i++;
    }
    const entry = next(dfa, state, code < 128 ? (ascii[code] as number) : classOf(dfa.alphabet, code));
    state = entry <= MATCHED ? MATCHED - entry : entry;
    if (dfa.isDead(state)) return undefined;
  }
  return dfa.saveState(state);
}

function next(dfa: LazyDfa, state: number, symbol: number): number {
  const entry = dfa.table()[state + symbol] as number;
  return entry === UNKNOWN ? dfa.advance(state, symbol) : entry;
}
