/**
 * Owns what an error of the library is called on the command line: its options are flags there.
 * Leaves printing to program.ts. Rule: loads nothing, so that the first error costs no more than the first word.
 */
import type { OptionsError } from "../../contract/errors.ts";
import type { LedgerError, LedgerErrorCode } from "../../ledger/ledger-error.ts";

const ELSEWHERE = "name another one with --ledger";

/** What the library says of its options, said of the flags. */
const WAYS_OUT: Readonly<Partial<Record<LedgerErrorCode, string>>> = {
  missing: "sessions make one; name the place of yours with --root, --state-dir or --ledger",
  "driver-missing": "run npm install @photostructure/sqlite, or use Node 22.13 or later",
  "not-a-file": ELSEWHERE,
  foreign: ELSEWHERE,
  newer: `use that version, or ${ELSEWHERE}`,
  damaged: `${ELSEWHERE}; sqlite3 FILE .recover reads what is left of it`,
  unwritable: `make it and its directory writable, or ${ELSEWHERE}`,
  full: "make room there: haft ledger prune --older-than 30d removes old sessions, once there is a little",
  busy: "end that process, or try again later",
};

export function tellLedgerError({ code, what, wayOut }: LedgerError): string {
  return `${what}; ${WAYS_OUT[code] ?? wayOut}`;
}

export function tellOptionsError({ option, message }: OptionsError): string {
  // `rules.allow[2]` is one of the flags `--allow`, or a rule of the configuration.
  const flag = flagOf(option.replace(/^rules\.(\w+)\[\d+\]$/, "$1"));
  return message.replace(`option ${option}`, flag).replaceAll("the option stateDir", flagOf("stateDir"));
}

function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
