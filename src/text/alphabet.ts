/**
 * Owns the alphabet of a pattern program: code points that no set of it tells apart are one class.
 * Leaves reading code points out of bytes to symbol-reader.ts. Rule: classes are numbered from 0 without gaps, so
 * that a class is an index into a row of a table.
 */
import { type CodeSet, getWordSet } from "./code-set.ts";

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

interface Edge {
  readonly at: number;
  readonly set: number;
  readonly enters: boolean;
}

export function buildAlphabet(sets: readonly CodeSet[], usesWords: boolean): Alphabet {
  const newlineSet = sets.length;
  const wordSet = sets.length + 1;
  const edges = listEdges([...sets, [10, 10], ...(usesWords ? [getWordSet()] : [])]);
  const starts: number[] = [];
  const classes: number[] = [];
  const members: Set<number>[] = [];
  const byKey = new Map<string, number>();
  const inside = new Set<number>();
  const open = (at: number) => {
    const key = [...inside].sort((a, b) => a - b).join();
    const known = byKey.get(key) ?? members.push(new Set(inside)) - 1;
    byKey.set(key, known);
    starts.push(at);
    classes.push(known);
  };
  if (edges[0]?.at !== 0) open(0);
  for (let next = 0; next < edges.length; ) {
    const { at } = edges[next] as Edge;
    for (; edges[next]?.at === at; next++) {
      const { set, enters } = edges[next] as Edge;
      if (enters) inside.add(set);
      else inside.delete(set);
    }
    open(at);
  }
  const count = members.length;
  return {
    starts,
    classes,
    count: count + 2,
    invalid: count,
    end: count + 1,
    members: [...members, new Set<number>(), new Set<number>()],
    words: [...members.map((member) => usesWords && member.has(wordSet)), false, false],
    newline: members.findIndex((member) => member.has(newlineSet)),
  };
}

/** Where a set begins and where it has ended, in ascending order. */
function listEdges(sets: readonly CodeSet[]): Edge[] {
  const edges: Edge[] = [];
  sets.forEach((ranges, set) => {
    for (let i = 0; i < ranges.length; i += 2) {
      edges.push({ at: ranges[i] as number, set, enters: true });
      edges.push({ at: (ranges[i + 1] as number) + 1, set, enters: false });
    }
  });
  return edges.sort((a, b) => a.at - b.at);
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
