/**
 * Owns evaluating a commitment: every criterion that can be checked here, one after another.
 * Leaves a single check to check-criterion.ts. Rule: first it is told what of earlier passes is outdated, and by what;
 * then it is checked anew. Each result is appended by itself: what was found stays found, however the rest ends.
 */
import { refuse } from "../contract/refusal.ts";
import { checkCriterion } from "./check-criterion.ts";
import type { CriterionReport, EvaluationReport } from "./commitments.ts";
import type { Kernel } from "./kernel.ts";
import { type CommitmentState, getOwn } from "./project.ts";
import { raise } from "./refuse-verb.ts";
import { findNextPhase, listPossible } from "./transitions.ts";

export interface EvaluateOptions {
  readonly criteria?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function evaluateCriteria(
  kernel: Kernel,
  asked: string,
  { criteria, signal }: EvaluateOptions,
): Promise<EvaluationReport> {
  const state = kernel.get(asked);
  const { commitment, phase } = state;
  const { id } = commitment;
  if (findNextPhase(phase, "criterion-unknown") === undefined)
    throw raise(
      refuse("commitment-transition", {
        id,
        event: "criterion-evaluated",
        phase,
        possible: listPossible(phase),
      }),
    );
  const reports: CriterionReport[] = [];
  for (const criterion of chooseCriteria(state, criteria)) {
    signal?.throwIfAborted();
    reports.push(await evaluateOne(kernel, { id, criterion, signal }));
  }
  return { criteria: reports, view: kernel.view(id) };
}

function chooseCriteria({ commitment }: CommitmentState, wanted: readonly string[] | undefined) {
  const unknown = wanted?.find((id) => !commitment.criteria.some((one) => one.id === id));
  if (unknown !== undefined)
    throw raise(
      refuse("commitment-criterion", {
        id: commitment.id,
        criterion: unknown,
        criteria: commitment.criteria.map((one) => one.id),
      }),
    );
  return commitment.criteria.filter((one) => wanted === undefined || wanted.includes(one.id));
}

interface One {
  readonly id: string;
  readonly criterion: CommitmentState["commitment"]["criteria"][number];
  readonly signal: AbortSignal | undefined;
}

async function evaluateOne(kernel: Kernel, { id, criterion, signal }: One): Promise<CriterionReport> {
  const before = getOwn(kernel.get(id).evaluations, criterion.id);
  const outdated =
    before?.result === "passed" && before.evidence !== undefined
      ? kernel.tellBroken(before.evidence)
      : undefined;
  if (outdated !== undefined)
    kernel.act(id, () => ({
      kind: "criterion-evaluated",
      criterion: criterion.id,
      result: "outdated",
      why: outdated,
    }));
  const outcome = await checkCriterion(criterion, kernel.request.ports, signal);
  if (outcome !== undefined) kernel.settle(id, criterion.id, outcome);
  const after = getOwn(kernel.get(id).evaluations, criterion.id);
  return {
    criterion: criterion.id,
    result: after?.result ?? "unchecked",
    ...(after?.why === undefined ? {} : { why: after.why }),
    ...(outdated === undefined ? {} : { outdated }),
  };
}
