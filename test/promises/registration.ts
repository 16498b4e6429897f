/**
 * Owns what a tool hands in to be held to its promises: calls with a tree to make them in, and arguments to vary.
 * Leaves the promises to promises.test.ts. Rule: every tool of the catalogue has one; a missing one fails.
 */
import type { CommitmentReader } from "../../src/contract/commitment-view.ts";
import type { KeptResult } from "../support/past-results.ts";

export interface PromisedCall {
  /** What the case is about, as the end of a sentence. */
  readonly about: string;
  readonly args: unknown;
  readonly gives: "success" | "refusal";
  /** Calls of the same toolset that come first: a read before a write. Each must succeed. */
  readonly after?: readonly { readonly name: string; readonly args: unknown }[];
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Registration {
  /** The bare name. */
  readonly tool: string;
  readonly calls: readonly PromisedCall[];
  /** Values for arguments that random calls draw from, beside random JSON: paths, patterns, texts. */
  readonly values: readonly unknown[];
  /** Arguments that random calls take from a fixed list alone, whatever their name: commands that run, hosts that answer. */
  readonly fixed?: Readonly<Record<string, readonly unknown[]>>;
  /** What earlier calls of the session gave, the latest last, for a tool that only a session mounts. */
  readonly results?: readonly KeptResult[];
  /** What the agent owes, over a root, for the tool that shows it. */
  readonly commitments?: (root: string) => CommitmentReader;
}
