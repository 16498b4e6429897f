/**
 * Owns when a running command's tree is looked at.
 * Leaves looking to tree.ts. Rule: often at first, when most of it comes to be, then seldom; a short command costs nothing.
 */
import type { Tree } from "./tree.ts";

const FIRST_MS = 20;
const LAST_MS = 500;
const GROWTH = 1.5;

/** Returns what stops it. */
export function sampleTree(tree: Tree, { isCheap }: { readonly isCheap: boolean }): () => void {
  let waitMs = isCheap ? FIRST_MS : LAST_MS;
  let timer: NodeJS.Timeout | undefined;
  const plan = () => {
    timer = setTimeout(() => {
      tree.sample();
      waitMs = Math.min(LAST_MS, waitMs * GROWTH);
      plan();
    }, waitMs).unref();
  };
  plan();
  return () => clearTimeout(timer);
}
