/**
 * Owns the type of a session: what a host holds in its hand, and what its calls give.
 * Leaves making one to open-session.ts. Rule: it has the whole face of a toolset, and nothing that its calls do not
 * pass through.
 */
import type { Commitments } from "../commitment/commitments.ts";
import type { Call, CallOptions } from "../contract/call.ts";
import type { Decision, Mode } from "../contract/decision.ts";
import type { ToolOutput } from "../contract/output.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { LedgerReader } from "../ledger/ledger.ts";
import type { Omitted } from "../text/window.ts";
import type { CallArguments, CallDetails, MountedName, Toolset } from "../toolset/toolset.ts";
import type { Explanation } from "./explain-call.ts";

/** A call that never came before permission: its arguments were refused, it was cancelled, or a wrapper answered it. */
export interface Undecided {
  readonly outcome: "none";
  /** The mode of the session. */
  readonly mode: Mode;
}

/** What a call of a session gives. `content` is what the request carries; the ledger has it whole. */
export type CallResult<D = unknown> = ToolOutput<D> & {
  /** Unique in the session; the provider's own where that was fresh. */
  readonly id: string;
  /** Present where `content` is not the whole result. */
  readonly window?: {
    /** Unicode characters of the whole result. */
    readonly totalChars: number;
    /** What the one gap leaves out, as `recall` takes it. */
    readonly omitted: Omitted;
  };
  /** How it was decided about it. */
  readonly decision: Decision | Undecided;
};

/** What may be seen of the ledger through a session. */
export type SessionLedger = LedgerReader;

/** The tool half of an agent loop: a toolset with permission, a schedule, a ledger and a window. It has the whole face of `Toolset`. */
export interface Session<
  T extends AnyTool = AnyTool,
  Prefix extends string = string,
  C extends Commitments | undefined = Commitments | undefined,
> extends Omit<Toolset<T, Prefix>, "call"> {
  /** `openSession({ sessionId })` resumes it, where its ledger is on disk. */
  readonly id: string;
  /** Whose session it is. */
  readonly agentId: string;
  /** Makes one call by its mounted name: arguments, permission, schedule, tool, ledger, window. Never throws and never rejects. */
  call<Name extends MountedName<T, Prefix> | (string & {})>(
    name: Name,
    args: CallArguments<T, Prefix, Name>,
    options?: CallOptions,
  ): Promise<CallResult<CallDetails<T, Prefix, Name>>>;
  /** Makes calls side by side where they do not conflict, and in order where they do. Results come in the order of the calls. Rejects only where it is given no array. */
  batch(calls: readonly Call[], options?: Omit<CallOptions, "id">): Promise<CallResult[]>;
  /** What would be decided about a call and what it would change. Runs nothing, asks nobody, and is no call. */
  explain(call: Call): Promise<Explanation>;
  /** Everything that the calls of this and of earlier sessions gave. Read-only. */
  readonly ledger: SessionLedger;
  /** What a host may do with commitments; undefined where they are not enabled. */
  readonly commitments: C;
}
