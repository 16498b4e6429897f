/**
 * Owns the one shape of a call on its way: `Dispatch`, which every wrapper takes and returns.
 * Leaves composing to the toolset and the session. Rule: names here are the mounted ones.
 */
import type { ToolOutput } from "./output.ts";

/** One use of a tool. */
export interface Call {
  /** The mounted name. */
  readonly name: string;
  /** An object, or JSON text. */
  readonly args: unknown;
  /** The provider's id of the call, kept where it is fresh. */
  readonly id?: string;
}

/** What a host says of one call beside its arguments. */
export interface CallOptions {
  /** Cancels the call. Default none. */
  readonly signal?: AbortSignal;
  /** Told, in one line each, how far the call is. What it throws is ignored. Default nobody. */
  readonly onProgress?: (text: string) => void;
  /** The provider's id of the call. A session keeps it where it is fresh. Default: one is made. */
  readonly id?: string;
}

/** Makes a call and gives its output. Never throws and never rejects. The one shape of every wrapper. */
export type Dispatch = (call: Call, options?: CallOptions) => Promise<ToolOutput>;
