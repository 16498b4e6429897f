/**
 * Owns turning a pattern tree into a small program (Thompson's construction).
 * Leaves the alphabet it runs on to alphabet.ts, and running to lazy-dfa.ts. Rule: a program has a bounded size, so that one step of it has too.
 */
import { type Alphabet, buildAlphabet } from "./alphabet.ts";
import type { CodeSet } from "./code-set.ts";
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

/** Where a program would grow past this, the pattern is refused: the work of one step is bounded by it. */
export const MAX_INSTRUCTIONS = 12_000;

export class ProgramTooLarge extends Error {}

export interface ProgramOptions {
  /** Reads the text from its end to its start. */
  readonly reversed?: boolean;
  /** A match may start anywhere: an any-loop of the lowest priority stands in front. */
  readonly unanchored?: boolean;
}

/** Throws `ProgramTooLarge` where `buildProgram` would. */
export function checkSize(node: PatternNode): void {
  const builder = startBuilder({});
  emit(builder, node, add(builder, { op: "match" }));
}

/** Throws `ProgramTooLarge`. */
export function buildProgram(node: PatternNode, options: ProgramOptions = {}): Program {
  const builder = startBuilder(options);
  let start = emit(builder, node, add(builder, { op: "match" }));
  if (options.unanchored === true) {
    const split = add(builder, { op: "split", x: start });
    const any = add(builder, { op: "set", x: split });
    (builder.instructions[split] as Instruction).y = any;
    start = split;
  }
  const asserted = builder.instructions.filter(({ op }) => op === "assert");
  const usesWords = asserted.some(({ what }) => what?.includes("word") === true);
  return {
    instructions: builder.instructions,
    start,
    alphabet: buildAlphabet(builder.sets, usesWords),
    usesWords,
    usesContext: asserted.length > 0,
  };
}

interface Builder {
  readonly instructions: Instruction[];
  readonly sets: CodeSet[];
  /** By identity first: spelling a table of Unicode a thousand times takes longer than all else. */
  readonly knownSets: Map<CodeSet, number>;
  readonly setIndexes: Map<string, number>;
  readonly reversed: boolean;
}

function startBuilder({ reversed }: ProgramOptions): Builder {
  return {
    instructions: [],
    sets: [],
    knownSets: new Map(),
    setIndexes: new Map(),
    reversed: reversed === true,
  };
}

function add(builder: Builder, instruction: Partial<Instruction> & Pick<Instruction, "op">): number {
  if (builder.instructions.length >= MAX_INSTRUCTIONS) throw new ProgramTooLarge();
  return builder.instructions.push({ x: 0, y: 0, set: -1, what: undefined, ...instruction }) - 1;
}

/** Adds the instructions of `node` in front of instruction `next`; returns where they start. */
function emit(builder: Builder, node: PatternNode, next: number): number {
  switch (node.kind) {
    case "empty":
      return next;
    case "set":
      return add(builder, { op: "set", x: next, set: indexSet(builder, node.set) });
    case "sequence": {
      const items = builder.reversed ? node.items : node.items.toReversed();
      return items.reduce((to, item) => emit(builder, item, to), next);
    }
    case "choice": {
      const heads = node.items.map((item) => emit(builder, item, next));
      return heads.reduceRight((rest, head) => add(builder, { op: "split", x: head, y: rest }));
    }
    case "repeat":
      return emitRepeat(builder, node, next);
    case "assert":
      return add(builder, { op: "assert", x: next, what: builder.reversed ? mirror(node.what) : node.what });
  }
}

function indexSet({ sets, knownSets, setIndexes }: Builder, set: CodeSet): number {
  const same = knownSets.get(set);
  if (same !== undefined) return same;
  const key = set.join();
  const index = setIndexes.get(key) ?? sets.push(set) - 1;
  setIndexes.set(key, index);
  knownSets.set(set, index);
  return index;
}

function emitRepeat(builder: Builder, node: PatternNode & { kind: "repeat" }, next: number): number {
  const { item, min, max } = node;
  let to = next;
  let copies = min;
  if (max === Number.POSITIVE_INFINITY) {
    const loop = add(builder, { op: "split" });
    const body = emit(builder, item, loop);
    link(builder, loop, { body, out: next, greedy: node.greedy });
    to = loop;
    if (min > 0) {
      to = body;
      copies--;
    } else if (isNullable(item)) {
      // `(x+)?`: an empty turn ends the loop at once, as in every engine of this dialect.
      to = add(builder, { op: "split" });
      link(builder, to, { body, out: next, greedy: node.greedy });
    }
  } else {
    for (let i = min; i < max; i++) {
      const split = add(builder, { op: "split" });
      link(builder, split, { body: emit(builder, item, to), out: next, greedy: node.greedy });
      to = split;
    }
  }
  for (let i = 0; i < copies; i++) to = emit(builder, item, to);
  return to;
}

/** Whether a node can match nothing. */
export function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "sequence":
      return node.items.every(isNullable);
    case "choice":
      return node.items.some(isNullable);
    case "repeat":
      return node.min === 0 || isNullable(node.item);
    default:
      return true;
  }
}

function link(
  { instructions }: Builder,
  split: number,
  to: { readonly body: number; readonly out: number; readonly greedy: boolean },
): void {
  const instruction = instructions[split] as Instruction;
  instruction.x = to.greedy ? to.body : to.out;
  instruction.y = to.greedy ? to.out : to.body;
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
