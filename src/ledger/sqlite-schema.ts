/**
 * Owns the tables of a ledger and how an older file becomes a present one.
 * Leaves reading and writing them to sqlite-store.ts. Rule: what is in the ledger is never rewritten, and the database
 * itself refuses it, to any program that opens the file; whole sessions alone go, named in `pruning` while they do.
 */
import type { Database } from "./driver.ts";
import { COMMITMENT_TABLE } from "./sqlite-commitments.ts";

/** `haft` in ASCII: how one of our files is told from another program's. */
export const APPLICATION_ID = 0x68616674;

/** Each brings the file from the version of its index to the next one. A published one is never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    root TEXT NOT NULL,
    opened_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions (id),
    kind TEXT NOT NULL CHECK (kind IN ('started', 'ended')),
    call TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    sights TEXT
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_call ON entries (session, call, kind);
  CREATE INDEX entries_by_session ON entries (session, seq);
  CREATE TABLE blobs (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    marks BLOB NOT NULL
  ) STRICT;
  CREATE TABLE pieces (
    blob INTEGER NOT NULL REFERENCES blobs (key),
    number INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX pieces_by_number ON pieces (blob, number);
  CREATE TABLE uses (
    session TEXT NOT NULL REFERENCES sessions (id),
    blob INTEGER NOT NULL REFERENCES blobs (key),
    PRIMARY KEY (session, blob)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uses_by_blob ON uses (blob);
  CREATE TABLE holders (session TEXT PRIMARY KEY REFERENCES sessions (id), holder TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE pruning (session TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  ${["sessions", "entries", "blobs", "pieces", "uses"].map(refuseUpdate).join("\n")}
  ${refuseDelete("sessions", "NOT EXISTS (SELECT 1 FROM pruning WHERE session = OLD.id)")}
  ${refuseDelete("entries", "NOT EXISTS (SELECT 1 FROM pruning WHERE session = OLD.session)")}
  ${refuseDelete("uses", "NOT EXISTS (SELECT 1 FROM pruning WHERE session = OLD.session)")}
  ${refuseDelete("blobs", "NOT EXISTS (SELECT 1 FROM pruning) OR EXISTS (SELECT 1 FROM uses WHERE blob = OLD.key)")}
  ${refuseDelete("pieces", "NOT EXISTS (SELECT 1 FROM pruning) OR EXISTS (SELECT 1 FROM uses WHERE blob = OLD.blob)")}
  ${refuseReplace("sessions", "id = NEW.id OR ordinal = NEW.ordinal")}
  ${refuseReplace("entries", "seq = NEW.seq OR (session = NEW.session AND call = NEW.call AND kind = NEW.kind)")}
  ${refuseReplace("blobs", "key = NEW.key OR hash = NEW.hash")}
  ${refuseReplace("pieces", "rowid = NEW.rowid OR (blob = NEW.blob AND number = NEW.number)")}
  `,
  `
  ${COMMITMENT_TABLE}
  ${refuseUpdate("commitment_events")}
  ${refuseDelete("commitment_events", "1")}
  ${refuseReplace("commitment_events", "seq = NEW.seq")}
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

function refuseUpdate(table: string): string {
  return `CREATE TRIGGER ${table}_stay BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;`;
}

function refuseDelete(table: string, when: string): string {
  return `CREATE TRIGGER ${table}_remain BEFORE DELETE ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;`;
}

/** INSERT OR REPLACE deletes without asking the triggers for deletion. */
function refuseReplace(table: string, when: string): string {
  return `CREATE TRIGGER ${table}_once BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${when}) BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;`;
}

/** What a database says of itself. `tables` counts everything in its schema. */
export interface FileIdentity {
  readonly applicationId: number;
  readonly version: number;
  readonly tables: number;
  readonly pageBytes: number;
}

export function identify(database: Database): FileIdentity {
  return {
    applicationId: readNumber(database, "PRAGMA application_id", "application_id"),
    version: readNumber(database, "PRAGMA user_version", "user_version"),
    tables: readNumber(database, "SELECT count(*) AS n FROM sqlite_schema", "n"),
    pageBytes: readNumber(database, "PRAGMA page_size", "page_size"),
  };
}

function readNumber(database: Database, sql: string, column: string): number {
  const row = database.prepare(sql).get() as Readonly<Record<string, unknown>> | undefined;
  return Number(row?.[column]);
}

/** Brings a file up to the present version. Inside a transaction: a killed process leaves the old one. */
export function migrate(database: Database, from: number): void {
  for (const migration of MIGRATIONS.slice(from)) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
