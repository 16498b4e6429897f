/**
 * Owns what a pass is worth, and whether that is enough.
 * Leaves whether there is a pass to closure.ts. Rule: strengths stand in one line, as STRENGTHS lists them; a chain of
 * passes is worth what its weakest is, and of none it is nothing.
 */
import { type CriterionKind, STRENGTHS, type Strength } from "../contract/commitment.ts";

export const STRENGTH_OF: Readonly<Record<CriterionKind, Strength>> = {
  statement: "asserted",
  "tool-call": "cited",
  "file-exists": "observed",
  "file-contains": "observed",
  shell: "observed",
  receipt: "attested",
  attestation: "attested",
};

export function reachesStrength(has: Strength, asked: Strength): boolean {
  return STRENGTHS.indexOf(has) >= STRENGTHS.indexOf(asked);
}

export function findWeakest(strengths: readonly Strength[]): Strength | undefined {
  return STRENGTHS.find((strength) => strengths.includes(strength));
}
