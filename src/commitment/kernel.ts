/**
 * Owns what every verb is made of: finding a commitment, appending one event to it, viewing it.
 * Leaves the verbs to their files and judging to judge-event.ts. Rule: what is looked at before is looked at again
 * inside the transaction that appends; what cannot be done throws, and nothing was appended.
 */
import type { CommitmentLog, Evidence, Happening } from "../contract/commitment.ts";
import type { CommitmentView, IdProblem } from "../contract/commitment-view.ts";
import { refuse } from "../contract/refusal.ts";
import type { CheckPorts, Outcome } from "./check-criterion.ts";
import { openEventStore } from "./event-store.ts";
import { findBroken, type Sighting } from "./hold-evidence.ts";
import { judgeEvent } from "./judge-event.ts";
import type { CommitmentState, Projection } from "./project.ts";
import { raise } from "./refuse-verb.ts";
import { resolveId, shortenIds } from "./short-ids.ts";
import { countWaiters, type Showing, showCommitment } from "./show-commitment.ts";

export interface CommitmentsRequest {
  readonly log: CommitmentLog;
  /** Real path. */
  readonly root: string;
  /** Whether other roots keep theirs in the same log: then only those of this root are seen. */
  readonly isShared: boolean;
  readonly agentId: string;
  /** Who acts, as history names it. */
  readonly actor: string;
  /** Of calls that are cited without naming one. */
  readonly sessionId?: string | undefined;
  readonly ports: CheckPorts;
  /** As `ports.look`, for views: may remember what has not changed. */
  readonly glance: CheckPorts["look"];
  readonly now?: () => number;
}

export interface Kernel {
  readonly request: CommitmentsRequest;
  /** The states that this host may see, as they are now. */
  readonly states: () => Projection;
  readonly resolve: (asked: string) => { readonly id: string } | IdProblem;
  /** The state of one by the beginning of its id, as it is now. */
  readonly get: (asked: string) => CommitmentState;
  /** Appends what `make` gives, made and judged inside the transaction. */
  readonly act: (asked: string, make: (state: CommitmentState) => Happening) => CommitmentView;
  /** Appends what came out of a check. */
  readonly settle: (asked: string, criterion: string, outcome: Outcome) => CommitmentView;
  /** Why what a pass rests on does not hold; looks at the present moment. */
  readonly tellBroken: (evidence: Evidence) => string | undefined;
  readonly append: (id: string, make: (state: CommitmentState | undefined) => Happening) => void;
  readonly view: (id: string) => CommitmentView;
  readonly viewAll: (states: readonly CommitmentState[]) => readonly CommitmentView[];
  readonly history: ReturnType<typeof openEventStore>["history"];
}

export function openKernel(request: CommitmentsRequest): Kernel {
  const { log, actor, ports, now = Date.now } = request;
  const store = openEventStore(log, { actor, now });
  const tellBroken = (evidence: Evidence) => findBroken(evidence, ports);
  const states = () => scopeTo(request, store.refresh());
  const get = (asked: string) => getState(states(), asked);
  const append: Kernel["append"] = (id, make) =>
    store.append((projection) => {
      const happening = make(projection.get(id));
      const refusal = judgeEvent({ projection, id, happening, findBroken: tellBroken });
      if (refusal !== undefined) throw raise(refusal);
      return [{ id, happening }];
    });
  const viewAll: Kernel["viewAll"] = (wanted) => {
    const showing = prepareShowing(request, store.refresh(), now());
    return wanted.map((state) => showCommitment(state, showing));
  };
  const view = (id: string) => {
    const [shown] = viewAll([getState(store.refresh(), id)]);
    if (shown === undefined) throw new Error("a commitment without a view");
    return shown;
  };
  const act: Kernel["act"] = (asked, make) => {
    const { id } = get(asked).commitment;
    append(id, (state) => make(state ?? get(id)));
    return view(id);
  };
  return {
    request,
    states,
    resolve: (asked) => resolveId(states(), asked),
    get,
    act,
    append,
    tellBroken,
    view,
    viewAll,
    history: store.history,
    settle: (asked, criterion, outcome) =>
      act(asked, () => ({ kind: "criterion-evaluated", criterion, ...recheck(outcome, tellBroken) })),
  };
}

function prepareShowing(request: CommitmentsRequest, projection: Projection, nowMs: number): Showing {
  const { ports, glance } = request;
  // Many rest on the same few paths: each is looked at once a view.
  const seen = new Map<string, Sighting>();
  const look = (path: string) => {
    const sighting = seen.get(path) ?? glance(path);
    seen.set(path, sighting);
    return sighting;
  };
  return {
    projection,
    shortIds: shortenIds(projection.keys()),
    waiters: countWaiters(projection),
    findBroken: (evidence) => findBroken(evidence, { findCall: ports.findCall, look }),
    nowMs,
  };
}

function scopeTo({ isShared, root }: CommitmentsRequest, projection: Projection): Projection {
  if (!isShared) return projection;
  return new Map([...projection].filter(([, state]) => state.root === root));
}

function getState(projection: Projection, asked: string): CommitmentState {
  const found = resolveId(projection, asked);
  const state = "kind" in found ? undefined : projection.get(found.id);
  if (state !== undefined) return state;
  if ("kind" in found && found.kind === "ambiguous")
    throw raise(refuse("commitment-ambiguous", { id: asked, candidates: found.candidates }));
  throw raise(refuse("commitment-unknown", { id: asked, nearest: "kind" in found ? found.nearest : [] }));
}

/** Between the look and the moment of writing the tree may have changed: then nothing was shown. */
function recheck(outcome: Outcome, tellBroken: Kernel["tellBroken"]): Outcome {
  if (outcome.result !== "passed") return outcome;
  const broken = tellBroken(outcome.evidence);
  return broken === undefined ? outcome : { result: "unknown", why: `${broken} while it was checked` };
}
