/**
 * Owns what a mounted root is: a directory and the rules that hold in it.
 * Leaves every operation to root/. Rule: data only; made once, by root/open-root.ts, never changed.
 */
import type { Disk } from "./disk.ts";

/** `(path, { root }) => absolute path`: a host's own path resolution. What it throws becomes the refusal. */
export type ResolveHook = (path: string, context: { readonly root: string }) => string | Promise<string>;

export interface Root {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Absolute, as the host spelled it; an absolute path below it is inside the root too. */
  readonly spelled: string;
  readonly disk: Disk;
  readonly resolve?: ResolveHook;
  /** gitignore patterns relative to the root, hidden from walks on top of `.gitignore`. */
  readonly extraIgnore: readonly string[];
  readonly allowGenerated: boolean;
  /** The rule of a session that hides a real path, where there are such rules: hints leave it out too. */
  readonly withholds?: (realPath: string) => string | undefined;
  /** `.haft/scratch/<agentId>` is the one writable place inside `.haft`. */
  readonly agentId: string;
}
