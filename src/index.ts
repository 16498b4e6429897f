/**
 * Owns the public surface of `haft`: explicit names only. Leaves everything to the rooms it exports from.
 * Rule: what is not named here is not promised.
 */
export type { Commitments, CriterionReport, EvaluationReport, WaitInput } from "./commitment/commitments.ts";
export type { CommitmentInput } from "./commitment/terms.ts";
export type { Access, PathUse, Place } from "./contract/access.ts";
export type { Call, CallOptions, Dispatch } from "./contract/call.ts";
export type { Commitment, CommitmentEvent, Criterion, Evidence } from "./contract/commitment.ts";
export type { CommitmentList, CommitmentReader, CommitmentView } from "./contract/commitment-view.ts";
export type { ToolContext } from "./contract/context.ts";
export type { Answer, Approve, Ask, Decision, Mode, Rules } from "./contract/decision.ts";
export { NotFoundError, OptionsError, OutsideRootError, RefusalError } from "./contract/errors.ts";
export { DEFAULT_LIMITS, type Limits } from "./contract/limits.ts";
export type { Image, Note, ToolOutput, ToolResult } from "./contract/output.ts";
export { isRefusal, type Refusal, type RefusalCode, type RefusalFacts, refuse } from "./contract/refusal.ts";
export type { Annotations, AnyTool, Tool } from "./contract/tool.ts";
export { DEFAULT_FILE_TOOLS, DEFAULT_PREFIX, files } from "./files.ts";
export { LedgerError } from "./ledger/ledger-error.ts";
export { under } from "./root/resolve.ts";
export type { Explanation } from "./session/explain-call.ts";
export { openSession } from "./session/open-session.ts";
export type { CallResult, Session, SessionLedger, Undecided } from "./session/session.ts";
export type { OnEvent, SessionEvent } from "./session/session-events.ts";
export type { SessionOptions } from "./session/session-options.ts";
export { bounded, type Omitted, type Windowed, window } from "./text/window.ts";
export { TOOL_NAMES } from "./tools/catalog.ts";
export { defineTool } from "./toolset/define-tool.ts";
export type { Wrapper } from "./toolset/dispatch.ts";
export { mount } from "./toolset/mount.ts";
export type { MountOptions } from "./toolset/options.ts";
export type { OwnFiles } from "./toolset/own-files.ts";
export type { OwnAccess, OwnContext, OwnPathUse, OwnTool } from "./toolset/own-tool.ts";
export type { ToolDefinition, Toolset } from "./toolset/toolset.ts";
