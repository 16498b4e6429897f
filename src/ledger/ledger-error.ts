/**
 * Owns the error that opening and using a ledger ends in.
 * Leaves deciding what to do with it to the caller. Rule: the message says what is wrong and what would work, and
 * nothing that was on the disk has been changed by what failed.
 */

/** Why a ledger cannot be had or used. */
export type LedgerErrorCode =
  /** Neither Node's own SQLite nor the packaged one is there. */
  | "driver-missing"
  /** There is no ledger at this path, and none was to be made. */
  | "missing"
  /** A link, a directory, a device, or a file of another user. */
  | "not-a-file"
  /** No SQLite database, or one of another program. */
  | "foreign"
  | "damaged"
  /** Written by a later version of haft. */
  | "newer"
  | "unwritable"
  /** Its disk has no room left, or none for one more file. */
  | "full"
  /** Other processes held it for longer than is reasonable. */
  | "busy"
  | "session-held"
  | "session-exists"
  | "session-elsewhere"
  | "session-unknown"
  | "closed"
  | "misuse";

/** A ledger cannot be had or used. The message says what is wrong and what would work; nothing was changed. */
export class LedgerError extends Error {
  /** `LedgerError`. */
  override readonly name = "LedgerError";
  /** What is wrong, for programs. */
  readonly code: LedgerErrorCode;
  /** What is wrong. */
  readonly what: string;
  /** What would work. */
  readonly wayOut: string;
  constructor(facts: { code: LedgerErrorCode; what: string; wayOut: string; cause?: unknown }) {
    super(`${facts.what}; ${facts.wayOut}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = facts.code;
    this.what = facts.what;
    this.wayOut = facts.wayOut;
  }
}

/** Another process has pruned what was being read. */
export function removedMeanwhile(place: string): LedgerError {
  return new LedgerError({
    code: "session-unknown",
    what: `the session was removed from the ledger ${place} while it was read`,
    wayOut: "haft ledger sessions lists those that are there",
  });
}

/** A call of the ledger itself that makes no sense: a fault of ours, not of what is on the disk. */
export function misuse(what: string): LedgerError {
  return new LedgerError({ code: "misuse", what, wayOut: "this is a fault of the caller" });
}
