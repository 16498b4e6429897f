/**
 * Owns the ledger as the rest of the house sees it: open it, open sessions in it, read it, prune it.
 * Leaves each of these to its file. Rule: what is in it is never rewritten; reading never needs a session.
 */

import type { CommitmentLog } from "../contract/commitment.ts";
import type { PastResult } from "../contract/results.ts";
import { openCommitmentLog } from "./commitment-log.ts";
import type { OpenDatabase } from "./driver.ts";
import { type ExportRequest, exportLines } from "./export-lines.ts";
import { LedgerError } from "./ledger-error.ts";
import { watchPlace } from "./ledger-file.ts";
import { type LedgerSession, openLedgerSession, type SessionRequest } from "./ledger-session.ts";
import { openMemoryStore } from "./memory-store.ts";
import { findEnded, openResult, splitFullId } from "./past-results.ts";
import { type Pruned, type PruneRequest, pruneSessions } from "./prune.ts";
import { readBlobBytes } from "./read-blob.ts";
import {
  type CallRecord,
  type CallSummary,
  findCall,
  listCalls,
  listSessions,
  type SessionSummary,
} from "./read-calls.ts";
import { type SearchHit, type SearchRequest, searchCalls } from "./search-calls.ts";
import { openSqliteStore } from "./sqlite-store.ts";

export interface LedgerPlace {
  /** In a directory that is ours; missing, it is made, 0600. */
  readonly path: string;
  /** False refuses where there is none. */
  readonly create?: boolean;
  /** True refuses where the directory is a link. */
  readonly inState?: boolean;
  /** Another SQLite than the one that is found. */
  readonly driver?: OpenDatabase;
  /** How long whatever is done may block the thread while another process writes. Long, where it is not said. */
  readonly blockMs?: number;
}

/** What may be done with a ledger without a session of one's own. */
export interface LedgerReader {
  /** The path, or `memory`. */
  readonly place: string;
  /** In the order of their opening. */
  sessions(): readonly SessionSummary[];
  /** Of one session, in order; undefined where there is no such session. */
  calls(sessionId: string): readonly CallSummary[] | undefined;
  /** One call whole, by `<sessionId>/<callId>`. */
  find(fullId: string): CallRecord | undefined;
  /** The content of one call, to be read in parts, by `<sessionId>/<callId>`. */
  result(fullId: string): PastResult | undefined;
  /** Kept bytes by their address: old bytes of a changed file. */
  bytes(hash: string): Uint8Array | undefined;
  /** The latest first; each hit is found when it is asked for. */
  search(request: SearchRequest): Iterable<SearchHit>;
  /** JSON Lines without their newlines, in order; each is made when it is asked for. */
  exportLines(request?: ExportRequest): Iterable<string>;
}

export interface Ledger extends LedgerReader {
  /** The events of commitments, of all sessions. */
  readonly commitments: CommitmentLog;
  openSession(request: SessionRequest): LedgerSession;
  /** Whether its file is still the one that was opened: what goes into a removed one is lost when it closes. */
  isInPlace(): boolean;
  /** Removes whole sessions; never one that a process holds. */
  prune(request: PruneRequest): Pruned;
  /** Closes what is open in it. Idempotent. */
  close(): void;
}

/** Throws a `LedgerError` that says what is wrong with the file and what would work. */
export function openLedger(place: LedgerPlace | "memory"): Ledger {
  const store =
    place === "memory" ? openMemoryStore() : openSqliteStore({ ...place, create: place.create ?? true });
  const isInPlace = watchPlace(place === "memory" ? undefined : place.path);
  const open = new Set<LedgerSession>();
  return {
    place: store.shown,
    commitments: openCommitmentLog(store),
    isInPlace,
    openSession(request) {
      const session = openLedgerSession(store, request);
      open.add(session);
      return session;
    },
    sessions: () => listSessions(store),
    calls: (sessionId) => listCalls(store, sessionId),
    find: (fullId) => findCall(store, fullId),
    result(fullId) {
      const of = splitFullId(fullId);
      const ended = of === undefined ? undefined : findEnded(store, of.sessionId, of.callId);
      return ended === undefined ? undefined : openResult(store, fullId, ended);
    },
    bytes(hash) {
      const blob = store.findBlob(hash);
      return blob === undefined ? undefined : readBlobBytes(store, blob);
    },
    search: (request) => searchCalls(store, request),
    exportLines: (request = {}) => exportLines(store, request),
    prune: (request) => pruneSessions(store, request),
    close() {
      for (const session of open) letGo(session);
      open.clear();
      store.close();
    },
  };
}

function letGo(session: LedgerSession): void {
  try {
    session.close();
  } catch (error) {
    // A full disk, or another process that holds the file: the session counts as held until this process ends.
    if (!(error instanceof LedgerError)) throw error;
  }
}
