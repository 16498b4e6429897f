/**
 * Owns the events of commitments as rows.
 * Leaves what they mean to commitment/. Rule: append-only, for ever: pruning sessions leaves them, since a commitment
 * outlives the session in which it was opened.
 */
import type { CommitmentRow } from "../contract/commitment.ts";
import type { Query } from "./sqlite-query.ts";
import type { Store } from "./store.ts";

/** Brings the table to a file that has none. */
export const COMMITMENT_TABLE = `
  CREATE TABLE commitment_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    commitment TEXT NOT NULL,
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;`;

export function commitmentRows({
  one,
  all,
}: Query): Pick<Store, "addCommitmentEvent" | "listCommitmentEvents"> {
  return {
    addCommitmentEvent({ commitment, kind, atMs, body }) {
      const sql =
        "INSERT INTO commitment_events (commitment, kind, at_ms, body) VALUES (?, ?, ?, ?) RETURNING seq";
      const seq = one(sql, commitment, kind, Math.round(atMs), body)?.seq as number;
      return { seq, commitment, kind, atMs, body };
    },
    // Named as they are given out: thousands of rows are not copied.
    listCommitmentEvents: (afterSeq, limit) =>
      all(
        "SELECT seq, commitment, kind, at_ms AS atMs, body FROM commitment_events WHERE seq > ? ORDER BY seq LIMIT ?",
        afterSeq,
        limit,
      ) as readonly unknown[] as readonly CommitmentRow[],
  };
}
