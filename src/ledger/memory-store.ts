/**
 * Owns a ledger that lives as long as its process.
 * Leaves everything that is the same on the disk to the files above. Rule: the same answers as sqlite-store.ts, by
 * the same tests (ledger.test.ts). Nothing is rolled back: nothing here fails half-way.
 */
import type { CommitmentRow } from "../contract/commitment.ts";
import { type CutBlob, cutBlob } from "./blob.ts";
import { misuse, removedMeanwhile } from "./ledger-error.ts";
import type { BlobRow, EntryRow, SessionCounts, SessionRow, Store } from "./store.ts";

interface MemoryBlob extends BlobRow {
  readonly pieces: CutBlob["pieces"];
  readonly users: Set<string>;
}

export function openMemoryStore(): Store {
  const sessions = new Map<string, SessionRow>();
  const holders = new Map<string, string>();
  const blobs = new Map<string, MemoryBlob>();
  const entries = openEntries();
  return {
    shown: "memory",
    transact: (act) => act(),
    addSession: (row) => void sessions.set(row.id, row),
    findSession: (id) => sessions.get(id),
    listSessions: () => [...sessions.values()],
    ...entries.face,
    ...openCommitmentEvents(),
    keepBlob(blob, sessionId) {
      const kept = blobs.get(blob.hash) ?? makeBlob(blob.hash, blob.bytes);
      blobs.set(blob.hash, kept);
      kept.users.add(sessionId);
      return kept;
    },
    findBlob: (hash) => blobs.get(hash),
    readPieces({ hash }, first, last) {
      const wanted = blobs.get(hash)?.pieces.slice(first, last + 1) ?? [];
      if (wanted.length <= last - first) throw removedMeanwhile("memory");
      return wanted.length === 1 && wanted[0] !== undefined ? wanted[0] : Buffer.concat(wanted);
    },
    findHolder: (sessionId) => holders.get(sessionId),
    setHolder: (sessionId, holder) => void holders.set(sessionId, holder),
    dropHolder(sessionId, holder) {
      if (holders.get(sessionId) === holder) holders.delete(sessionId);
    },
    removeSessions(ids) {
      entries.remove(new Set(ids));
      for (const id of ids) {
        sessions.delete(id);
        holders.delete(id);
      }
      return removeUses(blobs, ids);
    },
    giveBackSpace() {},
    close() {},
  };
}

/** The bytes are the ledger's own: the caller may go on to write into its buffer. */
function makeBlob(hash: string, bytes: Uint8Array): MemoryBlob {
  const own = Uint8Array.from(bytes);
  return { key: 0, hash, bytes: own.length, ...cutBlob(own), users: new Set() };
}

function removeUses(blobs: Map<string, MemoryBlob>, ids: readonly string[]): number {
  let freed = 0;
  for (const [hash, blob] of blobs) {
    for (const id of ids) blob.users.delete(id);
    if (blob.users.size > 0) continue;
    blobs.delete(hash);
    freed += blob.bytes;
  }
  return freed;
}

type EntryFace = Pick<
  Store,
  | "addEntry"
  | "findEntry"
  | "listEntries"
  | "listEnded"
  | "listUnended"
  | "listCallIds"
  | "listSights"
  | "lastSeq"
  | "countEntries"
>;

function openEntries(): { face: EntryFace; remove: (sessions: ReadonlySet<string>) => void } {
  let all: EntryRow[] = [];
  const byCall = new Map<string, EntryRow>();
  let seq = 0;
  const of = (sessionId: string): EntryRow[] => all.filter((entry) => entry.sessionId === sessionId);
  const face: EntryFace = {
    addEntry(entry) {
      const key = keyOf(entry);
      if (byCall.has(key)) throw misuse(`the call ${entry.callId} has ${entry.kind} already`);
      seq += 1;
      const row = { ...entry, seq };
      all.push(row);
      byCall.set(key, row);
    },
    findEntry: (call) => byCall.get(keyOf(call)),
    listEntries({ sessionId, afterSeq, limit }) {
      const wanted = sessionId === undefined ? all : of(sessionId);
      return wanted.slice(firstAfter(wanted, afterSeq)).slice(0, limit);
    },
    listEnded({ sessionId, limit }) {
      const latest: EntryRow[] = [];
      for (let at = all.length - 1; at >= 0 && latest.length < limit; at--) {
        const entry = all[at];
        if (entry?.sessionId === sessionId && entry.kind === "ended") latest.push(entry);
      }
      return latest;
    },
    listUnended: ({ sessionId, upToSeq, limit }) =>
      of(sessionId)
        .filter(({ kind, seq }) => kind === "started" && seq <= upToSeq)
        .filter(({ callId }) => !byCall.has(keyOf({ sessionId, callId, kind: "ended" })))
        .reverse()
        .slice(0, limit),
    listCallIds: (sessionId) =>
      of(sessionId)
        .filter((entry) => entry.kind === "started")
        .map((entry) => entry.callId),
    listSights: (sessionId) => of(sessionId).flatMap((entry) => entry.sights ?? []),
    lastSeq: () => seq,
    countEntries: () => countBySession(all),
  };
  return {
    face,
    remove(sessions) {
      for (const entry of all) if (sessions.has(entry.sessionId)) byCall.delete(keyOf(entry));
      all = all.filter((entry) => !sessions.has(entry.sessionId));
    },
  };
}

function openCommitmentEvents(): Pick<Store, "addCommitmentEvent" | "listCommitmentEvents"> {
  const rows: CommitmentRow[] = [];
  return {
    addCommitmentEvent(row) {
      const added = { ...row, seq: rows.length + 1 };
      rows.push(added);
      return added;
    },
    // The numbers have no gaps here: nothing is rolled back and nothing removed.
    listCommitmentEvents: (afterSeq, limit) => rows.slice(afterSeq, afterSeq + limit),
  };
}

function keyOf(of: { sessionId: string; callId: string; kind: string }): string {
  return `${of.sessionId}/${of.kind}/${of.callId}`;
}

/** The index of the first entry after a sequence number; they stand in order. */
function firstAfter(entries: readonly EntryRow[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countBySession(entries: readonly EntryRow[]): SessionCounts[] {
  const counts = new Map<string, { started: number; ended: number; lastAtMs: number }>();
  for (const { sessionId, kind, atMs } of entries) {
    const count = counts.get(sessionId) ?? { started: 0, ended: 0, lastAtMs: 0 };
    count[kind] += 1;
    count.lastAtMs = Math.max(count.lastAtMs, atMs);
    counts.set(sessionId, count);
  }
  return [...counts].map(([sessionId, count]) => ({ sessionId, ...count }));
}
