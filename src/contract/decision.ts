/**
 * Owns the words about whether a call may run: modes, what a person is asked and answers, what was decided.
 * Leaves deciding to permission/. Rule: types only; a rule is shown as it was written.
 */
import type { Access } from "./access.ts";
import type { Call } from "./call.ts";

/** What is allowed where no rule speaks. No mode moves the root. */
export type Mode = "read-only" | "workspace-write" | "full-access";

export const MODES: readonly Mode[] = ["read-only", "workspace-write", "full-access"];

/** Each `NAME` or `NAME(pattern)`. Any deny wins, then any ask, then an allow that covers every effect, then the mode. */
export interface Rules {
  /** What is allowed where it covers every effect of a call. Default none. */
  readonly allow?: readonly string[] | undefined;
  /** What a person is asked about, even where it is allowed. Default none. */
  readonly ask?: readonly string[] | undefined;
  /** What is denied, whatever else is said. Default none. */
  readonly deny?: readonly string[] | undefined;
}

/** How it was decided about a call that was made. */
export interface Decision {
  /** Whether it was run. */
  readonly outcome: "allowed" | "denied";
  /** What decided. `nobody` is an ask that nobody could answer. */
  readonly by: "rule" | "mode" | "approver" | "nobody";
  /** The mode of the session. */
  readonly mode: Mode;
  /** The rule that decided or that asked, as it was written; several that allow together are joined by `, `. */
  readonly rule?: string;
  /** What the call does, each as a rule would name it: `writes(src/a.ts)`. */
  readonly effects: readonly string[];
  /** The narrowest rule that allows this very call. Absent where a deny rule stands, and where no rule can cover it. */
  readonly suggestedRule?: string;
  /** What is allowed instead; empty where the call is allowed. */
  readonly allowed: readonly string[];
  /** The approver's own words, or why nobody answered. */
  readonly why?: string;
}

/** What a person is asked. */
export interface Ask {
  /** The mounted name, and the arguments as they were understood. */
  readonly call: Call;
  /** What it says it will touch. */
  readonly access: Access;
  /** One sentence: what is asked for, and why it is asked. */
  readonly reason: string;
  /** The rule that asks, as it was written. Absent where the mode asks. */
  readonly rule?: string;
  /** What the call would change, as a diff; or a command of which the reason shows only a part, whole. */
  readonly preview?: string;
  /** The narrowest rule that would allow this very call from now on. Absent where no rule can cover it. */
  readonly suggestedRule?: string;
}

/** What a person answers. Anything else is taken for a denial. */
export type Answer =
  | { readonly allow: "once" }
  /** From now on: the suggested rule, or another one that names what it allows and covers this call. */
  | { readonly allow: "always"; readonly rule: string }
  /** In the person's own words; the model is told them. */
  | { readonly deny: string };

/** Asks a person. What it throws, and an answer that is none of these, is a denial. The signal ends with the call. */
export type Approve = (ask: Ask, options: { readonly signal: AbortSignal }) => Promise<Answer>;
