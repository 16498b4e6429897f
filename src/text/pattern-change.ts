/**
 * Owns changes of a pattern tree as a whole. Leaves reading to the readers.
 * Rule: a new tree each time; the given one stays as it is.
 */
import { type CodeSet, foldSet, setHas, subtractSet } from "./code-set.ts";
import { type PatternNode, sequenceOf } from "./pattern-node.ts";

const NEWLINE: CodeSet = [10, 10];

/** The same pattern within one line: no set takes a newline, and the text is the line. */
export function forbidNewline(node: PatternNode): PatternNode {
  switch (node.kind) {
    case "set":
      return setHas(node.set, 10) ? { kind: "set", set: subtractSet(node.set, NEWLINE) } : node;
    case "sequence":
    case "choice":
      return { kind: node.kind, items: node.items.map(forbidNewline) };
    case "repeat":
      return { ...node, item: forbidNewline(node.item) };
    case "assert":
      if (node.what === "text-start") return { kind: "assert", what: "line-start" };
      return node.what === "text-end" ? { kind: "assert", what: "line-end" } : node;
    case "empty":
      return node;
  }
}

/** A literal text in any case. */
export function foldLiteral(text: string): PatternNode {
  return sequenceOf(
    [...text].map((character) => {
      const code = character.codePointAt(0) as number;
      return { kind: "set", set: foldSet([code, code]) };
    }),
  );
}
