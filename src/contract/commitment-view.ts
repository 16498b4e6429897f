/**
 * Owns the view of commitments that the tool `commitments`, people and hosts are given.
 * Leaves making it to commitment/. Rule: it can only be looked at: there is no verb here that writes, so that a tool,
 * which gets this and nothing else, cannot have one.
 */
import type {
  Commitment,
  Criterion,
  EpisodeOutcome,
  Evidence,
  Phase,
  Strength,
  Verdict,
  Wait,
} from "./commitment.ts";

export interface CriterionView {
  readonly criterion: Criterion;
  readonly state: "unchecked" | "passed" | "failed" | "unknown" | "outdated";
  /** What a pass of its kind is worth. */
  readonly strength: Strength;
  /** Why it failed, is unknown, or is outdated. */
  readonly why?: string;
  /** What the pass rests on, or rested on. */
  readonly evidence?: Evidence;
  /** What it needs before it counts; absent where it counts. */
  readonly needs?: string;
}

export type HoldKind = "question" | "suspended" | "blocked" | "stalled" | "budget" | "expired";

/** Why it does not go on by itself. */
export interface HoldView {
  readonly kind: HoldKind;
  readonly why: string;
}

export type UrgencyFactor = "pinned" | "deadline" | "stakes" | "waiting" | "idle";

export interface UrgencyView {
  readonly points: number;
  readonly reasons: readonly {
    readonly factor: UrgencyFactor;
    readonly points: number;
    readonly why: string;
  }[];
}

export interface QuestionView {
  readonly id: string;
  readonly text: string;
  readonly answer?: string;
}

export interface ClosingView {
  readonly verdict: Verdict;
  readonly why?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly actor: string;
  /** The id of the one that took its place. */
  readonly by?: string;
}

export interface CommitmentView {
  readonly commitment: Commitment;
  /** The shortest prefix of its id that no other has, at least 8 characters. */
  readonly shortId: string;
  readonly agentId: string;
  readonly phase: Phase;
  readonly criteria: readonly CriterionView[];
  readonly holds: readonly HoldView[];
  readonly urgency: UrgencyView;
  readonly questions: readonly QuestionView[];
  readonly waitsFor?: Wait;
  readonly blockedBy?: string;
  readonly episodes: {
    readonly ended: number;
    readonly isRunning: boolean;
    readonly withoutProgress: number;
    readonly usd: number;
    readonly last?: { readonly outcome: EpisodeOutcome; readonly summary?: string };
  };
  /** What keeps it from closing as fulfilled, a sentence each; empty where nothing does. */
  readonly lacking: readonly string[];
  readonly closing?: ClosingView;
}

export interface CommitmentList {
  /** Not closed, proposals included: the held ones first, then by urgency. */
  readonly open: readonly CommitmentView[];
  /** The latest first; empty where they were not asked for. */
  readonly closed: readonly CommitmentView[];
  readonly closedTotal: number;
}

/** An id that is not one commitment's. */
export type IdProblem =
  | { readonly kind: "unknown"; readonly nearest: readonly string[] }
  | {
      readonly kind: "ambiguous";
      readonly candidates: readonly { readonly id: string; readonly objective: string }[];
    };

export type FoundCommitment = { readonly kind: "found"; readonly view: CommitmentView } | IdProblem;

/** What the tool may see: those of its own agent in the list, any by its id. */
export interface CommitmentReader {
  list(request: { readonly withClosed: boolean }): Promise<CommitmentList>;
  /** By an id or by the beginning of one. */
  find(id: string): Promise<FoundCommitment>;
}
