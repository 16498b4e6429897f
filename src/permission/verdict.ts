/**
 * Owns what is decided about a call before anybody is asked. Leaves deciding to judge.ts.
 * Rule: types only.
 */

/** What would be decided about a call, before anybody is asked. */
export interface Verdict {
  /** `ask`: a person would be asked. */
  readonly outcome: "allow" | "ask" | "deny";
  /** What decides. */
  readonly by: "rule" | "mode";
  /** The rule as it was written; several that allow together are joined by `, `. */
  readonly rule?: string;
  /** What the call does, each as a rule would name it. */
  readonly effects: readonly string[];
  /** The narrowest rule that allows this very call. Absent where a deny rule stands, and where no rule can cover it. */
  readonly suggestedRule?: string;
  /** What is allowed instead; empty where the call is allowed. */
  readonly allowed: readonly string[];
  /** What of a command cannot be seen through, so that no allow rule covers it: `command substitution`. */
  readonly unseen: readonly string[];
  /** One phrase: why it came out so. */
  readonly reason: string;
}
