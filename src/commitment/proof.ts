/**
 * Owns what is proven of a commitment at this moment, and the words for what is not.
 * Leaves the rule to closure.ts, looking at files and calls to hold-evidence.ts. Rule: words say which criterion, what
 * is wrong with it, and what would prove it.
 */
import type { Criterion, Evidence } from "../contract/commitment.ts";
import type { Lack, ProofOfCriterion } from "./closure.ts";
import { type CommitmentState, getOwn } from "./project.ts";
import { STRENGTH_OF } from "./strength.ts";

export function listProofs(
  { commitment, evaluations }: CommitmentState,
  findBroken: (evidence: Evidence) => string | undefined,
): readonly ProofOfCriterion[] {
  return commitment.criteria.map(({ id, required, kind }) => {
    const evaluation = getOwn(evaluations, id);
    const isPassed = evaluation?.result === "passed";
    return {
      id,
      required,
      strength: STRENGTH_OF[kind],
      result: evaluation?.result,
      broken: isPassed && evaluation.evidence !== undefined ? findBroken(evaluation.evidence) : undefined,
    };
  });
}

export function tellLack(
  { commitment, evaluations }: CommitmentState,
  { criterion: id, why }: Lack,
  proofs: readonly ProofOfCriterion[],
): string {
  const criterion = commitment.criteria.find((one) => one.id === id);
  if (id === undefined || criterion === undefined) return "no criterion is required, so nothing proves it";
  const told = getOwn(evaluations, id)?.why;
  const because = (word: string, reason: string | undefined) =>
    `${id} ${word}${reason === undefined ? "" : ` (${reason})`}`;
  switch (why) {
    case "unchecked":
      return `${id} was never checked`;
    case "failed":
      return because("failed", told);
    case "unknown":
      return because("could not be checked", told);
    case "outdated":
      return because("is outdated", proofs.find((proof) => proof.id === id)?.broken ?? told);
    default:
      return `${id} has passed and is only ${STRENGTH_OF[criterion.kind]}`;
  }
}

/** What would prove it, as the end of "it needs …". */
export function tellProof(criterion: Criterion): string {
  switch (criterion.kind) {
    case "statement":
      return "somebody to state it";
    case "tool-call":
      return criterion.tool === undefined
        ? "a call in the ledger that came out well, to be cited"
        : `a call of ${criterion.tool} in the ledger that came out well, to be cited`;
    case "file-exists":
      return `the file ${criterion.path}`;
    case "file-contains":
      return `the file ${criterion.path} to contain ${JSON.stringify(criterion.text ?? criterion.pattern)}`;
    case "shell":
      return `exit code 0 of ${criterion.command}`;
    case "receipt":
      return criterion.from === undefined ? "a receipt from outside" : `a receipt from ${criterion.from}`;
    case "attestation":
      return criterion.by === undefined ? "a person to attest it" : `${criterion.by} to attest it`;
  }
}
