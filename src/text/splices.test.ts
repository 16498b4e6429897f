import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeSplices, keptOf, offsetBefore, type Splice } from "./splices.ts";

/** Random splices of a text, with the text after. */
function arbitrarySplices(before: string): fc.Arbitrary<{ splices: Splice[]; after: string }> {
  const cuts = fc
    .uniqueArray(fc.nat(before.length), { maxLength: 6 })
    .map((list) => list.sort((a, b) => a - b));
  return fc
    .tuple(cuts, fc.array(fc.string({ maxLength: 3 }), { minLength: 3, maxLength: 3 }))
    .map(([at, texts]) => {
      const splices: Splice[] = [];
      let after = "";
      let from = 0;
      for (let index = 0; index + 1 < at.length; index += 2) {
        const [start = 0, end = 0] = [at[index], at[index + 1]];
        after += before.slice(from, start);
        const text = texts[index / 2] ?? "";
        splices.push({ start, end, newStart: after.length, newEnd: after.length + text.length });
        after += text;
        from = end;
      }
      return { splices, after: after + before.slice(from) };
    });
}

const twoSteps = fc
  .string({ maxLength: 30 })
  .chain((before) => arbitrarySplices(before).map((first) => ({ before, first })))
  .chain((step) => arbitrarySplices(step.first.after).map((second) => ({ ...step, second })));

describe("splices", () => {
  it("keep stretches that hold the same text before and after", () => {
    fc.assert(
      fc.property(twoSteps, ({ before, first }) => {
        for (const kept of keptOf(first.splices, first.after.length)) {
          expect(first.after.slice(kept.after, kept.after + kept.length)).toBe(
            before.slice(kept.before, kept.before + kept.length),
          );
        }
      }),
    );
  });

  it("composed are one list that leads from the first text to the last", () => {
    fc.assert(
      fc.property(twoSteps, ({ before, first, second }) => {
        const composed = composeSplices({
          first: first.splices,
          second: second.splices,
          beforeLength: before.length,
          middleLength: first.after.length,
          afterLength: second.after.length,
        });
        let rebuilt = "";
        let from = 0;
        for (const splice of composed) {
          expect(splice.start).toBeGreaterThanOrEqual(from);
          rebuilt += before.slice(from, splice.start) + second.after.slice(splice.newStart, splice.newEnd);
          from = splice.end;
        }
        expect(rebuilt + before.slice(from)).toBe(second.after);
      }),
    );
  });

  it("map an offset inside new text to where that text was put", () => {
    const splices = [{ start: 2, end: 4, newStart: 2, newEnd: 7 }];
    expect([1, 2, 6, 7, 9].map((offset) => offsetBefore(splices, offset))).toEqual([1, 2, 2, 4, 6]);
  });
});
