/**
 * Owns the facts of the refusals about commitments.
 * Leaves the list of all refusals to refusal.ts, the wording to toolset/phrase.ts. Types alone.
 */
import type { InputProblem } from "./refusal.ts";

export interface CommitmentRefusalFacts {
  /** There is no such commitment. */
  "commitment-unknown": { readonly id: string; readonly nearest: readonly string[] };
  /** The beginning of more than one id. */
  "commitment-ambiguous": {
    readonly id: string;
    readonly candidates: readonly { readonly id: string; readonly objective: string }[];
  };
  "commitment-exists": { readonly id: string };
  /** What a host says of a commitment, or of an event of one, cannot be taken. */
  "commitment-invalid": { readonly problems: readonly InputProblem[] };
  /** The event may not happen in the phase that it is in. */
  "commitment-transition": {
    readonly id: string;
    readonly event: string;
    readonly phase: string;
    /** What may happen in that phase. */
    readonly possible: readonly string[];
    /** Where it is not the phase that forbids it: `no episode is running`. */
    readonly why?: string;
  };
  /** It may not be closed as fulfilled. */
  "commitment-unproven": {
    readonly id: string;
    /** The strength that was asked for. */
    readonly asked: string;
    /** What is missing, a sentence each. */
    readonly lacking: readonly string[];
  };
  /** It has no such criterion, or one that is proven otherwise. */
  "commitment-criterion": {
    readonly id: string;
    readonly criterion: string;
    /** The kind of the one that is there. */
    readonly kind?: string;
    /** Those that would do. */
    readonly criteria: readonly string[];
  };
  /** The question was never asked, or has its answer. */
  "commitment-question": {
    readonly id: string;
    readonly question: string;
    readonly isAnswered: boolean;
    readonly open: readonly string[];
  };
}
