/**
 * Owns the type of what a host may do with commitments.
 * Leaves doing it to open-commitments.ts. Rule: every id may be the beginning of one; what may not happen rejects with
 * a `RefusalError`, whose refusal has the code and facts, and nothing was appended then.
 */
import type { CheckResult, CommitmentEvent, EpisodeOutcome, Verdict, Wait } from "../contract/commitment.ts";
import type { CommitmentReader, CommitmentView } from "../contract/commitment-view.ts";
import type { CommitmentInput } from "./terms.ts";

/** What a host says that a commitment waits for. A question gets an id where it is given none. */
export type WaitInput =
  | { readonly kind: "question"; readonly text: string; readonly question?: string }
  | Exclude<Wait, { kind: "question" }>;

/** What came out for one criterion. */
export interface CriterionReport {
  /** Its id. */
  readonly criterion: string;
  /** `unchecked`: somebody else has to prove it, and has not. */
  readonly result: CheckResult | "unchecked";
  /** Why it did not pass. */
  readonly why?: string;
  /** What an earlier pass rested on had changed: how. */
  readonly outdated?: string;
}

/** What checking gave. */
export interface EvaluationReport {
  /** Each that was checked. */
  readonly criteria: readonly CriterionReport[];
  /** The commitment after it. */
  readonly view: CommitmentView;
}

/** What a host may do with commitments. Every verb rejects with a `RefusalError` where it is refused, which changes nothing. */
export interface Commitments extends CommitmentReader {
  /** Of every agent, all that there are. */
  listAll(request: { readonly withClosed: boolean }): ReturnType<CommitmentReader["list"]>;
  /** Counts for nothing until it is accepted. */
  propose(terms: CommitmentInput): Promise<CommitmentView>;
  /** A proposed one becomes active. */
  accept(id: string): Promise<CommitmentView>;
  /** Makes one that is active at once. */
  open(terms: CommitmentInput): Promise<CommitmentView>;
  /** A stretch of work begins. One at a time. */
  startEpisode(id: string): Promise<CommitmentView>;
  /** It ends, with what came of it; `usd` counts against the budget. */
  endEpisode(
    id: string,
    episode: { readonly outcome: EpisodeOutcome; readonly summary?: string; readonly usd?: number },
  ): Promise<CommitmentView>;
  /** It waits for a person, a time, a condition, another commitment or an operation outside. */
  suspend(id: string, on: WaitInput): Promise<CommitmentView>;
  /** It goes on. */
  resume(id: string, why?: string): Promise<CommitmentView>;
  /** It cannot go on, for a reason in words. */
  block(id: string, reason: string): Promise<CommitmentView>;
  /** It can again. */
  unblock(id: string, why?: string): Promise<CommitmentView>;
  /** Without `question`: the one that it waits on, or the only open one. */
  answer(
    id: string,
    answer: { readonly question?: string; readonly answer: string },
  ): Promise<CommitmentView>;
  /** Checks what can be checked here, all of it or the named criteria, and says which earlier passes are outdated. */
  evaluate(
    id: string,
    options?: { readonly criteria?: readonly string[]; readonly signal?: AbortSignal },
  ): Promise<EvaluationReport>;
  /** Proves a criterion of the kind `statement`. */
  assert(
    id: string,
    statement: { readonly criterion: string; readonly words: string },
  ): Promise<CommitmentView>;
  /** Proves a criterion of the kind `tool-call` by a call of this session, or by `<sessionId>/<callId>`. */
  cite(id: string, citation: { readonly criterion: string; readonly call: string }): Promise<CommitmentView>;
  /** Proves a criterion of the kind `receipt`. */
  receive(
    id: string,
    receipt: { readonly criterion: string; readonly from: string; readonly reference: string },
  ): Promise<CommitmentView>;
  /** What a person says of a criterion of the kind `attestation`: that it is so, or that it is not. */
  attest(
    id: string,
    attestation: {
      readonly criterion: string;
      readonly by: string;
      readonly words: string;
      readonly holds?: boolean;
    },
  ): Promise<CommitmentView>;
  /** Another takes its place; `by` is its id. */
  supersede(id: string, successor: { readonly by: string; readonly why?: string }): Promise<CommitmentView>;
  /** `fulfilled` is refused unless it is proven at this moment; every other verdict is accepted. */
  close(id: string, closing: { readonly verdict: Verdict; readonly why?: string }): Promise<CommitmentView>;
  /** Every event of it, in order. */
  history(id: string): Promise<readonly CommitmentEvent[]>;
}
