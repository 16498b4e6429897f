/**
 * Owns reading the roots that a client names: which are directories of this machine, and which one is taken.
 * Leaves asking to serve-mcp.ts and mounting to root-switch.ts. Rule: the first `file:` root is the root.
 */
import { fileURLToPath } from "node:url";

export interface ClientRoots {
  /** Absolute path of the first `file:` root; absent where the client names none. */
  readonly first?: string;
  /** The others, as paths where they are files and as they came where they are not. They are not reachable. */
  readonly others: readonly string[];
}

/** Splits the roots of a client into the one that is taken and the others. */
export function chooseRoot(roots: readonly { readonly uri: string }[]): ClientRoots {
  const named = roots.map(({ uri }) => ({ uri, path: pathOf(uri) }));
  const first = named.find((root) => root.path !== undefined);
  const others = named.filter((root) => root !== first).map((root) => root.path ?? root.uri);
  return first?.path === undefined ? { others } : { first: first.path, others };
}

/** Clients differ in how they escape a path, and some send one that is no address at all: those are passed over. */
function pathOf(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    return url.protocol === "file:" ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}
