/**
 * Owns the rule of closing: when `fulfilled` may be said.
 * Leaves looking whether evidence still holds to hold-evidence.ts. Rule: every required criterion has passed, what
 * each pass rests on is as it was, and the weakest reaches the strength that was asked for. Nothing at all proves
 * nothing: without a required criterion it never closes so.
 */
import type { CheckResult, Strength } from "../contract/commitment.ts";
import { reachesStrength } from "./strength.ts";

/** A criterion as the rule sees it. */
export interface ProofOfCriterion {
  readonly id: string;
  readonly required: boolean;
  /** What a pass of its kind is worth. */
  readonly strength: Strength;
  /** Undefined where it was never evaluated. */
  readonly result: CheckResult | undefined;
  /** Why what a pass rests on does not hold any more; absent where it holds. */
  readonly broken?: string | undefined;
}

export interface Lack {
  /** Absent where there is no required criterion at all. */
  readonly criterion?: string;
  readonly why: "none-required" | "unchecked" | "failed" | "unknown" | "outdated" | "too-weak";
}

/** What keeps it from being fulfilled; empty where nothing does. */
export function findLacks(asked: Strength, proofs: readonly ProofOfCriterion[]): readonly Lack[] {
  const required = proofs.filter((proof) => proof.required);
  if (required.length === 0) return [{ why: "none-required" }];
  return required.flatMap((proof) => {
    const why = findLack(asked, proof);
    return why === undefined ? [] : [{ criterion: proof.id, why }];
  });
}

function findLack(asked: Strength, proof: ProofOfCriterion): Lack["why"] | undefined {
  if (proof.result === undefined) return "unchecked";
  if (proof.result !== "passed") return proof.result;
  if (proof.broken !== undefined) return "outdated";
  return reachesStrength(proof.strength, asked) ? undefined : "too-weak";
}
