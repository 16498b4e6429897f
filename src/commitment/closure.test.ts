import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLOSURE_ROWS, type Proof } from "../../test/commitments/closure-rows.ts";
import { CRITERION_KINDS, STRENGTHS, type Strength } from "../contract/commitment.ts";
import { findLacks, type ProofOfCriterion } from "./closure.ts";
import { findWeakest, reachesStrength, STRENGTH_OF } from "./strength.ts";

function proofOf([id, kind, state, optional]: Proof): ProofOfCriterion {
  return {
    id,
    required: optional === undefined,
    strength: STRENGTH_OF[kind],
    result: state === "never" ? undefined : state === "passed, changed" ? "passed" : state,
    broken: state === "passed, changed" ? "a.txt has changed" : undefined,
  };
}

describe("fulfilled", () => {
  it("is judged in at least eighty rows", () => {
    expect(CLOSURE_ROWS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(CLOSURE_ROWS.map((row) => JSON.stringify(row))).size).toBe(CLOSURE_ROWS.length);
  });

  it.each(CLOSURE_ROWS)("asking for %s, with %j, lacks %j", (asked, proofs, lacks) => {
    const found = findLacks(asked, proofs.map(proofOf));
    expect(
      found.map(({ criterion, why }) => (criterion === undefined ? why : `${criterion}: ${why}`)),
    ).toEqual(lacks);
  });

  const proof: fc.Arbitrary<ProofOfCriterion> = fc.record({
    id: fc.string({ minLength: 1 }),
    required: fc.boolean(),
    strength: fc.constantFrom(...STRENGTHS),
    result: fc.constantFrom("passed", "failed", "unknown", "outdated", undefined),
    broken: fc.constantFrom(undefined, "it has changed"),
  });

  it("is allowed exactly where every required one holds and the weakest reaches what is asked", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STRENGTHS), fc.array(proof), (asked, proofs) => {
        const required = proofs.filter((one) => one.required);
        const weakest = findWeakest(required.map(({ strength }) => strength));
        const holds = required.every(({ result, broken }) => result === "passed" && broken === undefined);
        const expected = holds && weakest !== undefined && reachesStrength(weakest, asked);
        expect(findLacks(asked, proofs).length === 0).toBe(expected);
      }),
    );
  });

  it("never becomes easier by asking for more", () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.array(proof), (one, other, proofs) => {
        const [less, more] = [STRENGTHS[Math.min(one, other)], STRENGTHS[Math.max(one, other)]];
        const lacks = (asked: Strength | undefined) => findLacks(asked ?? "asserted", proofs).length;
        expect(lacks(more)).toBeGreaterThanOrEqual(lacks(less));
      }),
    );
  });
});

describe("a strength", () => {
  it("is known of every kind of criterion", () => {
    expect(Object.fromEntries(CRITERION_KINDS.map((kind) => [kind, STRENGTH_OF[kind]]))).toEqual({
      statement: "asserted",
      "tool-call": "cited",
      "file-exists": "observed",
      "file-contains": "observed",
      shell: "observed",
      receipt: "attested",
      attestation: "attested",
    });
  });

  it("reaches itself and what is weaker, and nothing else", () => {
    const table = STRENGTHS.map((has) => STRENGTHS.map((asked) => reachesStrength(has, asked)));
    expect(table).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
      [true, true, true, true],
    ]);
  });

  it("of a chain is that of its weakest, whatever the order, and none of none", () => {
    expect(findWeakest([])).toBeUndefined();
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STRENGTHS), { minLength: 1 }), (chain) => {
        const least = Math.min(...chain.map((one) => STRENGTHS.indexOf(one)));
        expect(findWeakest(chain)).toBe(STRENGTHS[least]);
        expect(findWeakest([...chain].reverse())).toBe(findWeakest(chain));
      }),
    );
  });
});
