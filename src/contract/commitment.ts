/**
 * Owns the words about commitments: what one is, what proves it, what happens to it.
 * Leaves what follows from events to commitment/, keeping them to the ledger, and the view to commitment-view.ts.
 * Rule: types and closed lists only; a list stands once, and what is checked anywhere is checked against it.
 */

/** How much a pass is worth, weakest first. */
export const STRENGTHS = ["asserted", "cited", "observed", "attested"] as const;
/** How much a pass is worth: said so, cited a call, observed, or attested by a person or a source outside. */
export type Strength = (typeof STRENGTHS)[number];

/** What it costs if it is not kept, least first. */
export const STAKES = ["low", "normal", "high", "critical"] as const;
/** What it costs if it is not kept. */
export type Stakes = (typeof STAKES)[number];

export const PHASES = ["proposed", "active", "suspended", "blocked", "satisfying", "closed"] as const;
/** Where a commitment stands. `proposed` counts for nothing; `closed` is the end. */
export type Phase = (typeof PHASES)[number];

export const VERDICTS = [
  "fulfilled",
  "partial",
  "failed",
  "abandoned",
  "superseded",
  "expired",
  "unknown",
] as const;
/** How a commitment was closed. `fulfilled` alone has to be proven. */
export type Verdict = (typeof VERDICTS)[number];

export const CRITERION_KINDS = [
  "statement",
  "tool-call",
  "file-exists",
  "file-contains",
  "shell",
  "receipt",
  "attestation",
] as const;
export type CriterionKind = (typeof CRITERION_KINDS)[number];

/** What every kind of criterion has. */
interface CriterionTerms {
  /** Unique in its commitment: letters, digits, `_`, `-` and `.`, at most 64. */
  readonly id: string;
  /** What has to be so, in words. */
  readonly statement: string;
  /** Whether `fulfilled` needs it. */
  readonly required: boolean;
  /** Files and folders that its evidence rests on beside what it looks at itself: once one changes, it is void. */
  readonly paths?: readonly string[];
}

/** One thing that has to be so, and how it is proven. */
export type Criterion = CriterionTerms &
  (
    | { readonly kind: "statement" }
    /** Proven by a call that is in the ledger and came out well. `tool` is the bare name that it must have. */
    | { readonly kind: "tool-call"; readonly tool?: string }
    | { readonly kind: "file-exists"; readonly path: string }
    /** One of `text`, taken as it is, and `pattern`, a regular expression in the dialect of grep. */
    | {
        readonly kind: "file-contains";
        readonly path: string;
        readonly text?: string;
        readonly pattern?: string;
      }
    /** Proven by exit code 0. */
    | {
        readonly kind: "shell";
        readonly command: string;
        readonly cwd?: string;
        readonly timeoutMs?: number;
      }
    /** Something outside says so: a build server, a payment. `from` names it. */
    | { readonly kind: "receipt"; readonly from?: string }
    /** A person says so. `by` names who has to. */
    | { readonly kind: "attestation"; readonly by?: string }
  );

/** What may be spent. What is absent is not bounded. */
export interface Budget {
  /** Episodes, ended ones. */
  readonly episodes?: number;
  /** US dollars, as the host reports them. */
  readonly usd?: number;
}

/** What an agent owes, across sessions. */
export interface Commitment {
  /** Unique among all of the ledger. */
  readonly id: string;
  /** What is owed, in words. */
  readonly objective: string;
  /** The strength that the weakest required pass must reach. */
  readonly evidence: Strength;
  /** What has to be so before it is fulfilled. */
  readonly criteria: readonly Criterion[];
  /** ISO 8601, UTC. */
  readonly deadline?: string;
  /** What it costs if it is not kept. Default `"normal"`. */
  readonly stakes: Stakes;
  /** Past it, it is held. Default none. */
  readonly budget?: Budget;
  /** After so many episodes in a row without progress it is held. */
  readonly stallLimit: number;
  /** Stands first in every list. Default false. */
  readonly pinned: boolean;
  /** ISO 8601, UTC. Absent while it is only proposed. */
  readonly opened?: string;
}

