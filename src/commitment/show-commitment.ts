/**
 * Owns the view of a commitment: its state with all that follows from it at this moment.
 * Leaves the words of a text to the surfaces. Rule: the same state at the same time gives the same view; nothing that
 * is shown is kept.
 */
import type { Criterion, Evidence } from "../contract/commitment.ts";
import type { CommitmentView, CriterionView } from "../contract/commitment-view.ts";
import { findLacks } from "./closure.ts";
import { listHolds } from "./holds.ts";
import { type CommitmentState, getOwn, type Projection, showInstant } from "./project.ts";
import { listProofs, tellLack, tellProof } from "./proof.ts";
import { reachesStrength, STRENGTH_OF } from "./strength.ts";
import { rateUrgency } from "./urgency.ts";

export interface Showing {
  readonly projection: Projection;
  readonly shortIds: ReadonlyMap<string, string>;
  /** How many open ones wait for one. */
  readonly waiters: ReadonlyMap<string, number>;
  readonly findBroken: (evidence: Evidence) => string | undefined;
  readonly nowMs: number;
}

export function countWaiters(projection: Projection): ReadonlyMap<string, number> {
  const waiters = new Map<string, number>();
  for (const { waitsFor, phase } of projection.values())
    if (waitsFor?.kind === "commitment" && phase !== "closed")
      waiters.set(waitsFor.id, (waiters.get(waitsFor.id) ?? 0) + 1);
  return waiters;
}

export function showCommitment(state: CommitmentState, showing: Showing): CommitmentView {
  const { projection, shortIds, waiters, nowMs } = showing;
  const { commitment, phase, closing, episodes, waitsFor, blockedBy } = state;
  const shorten = (id: string) => shortIds.get(id) ?? id;
  // How a closed one closed is history: what became of its files since changes nothing.
  const findBroken = phase === "closed" ? () => undefined : showing.findBroken;
  const proofs = listProofs(state, findBroken);
  const brokenOf = new Map(proofs.map(({ id, broken }) => [id, broken]));
  const lacks = phase === "closed" ? [] : findLacks(commitment.evidence, proofs);
  return {
    commitment,
    shortId: shorten(commitment.id),
    agentId: state.agentId,
    phase,
    criteria: commitment.criteria.map((one) => showCriterion(state, one, brokenOf.get(one.id))),
    holds: listHolds({ state, nowMs, tell: (id) => tellOther(projection.get(id), shorten(id)) }),
    urgency: rateUrgency({
      pinned: commitment.pinned,
      deadline: commitment.deadline,
      stakes: commitment.stakes,
      waiters: waiters.get(commitment.id) ?? 0,
      hasNews: state.hasNews,
      lastAtMs: state.lastAtMs,
      nowMs,
    }),
    questions: state.questions.map(({ id, text, answer }) =>
      answer === undefined ? { id, text } : { id, text, answer },
    ),
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(blockedBy === undefined ? {} : { blockedBy }),
    episodes: {
      ended: episodes.ended,
      isRunning: episodes.isRunning,
      withoutProgress: episodes.withoutProgress,
      usd: episodes.usd,
      ...(episodes.last === undefined ? {} : { last: episodes.last }),
    },
    lacking: lacks.map((lack) => tellLack(state, lack, proofs)),
    ...(closing === undefined ? {} : { closing: showClosing(closing) }),
  };
}

function showClosing({ verdict, why, atMs, actor, by }: NonNullable<CommitmentState["closing"]>) {
  return {
    verdict,
    at: showInstant(atMs),
    actor,
    ...(why === undefined ? {} : { why }),
    ...(by === undefined ? {} : { by }),
  };
}

function tellOther(other: CommitmentState | undefined, shortId: string): string {
  if (other === undefined) return shortId;
  const became = other.closing === undefined ? "" : `, which is closed as ${other.closing.verdict}`;
  return `${shortId} (${other.commitment.objective})${became}`;
}

function showCriterion(
  { commitment, evaluations, phase }: CommitmentState,
  criterion: Criterion,
  broken: string | undefined,
): CriterionView {
  const evaluation = getOwn(evaluations, criterion.id);
  const state =
    evaluation === undefined ? "unchecked" : broken === undefined ? evaluation.result : "outdated";
  const strength = STRENGTH_OF[criterion.kind];
  const why = broken ?? evaluation?.why;
  const needs =
    phase === "closed"
      ? undefined
      : state !== "passed"
        ? tellProof(criterion)
        : reachesStrength(strength, commitment.evidence) || !criterion.required
          ? undefined
          : `more than it can give: its proof is ${strength}, and ${commitment.evidence} is asked for`;
  return {
    criterion,
    state,
    strength,
    ...(why === undefined ? {} : { why }),
    ...(evaluation?.evidence === undefined ? {} : { evidence: evaluation.evidence }),
    ...(needs === undefined ? {} : { needs }),
  };
}
