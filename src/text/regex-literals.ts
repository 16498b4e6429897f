/**
 * Owns finding literal texts without which a pattern cannot match: what a search looks for first.
 * Leaves looking for them to the finders. Rule: a match always contains one of the returned texts.
 */
import type { PatternNode } from "./pattern-node.ts";

export interface Literals {
  readonly texts: readonly string[];
  /** The pattern is nothing else: where one of the texts is, it matches. */
  readonly whole: boolean;
}

/** Each text costs a pass over the bytes; past a few, the automaton alone is faster. */
const MAX_TEXTS = 6;
/** Longer ones find nothing sooner. */
const MAX_LENGTH = 64;

interface Facts {
  /** All texts that the node matches, where they are few. */
  readonly exact: readonly string[] | undefined;
  /** `exact` leaves out an assertion. */
  readonly asserts: boolean;
  /** Texts of which a match holds at least one. */
  readonly needed: readonly string[] | undefined;
}

const NOTHING: Facts = { exact: undefined, asserts: false, needed: undefined };

export function findLiterals(node: PatternNode): Literals | undefined {
  const { exact, asserts, needed } = study(node);
  if (exact !== undefined && isUseful(exact)) return { texts: exact, whole: !asserts };
  return needed === undefined ? undefined : { texts: needed, whole: false };
}

function study(node: PatternNode): Facts {
  switch (node.kind) {
    case "empty":
      return { exact: [""], asserts: false, needed: undefined };
    case "assert":
      return { exact: [""], asserts: true, needed: undefined };
    case "set":
      return { exact: spellSet(node.set), asserts: false, needed: undefined };
    case "sequence":
      return studySequence(node.items.map(study));
    case "choice":
      return studyChoice(node.items.map(study));
    case "repeat":
      return studyRepeat(node);
  }
}

function spellSet(set: readonly number[]): readonly string[] | undefined {
  const texts: string[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let code = set[i] as number; code <= (set[i + 1] as number); code++) {
      if (texts.length >= MAX_TEXTS || (code >= 0xd800 && code <= 0xdfff)) return undefined;
      texts.push(String.fromCodePoint(code));
    }
  }
  return texts.length === 0 ? undefined : texts;
}

function studySequence(items: readonly Facts[]): Facts {
  let run: readonly string[] = [""];
  let needed: readonly string[] | undefined;
  let broken = false;
  for (const item of items) {
    const joined = item.exact === undefined ? undefined : joinTexts(run, item.exact);
    if (joined !== undefined) {
      run = joined;
      continue;
    }
    broken = true;
    needed = pickBetter(pickBetter(needed, run), item.needed);
    run = item.exact ?? [""];
  }
  if (broken) return { exact: undefined, asserts: false, needed: pickBetter(needed, run) };
  return { exact: run, asserts: items.some((item) => item.asserts), needed: undefined };
}

function joinTexts(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length === 1 && right.length === 1) {
    const text = `${left[0]}${right[0]}`;
    return text.length > MAX_LENGTH ? undefined : [text];
  }
  if (left.length * right.length > MAX_TEXTS) return undefined;
  const texts = left.flatMap((head) => right.map((tail) => head + tail));
  return texts.some((text) => text.length > MAX_LENGTH) ? undefined : texts;
}

function studyChoice(items: readonly Facts[]): Facts {
  const exact = items.every((item) => item.exact !== undefined)
    ? items.flatMap((item) => item.exact ?? [])
    : undefined;
  const asserts = items.some((item) => item.asserts);
  if (exact !== undefined && exact.length <= MAX_TEXTS)
    return { exact: [...new Set(exact)], asserts, needed: undefined };
  const needed = items.map((item) => pickBetter(item.exact, item.needed));
  const all = needed.every((texts) => texts !== undefined)
    ? [...new Set(needed.flat() as string[])]
    : undefined;
  return {
    exact: undefined,
    asserts: false,
    needed: all !== undefined && all.length <= MAX_TEXTS ? all : undefined,
  };
}

function studyRepeat(node: PatternNode & { kind: "repeat" }): Facts {
  const item = study(node.item);
  if (node.min === 1 && node.max === 1) return item;
  if (node.min === 0) {
    if (node.max !== 1 || item.exact === undefined || item.exact.length >= MAX_TEXTS) return NOTHING;
    return { exact: [...item.exact, ""], asserts: item.asserts, needed: undefined };
  }
  return { exact: undefined, asserts: false, needed: pickBetter(item.exact, item.needed) };
}

function isUseful(texts: readonly string[] | undefined): texts is readonly string[] {
  return texts !== undefined && texts.length > 0 && texts.every((text) => text !== "");
}

/** The one with the longer shortest text; among equals the smaller. */
function pickBetter(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!isUseful(a)) return isUseful(b) ? b : undefined;
  if (!isUseful(b)) return a;
  const gain = shortest(b) - shortest(a);
  return gain > 0 || (gain === 0 && b.length < a.length) ? b : a;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}
