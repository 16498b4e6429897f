/**
 * Owns what a host may do with commitments, put together.
 * Leaves each verb to its file and what they share to kernel.ts. Rule: a verb is one event, or a view; one that cannot
 * be done rejects.
 */
import { randomBytes } from "node:crypto";
import type { CommitmentView, FoundCommitment } from "../contract/commitment-view.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Commitments } from "./commitments.ts";
import { evaluateCriteria } from "./evaluate.ts";
import { proofVerbs } from "./give-proof.ts";
import { type CommitmentsRequest, type Kernel, openKernel } from "./kernel.ts";
import { movingVerbs } from "./moving-verbs.ts";
import type { CommitmentState } from "./project.ts";
import { raise } from "./refuse-verb.ts";
import { readTerms } from "./terms.ts";
import { compareUrgency } from "./urgency.ts";

export function openCommitments(request: CommitmentsRequest): Commitments {
  const kernel = openKernel(request);
  const { act, get, resolve, view, history } = kernel;
  const { agentId, root } = request;
  return {
    list: async ({ withClosed }) => list(kernel, { withClosed, isWanted: (one) => one.agentId === agentId }),
    listAll: async ({ withClosed }) => list(kernel, { withClosed, isWanted: () => true }),
    async find(asked): Promise<FoundCommitment> {
      const found = resolve(asked);
      return "kind" in found ? found : { kind: "found", view: view(found.id) };
    },
    propose: async (terms) => begin(kernel, terms, "proposed"),
    open: async (terms) => begin(kernel, terms, "opened"),
    accept: async (id) => act(id, () => ({ kind: "opened", agentId, root })),
    history: async (id) => history(get(id).commitment.id),
    evaluate: async (id, options = {}) => evaluateCriteria(kernel, id, options),
    ...movingVerbs(kernel),
    ...proofVerbs(kernel),
  };
}

function begin(kernel: Kernel, input: unknown, kind: "proposed" | "opened"): CommitmentView {
  const read = readTerms(input);
  if (isRefusal(read)) throw raise(read);
  const { agentId, root } = kernel.request;
  const id = read.id ?? randomBytes(16).toString("hex");
  kernel.append(id, () => ({ kind, terms: read.terms, agentId, root }));
  return kernel.view(id);
}

function list(
  { states, viewAll }: Kernel,
  of: { readonly withClosed: boolean; readonly isWanted: (state: CommitmentState) => boolean },
) {
  const wanted = [...states().values()].filter(of.isWanted);
  const open = wanted.filter(({ phase }) => phase !== "closed");
  const closed = wanted.filter(({ phase }) => phase === "closed").sort((a, b) => b.lastSeq - a.lastSeq);
  return {
    open: [...viewAll(open)].sort(compareUrgency),
    closed: of.withClosed ? viewAll(closed) : [],
    closedTotal: closed.length,
  };
}
