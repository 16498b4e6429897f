/**
 * Owns the one shape of a call on its way: `Dispatch`, which every wrapper takes and returns.
 * Leaves composing to the toolset and the session. Rule: names here are the mounted ones.
 */
import type { ToolOutput } from "./output.ts";

export interface Call {
  /** The mounted name. */
  readonly name: string;
  /** An object, or JSON text. */
  readonly args: unknown;
  /** The provider's id of the call, kept where it is fresh. */
  readonly id?: string;
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
  /** The provider's id of the call. A session keeps it where it is fresh. */
  readonly id?: string;
}

export type Dispatch = (call: Call, options?: CallOptions) => Promise<ToolOutput>;
