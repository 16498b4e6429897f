/**
 * Owns what the ledger asks of SQLite, whichever package brings it.
 * Leaves finding one to find-driver.ts. Rule: the few functions that both drivers have alike, and no more; bytes
 * come back as Uint8Array and whole numbers as numbers.
 */

export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** `readOnly` opens a file without making it, and without changing it. */
export type OpenDatabase = (path: string, options: { readonly readOnly: boolean }) => Database;

/** The class that both packages export. */
export interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database;
}
