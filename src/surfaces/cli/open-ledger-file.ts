/**
 * Owns finding the ledger that a person means, the flags for it, and telling what is wrong in the words of the flags.
 * Leaves reading it to the commands. Rule: looking into a ledger never makes one.
 */
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { type Ledger, openLedger } from "../../ledger/ledger.ts";
import { LedgerError } from "../../ledger/ledger-error.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { clipMiddle } from "../../text/search-summary.ts";
import { configure } from "../config/configure.ts";
import { tellLedgerError } from "./error-words.ts";
import { LIMITS } from "./open-with-flags.ts";
import { readPath } from "./session-flags.ts";

export interface LedgerFlags {
  readonly root?: string;
  readonly stateDir?: string;
  readonly ledger?: string;
  readonly json?: boolean;
}

const LEDGER_FILE = "ledger.db";

export function addLedgerFlags(command: Command): Command {
  return command
    .option("--root <dir>", "the directory whose ledger it is (default: the working directory)")
    .option("--state-dir <dir>", "where that directory's state is kept, instead of its .haft", readPath)
    .option("--ledger <file>", "the ledger's file itself", readPath);
}

/** Opens the ledger for one command, and closes it however that ends. */
export async function withLedger<T>(flags: LedgerFlags, act: (ledger: Ledger) => T | Promise<T>): Promise<T> {
  try {
    const ledger = openLedger(placeOf(completeLedgerFlags(flags)));
    try {
      return await act(ledger);
    } finally {
      ledger.close();
    }
  } catch (error) {
    throw error instanceof LedgerError ? new Error(tellLedgerError(error)) : error;
  }
}

/** The flags, and what the configurations say where they are silent: a session writes where this reads. */
export function completeLedgerFlags<Flags extends LedgerFlags>(flags: Flags): Flags {
  if (flags.ledger !== undefined || flags.stateDir !== undefined) return flags;
  const { ledger, stateDir } = configure({
    root: resolve(process.cwd(), flags.root ?? "."),
    limits: LIMITS,
  }).settings;
  // A ledger in memory is gone with its session; what lies in the usual place is still of use.
  if (ledger !== undefined && ledger !== "memory") return { ...flags, ledger };
  return stateDir === undefined ? flags : { ...flags, stateDir };
}

function placeOf({ root = ".", stateDir, ledger }: LedgerFlags): Parameters<typeof openLedger>[0] {
  const at = (path: string): string => resolve(process.cwd(), path);
  if (ledger !== undefined) return { path: at(ledger), create: false };
  const directory = stateDir === undefined ? join(at(root), ".haft") : at(stateDir);
  return { path: join(directory, LEDGER_FILE), create: false, inState: true };
}

/** An id in a sentence: one line of it, however long it is and whatever stands in it. */
export function showId(id: string): string {
  return clipMiddle(keepOnOneLine(id), LONGEST_ID);
}

/** Ids that sessions give have up to 160 characters, and the session's before them. */
const LONGEST_ID = 240;

/** Ids as a person gives them: `session/call`, or a call of the latest session. */
export function completeCallId(ledger: Ledger, id: string): string {
  // A result is found without reading it; only what has none has to be looked for in full.
  const isThere = (full: string): boolean =>
    ledger.result(full) !== undefined || ledger.find(full) !== undefined;
  if (isThere(id)) return id;
  const latest = ledger.sessions().at(-1)?.id;
  const full = `${latest}/${id}`;
  if (latest !== undefined && isThere(full)) return full;
  throw new Error(
    `there is no call ${showId(id)} in ${ledger.place}; haft ledger show SESSION lists those of a session, haft ledger sessions the sessions`,
  );
}
