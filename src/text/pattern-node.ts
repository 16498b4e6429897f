/**
 * Owns the tree that every pattern of haft is read into: regular expressions, globs and ignore rules alike.
 * Leaves reading to their own files and running to pattern-program.ts and lazy-dfa.ts.
 * Rule: nothing in this tree needs backtracking, so whatever is read into it runs in linear time.
 */
import type { CodeSet } from "./code-set.ts";

export type Assertion =
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end"
  | "word-boundary"
  | "no-word-boundary"
  | "word-start"
  | "word-end";

export type PatternNode =
  | { readonly kind: "empty" }
  /** One code point out of a set. */
  | { readonly kind: "set"; readonly set: CodeSet }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly items: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly item: PatternNode;
      readonly min: number;
      /** Infinity for no bound. */
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly kind: "assert"; readonly what: Assertion };

export const EMPTY: PatternNode = { kind: "empty" };

/** A set that holds nothing: it never matches. */
export const NEVER: PatternNode = { kind: "set", set: [] };

export function sequenceOf(items: readonly PatternNode[]): PatternNode {
  const kept = items.filter((item) => item.kind !== "empty");
  if (kept.length === 0) return EMPTY;
  return kept.length === 1 ? (kept[0] as PatternNode) : { kind: "sequence", items: kept };
}

export function choiceOf(items: readonly PatternNode[]): PatternNode {
  return items.length === 1 ? (items[0] as PatternNode) : { kind: "choice", items };
}

export function repeatOf(item: PatternNode, min: number, max: number): PatternNode {
  return { kind: "repeat", item, min, max, greedy: true };
}

export function literalOf(text: string): PatternNode {
  return sequenceOf(
    [...text].map((character) => {
      const code = character.codePointAt(0) as number;
      return { kind: "set", set: [code, code] };
    }),
  );
}
