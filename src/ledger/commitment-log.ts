/**
 * Owns the log of commitments' events that a ledger gives out.
 * Leaves what an event is, and which may be appended, to whoever appends. Rule: what is decided is decided inside the
 * transaction in which it is written, so that of two processes that decide at once the second sees what the first did.
 */
import type { CommitmentLog } from "../contract/commitment.ts";
import type { Store } from "./store.ts";
import { whenFreeBlocking } from "./wait-for-ledger.ts";

export function openCommitmentLog(store: Store): CommitmentLog {
  return {
    place: store.shown,
    read: (afterSeq, limit) => store.listCommitmentEvents(afterSeq, limit),
    append: (decide) =>
      whenFreeBlocking(() => store.transact(() => decide().map((row) => store.addCommitmentEvent(row)))),
  };
}
