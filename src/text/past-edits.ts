/**
 * Owns what a list of edits has done together so far: one list of splices, and where each edit stands in the end.
 * Leaves the arithmetic of two lists to splices.ts. Rule: composed in halves, so that ten thousand edits cost
 * little more than ten thousand times one.
 */
import { composeSplices, offsetAfter, type Splice } from "./splices.ts";

export interface Past {
  add(step: { readonly splices: readonly Splice[]; readonly bytes: { readonly length: number } }): void;
  /** From the file as it was to the text as it is now. */
  splices(): readonly Splice[];
  /** For each edit the offsets of its changes in the text as it is now. */
  landings(): readonly (readonly number[])[];
}

interface Stretch {
  readonly splices: readonly Splice[];
  /** Length of the text behind these edits. */
  readonly length: number;
  readonly landings: readonly (readonly number[])[];
}

export function makePast(length: number): Past {
  /** Stretches of edits, each composed: their numbers of edits fall by at least half from one to the next. */
  const stretches: Stretch[] = [];
  const lengthBefore = (index: number) => stretches[index - 1]?.length ?? length;
  const joinLast = () => {
    const [second, first] = [stretches.pop(), stretches.pop()];
    if (first === undefined || second === undefined) return;
    stretches.push(join(first, second, lengthBefore(stretches.length)));
  };
  const joinAll = (): Stretch | undefined => {
    while (stretches.length > 1) joinLast();
    return stretches[0];
  };
  return {
    add({ splices, bytes }) {
      stretches.push({ splices, length: bytes.length, landings: [splices.map((splice) => splice.newStart)] });
      while (stretches.length > 1 && sizeOf(stretches.at(-2)) < 2 * sizeOf(stretches.at(-1))) joinLast();
    },
    splices: () => joinAll()?.splices ?? [],
    landings: () => joinAll()?.landings ?? [],
  };
}

function sizeOf(stretch: Stretch | undefined): number {
  return stretch?.landings.length ?? 0;
}

function join(first: Stretch, second: Stretch, beforeLength: number): Stretch {
  const moved = first.landings.map((landing) => landing.map((offset) => offsetAfter(second.splices, offset)));
  const splices = composeSplices({
    first: first.splices,
    second: second.splices,
    beforeLength,
    middleLength: first.length,
    afterLength: second.length,
  });
  return { splices, length: second.length, landings: [...moved, ...second.landings] };
}
