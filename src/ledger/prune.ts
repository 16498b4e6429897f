/**
 * Owns removing sessions from a ledger.
 * Leaves the rows to the store. Rule: whole sessions alone, each in one transaction, and never one that a process holds
 * or may hold; what is named and cannot go is told, and nothing is removed half. Sessions that work wait for one
 * transaction, not for all.
 */
import { keepOnOneLine } from "../text/one-line.ts";
import { clipMiddle } from "../text/search-summary.ts";
import { LedgerError } from "./ledger-error.ts";
import { findHolderLife } from "./ledger-session.ts";
import { listSessions } from "./read-calls.ts";
import type { Store } from "./store.ts";
import { letOthersWrite } from "./wait-for-ledger.ts";

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
  const { ids: named, beforeMs, dryRun = false } = request;
  const asked = listSessions(store).filter(
    ({ id, lastAtMs }) => (named?.includes(id) ?? true) && (beforeMs === undefined || lastAtMs < beforeMs),
  );
  const pruned = { ids: [] as string[], calls: 0, bytes: 0, open: [] as string[] };
  let lastMs = performance.now();
  for (const { id, calls } of asked) {
    const bytes = dryRun
      ? judge(store, { id, beforeMs })
      : store.transact(() => judge(store, { id, beforeMs }) ?? store.removeSessions([id]));
    if (bytes === "open") pruned.open.push(id);
    else {
      pruned.ids.push(id);
      pruned.calls += calls;
      pruned.bytes += bytes ?? 0;
    }
    if (dryRun || performance.now() - lastMs < WRITING_MS) continue;
    letOthersWrite();
    lastMs = performance.now();
  }
  if (!dryRun && pruned.ids.length > 0) store.giveBackSpace();
  return pruned;
}

/** How long it writes before others get a turn. */
const WRITING_MS = 50;

/** Held now, or at work again since the list was made. */
function judge(
  store: Store,
  { id, beforeMs = Number.POSITIVE_INFINITY }: { readonly id: string; readonly beforeMs: number | undefined },
): "open" | undefined {
  const [latest] = store.listEnded({ sessionId: id, limit: 1 });
  if (latest !== undefined && latest.atMs >= beforeMs) return "open";
  return findHolderLife(store, id) === "gone" ? undefined : "open";
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
