/**
 * Owns turning a pattern tree into a small program (Thompson's construction) and the alphabet it runs on.
 * Leaves running to lazy-dfa.ts. Rule: a program has a bounded size, so that one step of it has too.
 */
import { type CodeSet, getWordSet } from "./code-set.ts";
import type { Assertion, PatternNode } from "./pattern-node.ts";

/** `set` consumes a symbol and goes to `x`; `split` tries `x` before `y`; `assert` goes to `x` where it holds. */
export interface Instruction {
  readonly op: "set" | "split" | "assert" | "match";
  x: number;
  y: number;
  /** Index into `sets`; -1 takes any symbol, invalid bytes and line ends included. */
  readonly set: number;
  readonly what: Assertion | undefined;
}

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  readonly alphabet: Alphabet;
  readonly usesWords: boolean;
  /** Whether anything depends on what stands beside a position. */
  readonly usesContext: boolean;
}

/** Code points that no set of the program tells apart share a class. */
export interface Alphabet {
  /** First code point of each interval, ascending. */
  readonly starts: readonly number[];
  /** Class of each interval. */
  readonly classes: readonly number[];
  readonly count: number;
  /** The class of a byte that is no valid UTF-8: in no set. */
  readonly invalid: number;
  /** Stands for what is before the first and after the last symbol. */
  readonly end: number;
  /** `members[class]` has the index of each set that the class is in. */
  readonly members: readonly ReadonlySet<number>[];
  readonly words: readonly boolean[];
  readonly newline: number;
}

/** Where a program would grow past this, the pattern is refused: the work of one step is bounded by it. */
export const MAX_INSTRUCTIONS = 12_000;

export class ProgramTooLarge extends Error {}

export interface ProgramOptions {
  /** Reads the text from its end to its start. */
  readonly reversed?: boolean;
  /** A match may start anywhere: an any-loop of the lowest priority stands in front. */
  readonly unanchored?: boolean;
}

export function buildProgram(node: PatternNode, options: ProgramOptions = {}): Program {
  const builder = makeBuilder(options.reversed === true);
  const match = builder.add({ op: "match", x: 0, y: 0, set: -1, what: undefined });
  let start = builder.emit(node, match);
  if (options.unanchored === true) {
    const split = builder.add({ op: "split", x: start, y: 0, set: -1, what: undefined });
    const any = builder.add({ op: "set", x: split, y: 0, set: -1, what: undefined });
    (builder.instructions[split] as Instruction).y = any;
    start = split;
  }
  return {
    instructions: builder.instructions,
    start,
    alphabet: buildAlphabet(builder.sets, builder.usesWords()),
    usesWords: builder.usesWords(),
    usesContext: builder.instructions.some(({ op }) => op === "assert"),
  };
}

function makeBuilder(reversed: boolean) {
  const instructions: Instruction[] = [];
  const sets: CodeSet[] = [];
  const known = new Map<string, number>();
  let words = false;
  const add = (instruction: Instruction): number => {
    if (instructions.length >= MAX_INSTRUCTIONS) throw new ProgramTooLarge();
    return instructions.push(instruction) - 1;
  };
  const addSplit = (x: number, y: number) => add({ op: "split", x, y, set: -1, what: undefined });
  const setIndex = (set: CodeSet): number => {
    const key = set.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, sets.length);
    return sets.push(set) - 1;
  };
  const emitRepeat = (node: PatternNode & { kind: "repeat" }, next: number): number => {
    const { item, min, max, greedy } = node;
    let to = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = addSplit(0, 0);
      const body = emit(item, loop);
      link(instructions[loop] as Instruction, { body, out: next, greedy });
      to = loop;
    } else {
      for (let i = min; i < max; i++) {
        const split = addSplit(0, 0);
        link(instructions[split] as Instruction, { body: emit(item, to), out: next, greedy });
        to = split;
      }
    }
    for (let i = 0; i < min; i++) to = emit(item, to);
    return to;
  };
  const emit = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case "empty":
        return next;
      case "set":
        return add({ op: "set", x: next, y: 0, set: setIndex(node.set), what: undefined });
      case "sequence": {
        let to = next;
        const items = reversed ? node.items : node.items.toReversed();
        for (const item of items) to = emit(item, to);
        return to;
      }
      case "choice": {
        const ends = node.items.map((item) => emit(item, next));
        return ends.reduceRight((rest, head) => addSplit(head, rest));
      }
      case "repeat":
        return emitRepeat(node, next);
      case "assert":
        words ||= node.what.includes("word");
        return add({ op: "assert", x: next, y: 0, set: -1, what: reversed ? mirror(node.what) : node.what });
    }
  };
  return { instructions, sets, add, emit, usesWords: () => words };
}

function link(split: Instruction, to: { body: number; out: number; greedy: boolean }): void {
  split.x = to.greedy ? to.body : to.out;
  split.y = to.greedy ? to.out : to.body;
}

/** Read backwards, the end of a line comes before its start. */
function mirror(what: Assertion): Assertion {
  if (what === "line-start") return "line-end";
  if (what === "line-end") return "line-start";
  if (what === "text-start") return "text-end";
  if (what === "text-end") return "text-start";
  if (what === "word-start") return "word-end";
  if (what === "word-end") return "word-start";
  return what;
}

function buildAlphabet(sets: readonly CodeSet[], usesWords: boolean): Alphabet {
  const all = [...sets, [10, 10], ...(usesWords ? [getWordSet()] : [])];
  const edges: { at: number; set: number; enters: boolean }[] = [];
  all.forEach((set, index) => {
    for (let i = 0; i < set.length; i += 2) {
      edges.push({ at: set[i] as number, set: index, enters: true });
      edges.push({ at: (set[i + 1] as number) + 1, set: index, enters: false });
    }
  });
  edges.sort((a, b) => a.at - b.at);
  const starts: number[] = [];
  const classes: number[] = [];
  const members: Set<number>[] = [];
  const byKey = new Map<string, number>();
  const inside = new Set<number>();
  const open = (at: number) => {
    const key = [...inside].sort((a, b) => a - b).join();
    let found = byKey.get(key);
    if (found === undefined) {
      found = members.push(new Set(inside)) - 1;
      byKey.set(key, found);
    }
    starts.push(at);
    classes.push(found);
  };
  let next = 0;
  if (edges[0]?.at !== 0) open(0);
  while (next < edges.length) {
    const at = (edges[next] as { at: number }).at;
    for (; edges[next]?.at === at; next++) {
      const edge = edges[next] as { set: number; enters: boolean };
      if (edge.enters) inside.add(edge.set);
      else inside.delete(edge.set);
    }
    open(at);
  }
  const count = members.length;
  const wordIndex = sets.length + 1;
  const newline = members.findIndex((member) => member.has(sets.length));
  return {
    starts,
    classes,
    count: count + 2,
    invalid: count,
    end: count + 1,
    members: [...members, new Set<number>(), new Set<number>()],
    words: [...members.map((member) => usesWords && member.has(wordIndex)), false, false],
    newline,
  };
}

/** The class of a code point. */
export function classOf(alphabet: Alphabet, code: number): number {
  let low = 0;
  let high = alphabet.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((alphabet.starts[middle] as number) <= code) low = middle;
    else high = middle - 1;
  }
  return alphabet.classes[low] as number;
}
