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

/** A criterion and where it stands. */
export interface CriterionView {
  /** Its terms. */
  readonly criterion: Criterion;
  /** `unknown` is a check that could not run; `outdated` a pass whose evidence has changed. */
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

/** What can hold a commitment. */
export type HoldKind = "question" | "suspended" | "blocked" | "stalled" | "budget" | "expired";

/** Why it does not go on by itself. */
export interface HoldView {
  /** What holds it. */
  readonly kind: HoldKind;
  /** One sentence. */
  readonly why: string;
}

/** What makes a commitment urgent. */
export type UrgencyFactor = "pinned" | "deadline" | "stakes" | "waiting" | "idle";

/** How urgent it is, and why. */
export interface UrgencyView {
  /** The sum; more is more urgent. */
  readonly points: number;
  /** What it is the sum of. */
  readonly reasons: readonly {
    /** Which. */
    readonly factor: UrgencyFactor;
    readonly points: number;
    /** One sentence. */
    readonly why: string;
  }[];
}

/** A question to a person. */
export interface QuestionView {
  /** By which it is answered. */
  readonly id: string;
  /** As it was asked. */
  readonly text: string;
  /** Absent while it is open. */
  readonly answer?: string;
}

/** How it was closed. */
export interface ClosingView {
  /** What was said of it. */
  readonly verdict: Verdict;
  /** In words. */
  readonly why?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Who closed it. */
  readonly actor: string;
  /** The id of the one that took its place. */
  readonly by?: string;
}

/** A commitment with all that follows from its events. */
export interface CommitmentView {
  /** Its terms. */
  readonly commitment: Commitment;
  /** The shortest prefix of its id that no other has, at least 8 characters. */
  readonly shortId: string;
  /** Whose it is. */
  readonly agentId: string;
  /** Where it stands. */
  readonly phase: Phase;
  /** In the order of the terms. */
  readonly criteria: readonly CriterionView[];
  /** Why it does not go on by itself; empty where it does. */
  readonly holds: readonly HoldView[];
  /** How urgent it is, and why. */
  readonly urgency: UrgencyView;
  /** All that were asked, answered ones too. */
  readonly questions: readonly QuestionView[];
  /** Present while it is suspended. */
  readonly waitsFor?: Wait;
  /** In words; present while it is blocked. */
  readonly blockedBy?: string;
  /** The work so far. */
  readonly episodes: {
    /** How many have ended. */
    readonly ended: number;
    /** Whether one is running. */
    readonly isRunning: boolean;
    /** How many in a row, the last included. */
    readonly withoutProgress: number;
    /** US dollars, as reported. */
    readonly usd: number;
    /** The last that ended. */
    readonly last?: {
      /** What came of it. */
      readonly outcome: EpisodeOutcome;
      /** In words, where there are any. */
      readonly summary?: string;
    };
  };
  /** What keeps it from closing as fulfilled, a sentence each; empty where nothing does. */
  readonly lacking: readonly string[];
  /** Present once it is closed. */
  readonly closing?: ClosingView;
}

/** The commitments of an agent, or of all. */
export interface CommitmentList {
  /** Not closed, proposals included: the held ones first, then by urgency. */
  readonly open: readonly CommitmentView[];
  /** The latest first; empty where they were not asked for. */
  readonly closed: readonly CommitmentView[];
  /** How many are closed, asked for or not. */
  readonly closedTotal: number;
}

/** An id that is not one commitment's. */
export type IdProblem =
  | { readonly kind: "unknown"; readonly nearest: readonly string[] }
  | {
      readonly kind: "ambiguous";
      readonly candidates: readonly { readonly id: string; readonly objective: string }[];
    };

/** A commitment by its id, or what is wrong with the id. */
export type FoundCommitment = { readonly kind: "found"; readonly view: CommitmentView } | IdProblem;

/** What the tool may see: those of its own agent in the list, any by its id. */
export interface CommitmentReader {
  /** The open ones, and with `withClosed` the closed ones. */
  list(request: { readonly withClosed: boolean }): Promise<CommitmentList>;
  /** By an id or by the beginning of one. */
  find(id: string): Promise<FoundCommitment>;
}
