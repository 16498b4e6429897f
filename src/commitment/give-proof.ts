/**
 * Owns proofs that the runtime cannot find by itself: a statement, a cited call, a receipt, a person's word.
 * Leaves their strengths to strength.ts. Rule: each only for criteria of its own kind; a citation is looked up, and
 * what is not in the ledger proves nothing.
 */
import type { Criterion, CriterionKind, Evidence } from "../contract/commitment.ts";
import { refuse } from "../contract/refusal.ts";
import { type Outcome, settle } from "./check-criterion.ts";
import type { Commitments } from "./commitments.ts";
import type { EvidencePorts } from "./hold-evidence.ts";
import type { Kernel } from "./kernel.ts";
import type { CommitmentState } from "./project.ts";
import { raise, requireText } from "./refuse-verb.ts";

export function proofVerbs(kernel: Kernel): Pick<Commitments, "assert" | "cite" | "receive" | "attest"> {
  const { request } = kernel;
  const prove = (id: string, criterion: Criterion, outcome: Outcome) =>
    kernel.settle(id, criterion.id, settle(criterion, request.ports, outcome));
  return {
    async assert(id, { criterion, words }) {
      const of = getCriterion(kernel.get(id), criterion, "statement");
      return prove(id, of, pass({ by: request.actor, words: requireText("words", words) }));
    },
    async cite(id, { criterion, call }) {
      const of = getCriterion(kernel.get(id), criterion, "tool-call");
      const asked = requireText("call", call);
      const full =
        asked.includes("/") || request.sessionId === undefined ? asked : `${request.sessionId}/${asked}`;
      return prove(id, of, judgeCall(of, full, request.ports));
    },
    async receive(id, { criterion, from, reference }) {
      const of = getCriterion(kernel.get(id), criterion, "receipt");
      const by = requireText("from", from);
      const words = requireText("reference", reference);
      return prove(id, of, judgeSource(of.from, by) ?? pass({ by, words }));
    },
    async attest(id, { criterion, by: person, words: said, holds = true }) {
      const of = getCriterion(kernel.get(id), criterion, "attestation");
      const by = requireText("by", person);
      const words = requireText("words", said);
      const wrong = judgeSource(of.by, by);
      return prove(
        id,
        of,
        wrong ?? (holds ? pass({ by, words }) : { result: "failed", why: `${by}: ${words}` }),
      );
    },
  };
}

function pass(evidence: Omit<Evidence, "paths">): Outcome {
  return { result: "passed", evidence: { paths: [], ...evidence } };
}

/** Somebody else than who was asked for says nothing about it. */
function judgeSource(asked: string | undefined, by: string): Outcome | undefined {
  return asked === undefined || asked === by
    ? undefined
    : { result: "unknown", why: `it is for ${asked} to say, and ${by} said it` };
}

type Of<K extends CriterionKind> = Extract<Criterion, { kind: K }>;

function getCriterion<K extends CriterionKind>({ commitment }: CommitmentState, id: string, kind: K): Of<K> {
  const found = commitment.criteria.find((one) => one.id === id);
  if (found?.kind === kind) return found as Of<K>;
  throw raise(
    refuse("commitment-criterion", {
      id: commitment.id,
      criterion: String(id),
      ...(found === undefined ? {} : { kind: found.kind }),
      criteria: commitment.criteria
        .filter((one) => found === undefined || one.kind === kind)
        .map((one) => one.id),
    }),
  );
}

function judgeCall({ tool }: Of<"tool-call">, call: string, { findCall }: EvidencePorts): Outcome {
  const found = findCall(call);
  if (found === undefined) return { result: "unknown", why: `there is no call ${call} in the ledger` };
  if (found.state === "running" || found.state === "interrupted")
    return { result: "unknown", why: `the call ${call} has not ended` };
  if (tool !== undefined && found.tool !== tool)
    return {
      result: "failed",
      why: `the call ${call} is one of ${found.tool}, and one of ${tool} is asked for`,
    };
  return found.state === "refused"
    ? { result: "failed", why: `the call ${call} did not come out well` }
    : pass({ call });
}
