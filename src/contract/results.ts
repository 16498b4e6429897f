/**
 * Owns the view of earlier results that `recall` is given.
 * Leaves keeping them to the ledger, through the session. Rule: read-only, and whole: what the ledger has is what the tool gave.
 */

export interface PastResult {
  /** The call's id, as `recall` takes it: short in this session, `<sessionId>/<callId>` for an earlier one. */
  readonly id: string;
  /** The mounted name of the tool. */
  readonly tool: string;
  readonly isError: boolean;
  /** The whole content, as the tool gave it. */
  readonly content: string;
}

export interface PastResultSummary {
  readonly id: string;
  readonly tool: string;
  readonly isError: boolean;
  /** Unicode characters of the whole content. */
  readonly characters: number;
  readonly lines: number;
  /** The first line, shortened. */
  readonly head: string;
}

/** What `recall` may see. */
export interface PastResults {
  /** Undefined where there is no such call, or it has not ended. */
  find(id: string): PastResult | undefined;
  /** The latest first. */
  list(limit: number): readonly PastResultSummary[];
}
