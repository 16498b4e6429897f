/**
 * Owns ending all of a worker at once: as it closes, or what it left behind where it died without ending it.
 * Leaves finding to tree.ts and the order of signals to end-tree.ts. Rule: known by the marker in its environment, and by
 * descent from, or sharing a group or session with, what carries it.
 */
import { endTree } from "./end-tree.ts";
import { carriesWorker } from "./mark.ts";
import { processTable } from "./process-table.ts";
import { openTree } from "./tree.ts";

/** The host has waited already, for the worker's own clean-up; what is left gets little more time. */
const GRACE_MS = 250;

export async function endMarked(marker: string, graceMs = GRACE_MS): Promise<void> {
  const tree = openTree({
    table: processTable,
    seeds: [],
    since: 0,
    isOurMark: (mark) => carriesWorker(mark, marker),
    outputs: [],
  });
  await endTree(tree, { graceMs });
}