/** What a commitment waits for. */
export type Wait =
  | { readonly kind: "question"; readonly question: string; readonly text: string }
  /** `until` is ISO 8601, UTC. */
  | { readonly kind: "schedule"; readonly until: string }
  | { readonly kind: "condition"; readonly text: string }
  | { readonly kind: "commitment"; readonly id: string }
  | { readonly kind: "operation"; readonly text: string };

/** `outdated`: there was a pass, and what it rested on has changed. */
export type CheckResult = "passed" | "failed" | "unknown" | "outdated";

/** A file or folder as it was when it was looked at. */
export interface SeenPath {
  /** As the criterion names it. */
  readonly path: string;
  /** Where that led, relative to the root. */
  readonly real: string;
  /** What it was. */
  readonly kind: "file" | "folder";
  /** sha-256 of the content, in hexadecimal; of a folder, of all that is in it. */
  readonly hash: string;
  /** Its length; of a folder, of all that is in it. */
  readonly bytes: number;
}

/** What a pass rests on. */
export interface Evidence {
  /** What was looked at, as it was then. */
  readonly paths: readonly SeenPath[];
  /** `<sessionId>/<callId>` of the call that was cited, or that made the check. */
  readonly call?: string;
  /** Who said so: a person, or the source of a receipt. */
  readonly by?: string;
  /** What was said, or the receipt's reference. */
  readonly words?: string;
}

export const EPISODE_OUTCOMES = ["advanced", "learned", "blocked", "stalled"] as const;
/** The first two are progress. */
export type EpisodeOutcome = (typeof EPISODE_OUTCOMES)[number];

/** What happened, without when and to which commitment. */
export type Happening =
  | {
      readonly kind: "proposed";
      readonly terms: CommitmentTerms;
      readonly agentId: string;
      readonly root: string;
    }
  /** With terms where it was not proposed before. */
  | {
      readonly kind: "opened";
      readonly terms?: CommitmentTerms;
      readonly agentId: string;
      readonly root: string;
    }
  | { readonly kind: "episode-started"; readonly sessionId?: string }
  | {
      readonly kind: "episode-ended";
      readonly outcome: EpisodeOutcome;
      readonly summary?: string;
      readonly usd?: number;
    }
  | { readonly kind: "suspended"; readonly on: Wait }
  | { readonly kind: "resumed"; readonly why?: string }
  | { readonly kind: "blocked"; readonly reason: string }
  | { readonly kind: "unblocked"; readonly why?: string }
  | {
      readonly kind: "criterion-evaluated";
      readonly criterion: string;
      readonly result: CheckResult;
      readonly why?: string;
      /** Of a pass alone. */
      readonly evidence?: Evidence;
    }
  | { readonly kind: "question-answered"; readonly question: string; readonly answer: string }
  | { readonly kind: "superseded"; readonly by: string; readonly why?: string }
  | { readonly kind: "closed"; readonly verdict: Verdict; readonly why?: string };

export type EventKind = Happening["kind"];

/** The terms as they are kept: complete. */
export type CommitmentTerms = Omit<Commitment, "id" | "opened">;

/** One event, as it is in the ledger. */
export type CommitmentEvent = Happening & {
  /** Grows by every event of every commitment. The order of things; the times are those of each process's own clock. */
  readonly seq: number;
  /** Its id. */
  readonly commitment: string;
  /** Milliseconds since 1970, by the clock of whoever wrote it. */
  readonly atMs: number;
  /** Who made it: a session, a person at the command line. */
  readonly actor: string;
};

/** An event as a row. */
export interface CommitmentRow {
  readonly seq: number;
  readonly commitment: string;
  readonly kind: string;
  readonly atMs: number;
  /** JSON. */
  readonly body: string;
}

/** Where events are kept. Nothing in it is ever changed or removed. */
export interface CommitmentLog {
  /** For messages: the path, or `memory`. */
  readonly place: string;
  /** At most `limit` rows after a sequence number, in order. */
  read(afterSeq: number, limit: number): readonly CommitmentRow[];
  /**
   * One transaction: nobody else appends between what `decide` reads and what it gives. What it throws leaves the log
   * as it was.
   */
  append(decide: () => readonly Omit<CommitmentRow, "seq">[]): readonly CommitmentRow[];
}
