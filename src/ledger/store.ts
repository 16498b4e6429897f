/**
 * Owns what a ledger needs of the place in which it is kept: rows and bytes, in one transaction at a time.
 * Leaves what they mean to the files above. Rule: nothing that was added is ever changed, and only whole sessions
 * are removed; whoever implements this holds to it, whoever uses it cannot do otherwise.
 */
import type { CommitmentRow } from "../contract/commitment.ts";
import type { EncodedBlob } from "./blob.ts";

export interface SessionRow {
  readonly id: string;
  readonly agentId: string;
  readonly root: string;
  readonly openedAtMs: number;
}

export type EntryKind = "started" | "ended";

export interface NewEntry {
  readonly sessionId: string;
  readonly kind: EntryKind;
  readonly callId: string;
  readonly atMs: number;
  /** JSON. */
  readonly body: string;
  /** JSON, apart from the body because resuming a session reads all of them and nothing else. */
  readonly sights: string | undefined;
}

export interface EntryRow extends NewEntry {
  /** Grows by every entry of every session, and is never used again. */
  readonly seq: number;
}

/** What is known of kept bytes without reading them. */
export interface BlobRow {
  /** The store's own number for it. */
  readonly key: number;
  readonly hash: string;
  readonly bytes: number;
  /** As UTF-8 text. */
  readonly characters: number;
  readonly lines: number;
  /** Where each piece begins: see blob.ts. */
  readonly marks: Uint8Array;
}

export interface SessionCounts {
  readonly sessionId: string;
  readonly started: number;
  readonly ended: number;
  readonly lastAtMs: number;
}

export interface Store {
  /** For messages: the path, or `memory`. */
  readonly shown: string;
  /** All or nothing, and nobody else writes meanwhile. Not to be nested. */
  transact<T>(act: () => T): T;

  addSession(row: SessionRow): void;
  findSession(id: string): SessionRow | undefined;
  /** In the order of their opening. */
  listSessions(): readonly SessionRow[];
  countEntries(): readonly SessionCounts[];

  addEntry(entry: NewEntry): void;
  findEntry(of: { sessionId: string; callId: string; kind: EntryKind }): EntryRow | undefined;
  /** Of all sessions or of one, in order, after a sequence number. */
  listEntries(of: { sessionId?: string; afterSeq: number; limit: number }): readonly EntryRow[];
  /** Of one session, the latest first. */
  listEnded(of: { sessionId: string; limit: number }): readonly EntryRow[];
  /** Started and never ended, up to a sequence number, the latest first. */
  listUnended(of: { sessionId: string; upToSeq: number; limit: number }): readonly EntryRow[];
  listCallIds(sessionId: string): readonly string[];
  listSights(sessionId: string): readonly string[];
  lastSeq(): number;

  /** Keeps bytes for a session; equal bytes are kept once. */
  keepBlob(blob: EncodedBlob, sessionId: string): BlobRow;
  findBlob(hash: string): BlobRow | undefined;
  /** The bytes of pieces `first` to `last`, both inclusive. */
  readPieces(blob: BlobRow, first: number, last: number): Uint8Array;

  addCommitmentEvent(row: Omit<CommitmentRow, "seq">): CommitmentRow;
  /** Of all commitments, in order, after a sequence number. */
  listCommitmentEvents(afterSeq: number, limit: number): readonly CommitmentRow[];

  /** The mark of the process that holds a session. */
  findHolder(sessionId: string): string | undefined;
  setHolder(sessionId: string, holder: string): void;
  dropHolder(sessionId: string, holder: string): void;

  /** Removes whole sessions, and the bytes that no other session needs. Gives how many bytes of content those were. */
  removeSessions(ids: readonly string[]): number;
  /** Gives the disk back what removing freed. Outside of a transaction. */
  giveBackSpace(): void;
  close(): void;
}
