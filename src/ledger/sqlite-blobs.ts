/**
 * Owns kept bytes as rows: one for the whole, one for each piece, one for each session that uses it.
 * Leaves cutting to blob.ts. Rule: bytes go when the last session that uses them goes, and not before.
 */
import { cutBlob, type EncodedBlob } from "./blob.ts";
import type { SqlRow } from "./driver.ts";
import { removedMeanwhile } from "./ledger-error.ts";
import type { Query } from "./sqlite-query.ts";
import type { BlobRow, Store } from "./store.ts";

function toBlob(row: SqlRow, hash: string): BlobRow {
  return {
    key: row.key as number,
    hash,
    bytes: row.bytes as number,
    characters: row.characters as number,
    lines: row.lines as number,
    marks: row.marks as Uint8Array,
  };
}

export function blobRows(query: Query, shown: string): Pick<Store, "keepBlob" | "findBlob" | "readPieces"> {
  const { run, all, one } = query;
  const findBlob: Store["findBlob"] = (hash) => {
    const sql = "SELECT key, bytes, characters, lines, marks FROM blobs WHERE hash = ?";
    const row = one(sql, Buffer.from(hash, "hex"));
    return row === undefined ? undefined : toBlob(row, hash);
  };
  return {
    findBlob,
    keepBlob(blob, sessionId) {
      const kept = findBlob(blob.hash) ?? addBlob(query, blob);
      run("INSERT INTO uses (session, blob) VALUES (?, ?) ON CONFLICT DO NOTHING", sessionId, kept.key);
      return kept;
    },
    readPieces({ key }, first, last) {
      const rows = all(
        "SELECT data FROM pieces WHERE blob = ? AND number BETWEEN ? AND ? ORDER BY number",
        key,
        first,
        last,
      );
      const pieces = rows.map((row) => row.data as Uint8Array);
      if (pieces.length <= last - first) throw removedMeanwhile(shown);
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    },
  };
}

function addBlob({ run, one }: Query, { hash, bytes }: EncodedBlob): BlobRow {
  const { pieces, characters, lines, marks } = cutBlob(bytes);
  const row = one(
    "INSERT INTO blobs (hash, bytes, characters, lines, marks) VALUES (?, ?, ?, ?, ?) RETURNING key",
    Buffer.from(hash, "hex"),
    bytes.length,
    characters,
    lines,
    marks,
  );
  const key = row?.key as number;
  for (const [number, piece] of pieces.entries())
    run("INSERT INTO pieces (blob, number, data) VALUES (?, ?, ?)", key, number, piece);
  return { key, hash, bytes: bytes.length, characters, lines, marks };
}

/** Within a transaction: `pruning` is empty again before anybody else sees it. Looks at nothing but what is of these. */
export function removeSessions({ run, one, all }: Query, ids: readonly string[]): number {
  let freed = 0;
  for (const id of ids) {
    run("INSERT INTO pruning (session) VALUES (?) ON CONFLICT DO NOTHING", id);
    const used = all("SELECT blob FROM uses WHERE session = ?", id);
    run("DELETE FROM uses WHERE session = ?", id);
    run("DELETE FROM entries WHERE session = ?", id);
    run("DELETE FROM holders WHERE session = ?", id);
    for (const { blob = null } of used) {
      const unused = "NOT EXISTS (SELECT 1 FROM uses WHERE uses.blob = blobs.key)";
      const row = one(`SELECT bytes FROM blobs WHERE key = ? AND ${unused}`, blob);
      if (row === undefined) continue;
      freed += row.bytes as number;
      run("DELETE FROM pieces WHERE blob = ?", blob);
      run("DELETE FROM blobs WHERE key = ?", blob);
    }
    run("DELETE FROM sessions WHERE id = ?", id);
  }
  run("DELETE FROM pruning");
  return freed;
}
