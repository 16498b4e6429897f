/**
 * Owns removing sessions from a ledger.
 * Leaves the rows to the store. Rule: whole sessions alone, in one transaction, and never one that a process holds or
 * may hold; what is named and cannot go is told, and nothing is removed half.
 */
import { keepOnOneLine } from "../text/one-line.ts";
import { clipMiddle } from "../text/search-summary.ts";
import { LedgerError } from "./ledger-error.ts";
import { findHolderLife } from "./ledger-session.ts";
import { listSessions } from "./read-calls.ts";
import type { Store } from "./store.ts";

export interface PruneRequest {
  /** These sessions. */
  readonly ids?: readonly string[];
  /** Sessions whose last entry is older than this, in milliseconds since 1970. With `ids`, those among them. */
  readonly beforeMs?: number;
  /** Says what would go, and removes nothing. */
  readonly dryRun?: boolean;
}

export interface Pruned {
  readonly ids: readonly string[];
  readonly calls: number;
  /** Bytes of content that no other session needed; 0 in a dry run. */
  readonly bytes: number;
  /** Sessions that would have gone and are open. */
  readonly open: readonly string[];
}

export function pruneSessions(store: Store, request: PruneRequest): Pruned {
  if (request.ids === undefined && request.beforeMs === undefined)
    return { ids: [], calls: 0, bytes: 0, open: [] };
  checkNamed(store, request.ids ?? []);
  const pruned = store.transact(() => {
    const { ids: named, beforeMs } = request;
    const asked = listSessions(store).filter(
      ({ id, lastAtMs }) => (named?.includes(id) ?? true) && (beforeMs === undefined || lastAtMs < beforeMs),
    );
    const free = asked.filter(({ id }) => findHolderLife(store, id) === "gone");
    const ids = free.map(({ id }) => id);
    const bytes = request.dryRun === true || ids.length === 0 ? 0 : store.removeSessions(ids);
    const open = asked.map(({ id }) => id).filter((id) => !ids.includes(id));
    return { ids, calls: free.reduce((sum, { calls }) => sum + calls, 0), bytes, open };
  });
  if (request.dryRun !== true && pruned.ids.length > 0) store.giveBackSpace();
  return pruned;
}

function checkNamed(store: Store, ids: readonly string[]): void {
  const unknown = ids.find((id) => store.findSession(id) === undefined);
  if (unknown !== undefined)
    throw new LedgerError({
      code: "session-unknown",
      what: `there is no session ${clipMiddle(keepOnOneLine(unknown), 200)} in the ledger ${store.shown}`,
      wayOut: "haft ledger sessions lists them",
    });
}
