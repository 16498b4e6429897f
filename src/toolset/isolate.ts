/**
 * Owns the option `isolation: "worker"`: whose calls run in the worker.
 * Leaves one such call to isolate-call.ts, which is loaded with the first. Rule: a tool of the catalogue runs in the
 * worker or not at all; a tool of the host's own runs in the host, where its code is.
 */
import type { ToolContext } from "../contract/context.ts";
import type { ToolResult } from "../contract/output.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { RunTool, WithheldRules } from "../worker/run-tool.ts";
import type { Mounted, PreparedCall } from "./mounted.ts";

export interface IsolatedCall {
  readonly mounted: Mounted;
  readonly prepared: PreparedCall;
  readonly context: ToolContext;
}

export interface Isolation {
  run(call: IsolatedCall): Promise<ToolResult<unknown>>;
  preview(call: IsolatedCall): Promise<string | Refusal | undefined>;
}

export interface IsolationRequest {
  readonly runTool: RunTool;
  /** Why tools run in a worker that is not confined, though that was preferred: told once. */
  readonly takeOpen: () => Promise<string | undefined>;
  /** What hides paths in the call that runs now. Absent where the port `withholds` is to be asked of each path. */
  readonly withheld?: (() => WithheldRules | undefined) | undefined;
}

export function openIsolation(request: IsolationRequest): Isolation {
  return {
    run: async (call) => (await import("./isolate-call.ts")).runIsolated(request, call),
    preview: async (call) => (await import("./isolate-call.ts")).previewIsolated(request, call),
  };
}
