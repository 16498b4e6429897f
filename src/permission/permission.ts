/**
 * Owns what a session's permission is made of, and what the session is given of it.
 * Leaves rules to rule.ts, deciding to judge.ts, asking and refusing to station.ts.
 * Rule: decided before a call runs, from its normalised arguments and its declared access, never inside a tool.
 */
import type { Call } from "../contract/call.ts";
import type { Approve, Decision, Mode, Rules } from "../contract/decision.ts";
import type { Root } from "../contract/root.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { Mounted, PreparedCall } from "../toolset/mounted.ts";

export interface PermissionOptions {
  readonly mode: Mode;
  readonly rules?: Rules | undefined;
  /** Where the calls' places are; walked, below a folder that is to be deleted or moved, by descriptors. */
  readonly root: Root;
  /** Bare names of tools beside haft's own that rules may name. */
  readonly tools?: readonly string[];
  readonly approve?: Approve | undefined;
  /** Told a rule that a person gave for from now on. */
  readonly saveRule?: ((rule: string) => void | Promise<void>) | undefined;
  /** How this host takes an allow rule: `--allow 'runs(npm test)'`. */
  readonly flag?: ((rule: string) => string) | undefined;
  /** What a call would change, as a diff, for the person who is asked. What it throws is no preview. */
  readonly preview?: ((prepared: PreparedCall) => Promise<string | undefined>) | undefined;
}

/** What is decided about a call before anybody is asked. */
export interface Verdict {
  readonly outcome: "allow" | "ask" | "deny";
  readonly by: "rule" | "mode";
  /** The rule as it was written; several that allow together are joined by `, `. */
  readonly rule?: string;
  readonly effects: readonly string[];
  readonly suggestedRule?: string;
  /** What is allowed instead; empty where the call is allowed. */
  readonly allowed: readonly string[];
  /** One sentence. */
  readonly reason: string;
}

export interface StationOptions {
  /** What `makeStations` of the toolset is given. */
  readonly mounted: Mounted;
  readonly find: (call: Call) => PreparedCall | undefined;
  /** Told every decision, before the call runs or is refused. `call` is the very object that goes on. */
  readonly onDecision?: (call: Call, decision: Decision) => void;
  /** Told that a person is about to be asked. */
  readonly onAsk?: (call: Call, verdict: Verdict) => void;
}

/** One hop of a connection that a call makes. */
export interface Hop {
  /** Bare name of the tool. */
  readonly tool: string;
  readonly host: string;
  readonly port: number;
  /** What was decided about the call. */
  readonly decision: Pick<Decision, "by">;
}

export interface Permission {
  readonly mode: Mode;
  /** Runs nothing and asks nobody. Looks below a folder that is to be deleted or moved. */
  judge(prepared: PreparedCall, options?: { readonly signal?: AbortSignal }): Promise<Verdict>;
  /** The station between the gate and the runner. Never rejects. */
  station(options: StationOptions): Wrapper;
  /** The rule that hides this real path from walks, as it was written. For `ports.withholds`. */
  withholds(realPath: string): string | undefined;
  /** Why a connection may not be made, in one phrase that names the rule or the host; undefined where it may. */
  mayConnect(hop: Hop): string | undefined;
  /** All rules in force, those that a person gave meanwhile among the allowed. */
  rules(): Required<{ readonly [L in keyof Rules]: readonly string[] }>;
}
