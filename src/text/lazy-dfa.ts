/**
 * Owns running a pattern program over symbols, one table look-up a symbol; states are made when they are first met.
 * Leaves reading symbols out of bytes or strings to the scanners that step it.
 * Rule: linear in the text for every pattern. States are forgotten when there are too many, never refused.
 *
 * A match is known one symbol late: whether `$` or `\b` holds depends on what comes next. So a step tells whether
 * a match ended *before* the symbol, and a text is finished with a step on the alphabet's `end`.
 */
import type { Assertion } from "./pattern-node.ts";
import type { Alphabet, Instruction, Program } from "./pattern-program.ts";

/** Table entries: a state (its offset), or one of the first two; a match before this symbol is `MATCHED - state`. */
export const UNKNOWN = -1;
export const MATCHED = -2;

/** 4 MB of table: a few thousand states of a plain pattern. */
const MAX_CELLS = 1_000_000;

/** A state that outlives forgetting. */
export interface State {
  /** Program counters whose assertions are not yet resolved, by priority. */
  readonly counters: readonly number[];
  readonly before: number;
}

export interface LazyDfa {
  readonly alphabet: Alphabet;
  /** `table[state + class]`. Replaced when it grows: read it anew after each `advance`. */
  table(): Int32Array;
  /** The state before the first symbol, where `before` is the class of the symbol in front (`alphabet.end` for none). */
  startState(before: number): number;
  /** Fills in the table entry and returns it. */
  advance(state: number, symbol: number): number;
  /** The state as a value that is good in every generation, and back. */
  saveState(state: number): State;
  restoreState(saved: State): number;
  /** True where no symbol can lead to a match any more. */
  isDead(state: number): boolean;
  /** How much work `advance` has done, in visited instructions: what a scanner counts against its slice. */
  work(): number;
  /** Counts how often the states were forgotten; a state number is good within one generation. */
  generation(): number;
}

export interface DfaOptions {
  /**
   * What a match does to the other threads: `earliest` ends the search, `priority` drops those of lower priority
   * (leftmost-first), `all` keeps every one.
   */
  readonly matches: "earliest" | "priority" | "all";
}

export function makeDfa(program: Program, options: DfaOptions): LazyDfa {
  const { alphabet, instructions } = program;
  const stride = alphabet.count;
  const wordMatters = program.usesWords;
  let table = new Int32Array(stride * 16).fill(UNKNOWN);
  let states: State[] = [];
  let ids = new Map<string, number>();
  let generation = 0;
  let work = 0;
  const visited = new Int32Array(instructions.length);
  let mark = 0;

  const intern = (state: State): number => {
    const key = `${state.before}:${state.counters.join()}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    if ((states.length + 1) * stride > MAX_CELLS) forget();
    const id = states.length * stride;
    states.push(state);
    ids.set(key, id);
    if (id + stride > table.length) {
      const grown = new Int32Array(Math.min(table.length * 2, MAX_CELLS + stride)).fill(UNKNOWN);
      grown.set(table);
      table = grown;
    }
    return id;
  };
  const forget = () => {
    states = [];
    ids = new Map();
    table = new Int32Array(stride * 16).fill(UNKNOWN);
    generation++;
  };

  /** Follows empty steps from the counters, assertions decided by what is before and what is next. */
  const close = (counters: readonly number[], around: { before: number; next: number }) => {
    mark++;
    let matched = false;
    const consuming: Instruction[] = [];
    const stack: number[] = [];
    for (let i = counters.length - 1; i >= 0; i--) stack.push(counters[i] as number);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (visited[at] === mark) continue;
      visited[at] = mark;
      work++;
      const instruction = instructions[at] as Instruction;
      if (instruction.op === "match") {
        if (options.matches === "priority") return { consuming, matched: true };
        if (options.matches === "earliest") return { consuming: [], matched: true };
        matched = true;
        continue;
      }
      if (instruction.op === "split") stack.push(instruction.y, instruction.x);
      else if (instruction.op === "set") consuming.push(instruction);
      else if (holds(instruction.what as Assertion, { alphabet, ...around })) stack.push(instruction.x);
    }
    return { consuming, matched };
  };

  const advance = (state: number, symbol: number): number => {
    const from = states[state / stride] as State;
    const { consuming, matched } = close(from.counters, { before: from.before, next: symbol });
    const member = alphabet.members[symbol] as ReadonlySet<number>;
    const next: number[] = [];
    const seen = new Set<number>();
    for (const instruction of consuming) {
      const takes = instruction.set < 0 ? symbol !== alphabet.end : member.has(instruction.set);
      if (takes && !seen.has(instruction.x)) {
        seen.add(instruction.x);
        next.push(instruction.x);
      }
    }
    work += consuming.length;
    if (options.matches !== "priority") next.sort((a, b) => a - b);
    const before = generation;
    const to = intern({ counters: next, before: describe(symbol) });
    const entry = matched ? MATCHED - to : to;
    // After forgetting, the state that we came from is gone and its row belongs to another.
    if (before === generation) table[state + symbol] = entry;
    return entry;
  };

  /** Classes that assertions cannot tell apart are one, so that they share states. */
  const describe = (symbol: number): number => {
    if (symbol === alphabet.newline || symbol === alphabet.end) return symbol;
    return wordMatters && alphabet.words[symbol] === true ? -1 : alphabet.invalid;
  };

  return {
    alphabet,
    table: () => table,
    startState: (before) => intern({ counters: [program.start], before: describe(before) }),
    advance,
    saveState: (state) => states[state / stride] as State,
    restoreState: intern,
    isDead: (state) => (states[state / stride] as State).counters.length === 0,
    work: () => work,
    generation: () => generation,
  };
}

function holds(what: Assertion, at: { alphabet: Alphabet; before: number; next: number }): boolean {
  const { alphabet, before, next } = at;
  switch (what) {
    case "text-start":
      return before === alphabet.end;
    case "line-start":
      return before === alphabet.end || before === alphabet.newline;
    case "text-end":
      return next === alphabet.end;
    case "line-end":
      return next === alphabet.end || next === alphabet.newline;
    default: {
      const differs = (before === -1) !== (alphabet.words[next] === true);
      return (what === "word-boundary") === differs;
    }
  }
}
