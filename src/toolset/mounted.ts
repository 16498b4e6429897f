/**
 * Owns what one mounted toolset is made of: the data that the gate and the runner share.
 * Leaves making it to mount-tools.ts. Rule: data only, made once.
 */
import type { Access, Place } from "../contract/access.ts";
import type { Ports, ToolOptions } from "../contract/context.ts";
import type { NotFoundError, OutsideRootError } from "../contract/errors.ts";
import type { Limits } from "../contract/limits.ts";
import type { Note } from "../contract/output.ts";
import type { Root } from "../contract/root.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { Isolation } from "./isolate.ts";
import type { ToolNames } from "./names.ts";
import type { SeenStore } from "./seen-store.ts";

/** `(path, reason) => text`, for paths that are outside or missing. */
export type RefusalHook = (path: string, reason: OutsideRootError | NotFoundError) => string;
/** Told the root-relative paths that a call changed, after the bytes are on disk. */
export type AfterWriteHook = (paths: readonly string[]) => void | Promise<void>;

export interface Mounted {
  readonly root: Root;
  readonly cwd: string;
  readonly limits: Limits;
  readonly options: ToolOptions;
  readonly names: ToolNames;
  /** Mounted tools by bare name. */
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** All tools that a tool may hand its work to, mounted or not. */
  readonly catalog: readonly AnyTool[];
  readonly agentId: string;
  readonly sessionId: string;
  readonly ports: Ports;
  readonly seen: SeenStore;
  /** Runs tools in the worker; absent where they run in this process. */
  readonly isolation?: Isolation | undefined;
  readonly refusal?: RefusalHook | undefined;
  readonly afterWrite?: AfterWriteHook | undefined;
}

/** A call whose arguments are read, checked and resolved; what everything behind the gate works with. */
export interface PreparedCall {
  readonly tool: AnyTool;
  /** The mounted name. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly access: Access;
  readonly places: ReadonlyMap<string, Place>;
  readonly notes: readonly Note[];
}
