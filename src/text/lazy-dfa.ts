/**
 * Owns running a pattern program over symbols, one table look-up a symbol; states are made when they are first met.
 * Leaves reading symbols out of bytes or strings to whoever steps it.
 * Rule: linear in the text for every pattern. States are forgotten when there are too many, never refused.
 *
 * A match is known one symbol late: whether `$` or `\b` holds depends on what comes next. So a step tells whether
 * a match ended *before* the symbol, and a text is finished with a step on the alphabet's `end`.
 */

import type { Alphabet } from "./alphabet.ts";
import type { Assertion } from "./pattern-node.ts";
import type { Instruction, Program } from "./pattern-program.ts";

/** Table entries: a state (its offset), or one of the first two; a match before this symbol is `MATCHED - state`. */
export const UNKNOWN = -1;
export const MATCHED = -2;

/** Stands for every word character in front of a position. */
const WORD = -1;

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
  /** `table[state + class]`. Replaced when it grows: read it anew after each `advance` and `startState`. */
  table(): Int32Array;
  /** The state before the first symbol, where `before` is the class of the symbol in front (`alphabet.end` for none). */
  startState(before: number): number;
  /** Fills in the table entry and returns it. */
  advance(state: number, symbol: number): number;
  /** The state as a value that is good for ever, and back. */
  saveState(state: number): State;
  restoreState(saved: State): number;
  /** True where no symbol can lead to a match any more. */
  isDead(state: number): boolean;
  /** How much work `advance` has done, in visited instructions: what a finder counts against its slice. */
  work(): number;
}

export interface DfaOptions {
  /**
   * What a match does to the other threads: `earliest` ends the search, `priority` drops those of lower priority
   * (leftmost-first), `all` keeps every one.
   */
  readonly matches: "earliest" | "priority" | "all";
}

export function makeDfa(program: Program, options: DfaOptions): LazyDfa {
  const { alphabet } = program;
  const store = makeStore(alphabet.count);
  const closer = makeCloser(program, options.matches);
  let steps = 0;
  const advance = (state: number, symbol: number): number => {
    const from = store.get(state);
    const { consuming, matched } = closer.close(from, symbol);
    steps += consuming.length;
    const counters = stepOver(consuming, { alphabet, symbol });
    // Without priorities the order of threads says nothing: sorted, more states are the same.
    if (options.matches !== "priority") counters.sort((a, b) => a - b);
    const generation = store.generation();
    const to = store.intern({ counters, before: describeSymbol(program, symbol) });
    const entry = matched ? MATCHED - to : to;
    // After forgetting, the row of the state that we came from belongs to another.
    if (generation === store.generation()) store.table()[state + symbol] = entry;
    return entry;
  };
  return {
    alphabet,
    table: store.table,
    startState: (before) =>
      store.intern({ counters: [program.start], before: describeSymbol(program, before) }),
    advance,
    saveState: store.get,
    restoreState: store.intern,
    isDead: (state) => store.get(state).counters.length === 0,
    work: () => steps + closer.visits(),
  };
}

/** Where a state stands in the table, as long as it is the one that stands there. */
interface StoredState extends State {
  readonly at: number;
}

/** The states that were met, and the table between them. */
function makeStore(stride: number) {
  let table = new Int32Array(stride * 16).fill(UNKNOWN);
  let states: StoredState[] = [];
  let ids = new Map<string, number>();
  let generation = 0;
  const forget = () => {
    states = [];
    ids = new Map();
    table = new Int32Array(stride * 16).fill(UNKNOWN);
    generation++;
  };
  const intern = (state: State): number => {
    // A state that was saved and not forgotten since is found without spelling it.
    const at = (state as Partial<StoredState>).at;
    if (at !== undefined && states[at / stride] === state) return at;
    const key = `${state.before}:${state.counters.join()}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    if ((states.length + 1) * stride > MAX_CELLS) forget();
    const id = states.length * stride;
    states.push({ counters: state.counters, before: state.before, at: id });
    ids.set(key, id);
    if (id + stride > table.length) {
      const grown = new Int32Array(table.length * 2).fill(UNKNOWN);
      grown.set(table);
      table = grown;
    }
    return id;
  };
  return {
    table: () => table,
    generation: () => generation,
    get: (state: number) => states[state / stride] as State,
    intern,
  };
}

/** Follows steps that take no symbol; assertions are decided by what is before and what is next. */
function makeCloser({ alphabet, instructions }: Program, matches: DfaOptions["matches"]) {
  const visited = new Int32Array(instructions.length);
  let mark = 0;
  let visits = 0;
  const close = ({ counters, before }: State, next: number) => {
    mark++;
    let matched = false;
    const consuming: Instruction[] = [];
    const stack = counters.toReversed();
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (visited[at] === mark) continue;
      visited[at] = mark;
      visits++;
      const instruction = instructions[at] as Instruction;
      if (instruction.op === "split") stack.push(instruction.y, instruction.x);
      else if (instruction.op === "set") consuming.push(instruction);
      else if (instruction.op === "match") {
        if (matches === "earliest") return { consuming: [], matched: true };
        if (matches === "priority") return { consuming, matched: true };
        matched = true;
      } else if (holds(instruction.what as Assertion, { alphabet, before, next })) stack.push(instruction.x);
    }
    return { consuming, matched };
  };
  return { close, visits: () => visits };
}

function stepOver(
  consuming: readonly Instruction[],
  { alphabet, symbol }: { alphabet: Alphabet; symbol: number },
): number[] {
  const member = alphabet.members[symbol] as ReadonlySet<number>;
  const next = new Set<number>();
  for (const { set, x } of consuming) {
    if (set < 0 ? symbol !== alphabet.end : member.has(set)) next.add(x);
  }
  return [...next];
}

/** Symbols that no assertion tells apart are one, so that they share states. */
function describeSymbol({ alphabet, usesWords, usesContext }: Program, symbol: number): number {
  if (!usesContext) return alphabet.invalid;
  if (symbol === alphabet.newline || symbol === alphabet.end) return symbol;
  return usesWords && alphabet.words[symbol] === true ? WORD : alphabet.invalid;
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
      const wasWord = before === WORD;
      const isWord = alphabet.words[next] === true;
      if (what === "word-start") return !wasWord && isWord;
      if (what === "word-end") return wasWord && !isWord;
      return (what === "word-boundary") === (wasWord !== isWord);
    }
  }
}
