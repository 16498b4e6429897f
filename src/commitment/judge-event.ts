/**
 * Owns whether an event may be appended.
 * Leaves the phases to transitions.ts and proof to closure.ts. Rule: judged against everything that is in the log, in
 * the transaction that appends; a refusal says what would work instead.
 */
import type { Evidence, Happening } from "../contract/commitment.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { findLacks } from "./closure.ts";
import { type CommitmentState, findAwaited, type Projection } from "./project.ts";
import { listProofs, tellLack } from "./proof.ts";
import { findNextPhase, findTrigger, listPossible } from "./transitions.ts";

export interface Judging {
  readonly projection: Projection;
  readonly id: string;
  readonly happening: Happening;
  /** Why what a pass rests on does not hold any more; undefined where it holds. Looks at the present moment. */
  readonly findBroken: (evidence: Evidence) => string | undefined;
}

export function judgeEvent(judging: Judging): Refusal | undefined {
  const { projection, id, happening } = judging;
  const state = projection.get(id);
  if (state === undefined) return judgeFirst(id, happening);
  if (happening.kind === "proposed" || (happening.kind === "opened" && happening.terms !== undefined))
    return refuse("commitment-exists", { id });
  const trigger = findTrigger(happening, findAwaited(state));
  if (findNextPhase(state.phase, trigger) === undefined)
    return refuseTransition(state, happening, explainPhase(state, happening));
  return judgeParts(judging, state);
}

function judgeFirst(id: string, happening: Happening): Refusal | undefined {
  const isFirst =
    happening.kind === "proposed" || (happening.kind === "opened" && happening.terms !== undefined);
  return isFirst ? undefined : refuse("commitment-unknown", { id, nearest: [] });
}

function refuseTransition(state: CommitmentState, happening: Happening, why?: string): Refusal {
  return refuse("commitment-transition", {
    id: state.commitment.id,
    event: happening.kind,
    phase: state.phase,
    possible: listPossible(state.phase),
    ...(why === undefined ? {} : { why }),
  });
}

/** Why, where the phase alone does not tell what to do. */
function explainPhase({ phase }: CommitmentState, { kind }: Happening): string | undefined {
  return phase === "satisfying" && (kind === "suspended" || kind === "blocked")
    ? "it is satisfying, and only what fails or goes out of date makes it active again"
    : undefined;
}

/** What the phase allows and the commitment does not. */
function judgeParts(judging: Judging, state: CommitmentState): Refusal | undefined {
  const { happening, projection } = judging;
  const { id, criteria } = state.commitment;
  switch (happening.kind) {
    case "episode-started":
      return state.episodes.isRunning
        ? refuseTransition(state, happening, "an episode of it is running")
        : undefined;
    case "episode-ended":
      return state.episodes.isRunning
        ? undefined
        : refuseTransition(state, happening, "no episode of it is running");
    case "suspended":
      return judgeWait(state, happening, projection);
    case "criterion-evaluated":
      return criteria.some((one) => one.id === happening.criterion)
        ? undefined
        : refuse("commitment-criterion", {
            id,
            criterion: happening.criterion,
            criteria: criteria.map((one) => one.id),
          });
    case "question-answered":
      return judgeAnswer(state, happening.question);
    case "superseded":
      return judgeSuccessor(state, happening, projection);
    case "closed":
      return happening.verdict === "fulfilled" ? judgeFulfilled(state, judging) : undefined;
    default:
      return undefined;
  }
}

function judgeWait(
  state: CommitmentState,
  happening: Extract<Happening, { kind: "suspended" }>,
  projection: Projection,
): Refusal | undefined {
  const { on } = happening;
  if (on.kind === "question" && state.questions.some(({ id }) => id === on.question))
    return refuse("commitment-invalid", {
      problems: [{ path: "on.question", message: `${on.question} has been asked already` }],
    });
  if (on.kind !== "commitment") return undefined;
  const awaited = projection.get(on.id);
  if (awaited === undefined) return refuse("commitment-unknown", { id: on.id, nearest: [] });
  const problem =
    awaited.phase === "closed"
      ? `${on.id} is closed: there is nothing to wait for`
      : waitsFor(projection, on.id, state.commitment.id)
        ? `${on.id} waits for this one itself`
        : undefined;
  return problem === undefined
    ? undefined
    : refuse("commitment-invalid", { problems: [{ path: "on.id", message: problem }] });
}

/** Whether one commitment waits for another, by whatever way; itself included. */
function waitsFor(projection: Projection, from: string, to: string): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = from; at !== undefined && !seen.has(at); ) {
    if (at === to) return true;
    seen.add(at);
    const wait: CommitmentState["waitsFor"] = projection.get(at)?.waitsFor;
    at = wait?.kind === "commitment" ? wait.id : undefined;
  }
  return false;
}

function judgeAnswer({ commitment, questions }: CommitmentState, question: string): Refusal | undefined {
  const asked = questions.find(({ id }) => id === question);
  if (asked !== undefined && asked.answer === undefined) return undefined;
  const open = questions.filter(({ answer }) => answer === undefined).map(({ id }) => id);
  return refuse("commitment-question", {
    id: commitment.id,
    question,
    isAnswered: asked !== undefined,
    open,
  });
}

function judgeSuccessor(
  state: CommitmentState,
  { by }: Extract<Happening, { kind: "superseded" }>,
  projection: Projection,
): Refusal | undefined {
  const successor = projection.get(by);
  if (successor === undefined) return refuse("commitment-unknown", { id: by, nearest: [] });
  const problem =
    by === state.commitment.id
      ? "is the commitment itself"
      : successor.phase === "closed"
        ? `${by} is closed, and takes nothing over`
        : undefined;
  return problem === undefined
    ? undefined
    : refuse("commitment-invalid", { problems: [{ path: "by", message: problem }] });
}

function judgeFulfilled(state: CommitmentState, { findBroken }: Judging): Refusal | undefined {
  const { id, evidence } = state.commitment;
  const proofs = listProofs(state, findBroken);
  const lacks = findLacks(evidence, proofs);
  if (lacks.length === 0) return undefined;
  return refuse("commitment-unproven", {
    id,
    asked: evidence,
    lacking: lacks.map((lack) => tellLack(state, lack, proofs)),
  });
}
