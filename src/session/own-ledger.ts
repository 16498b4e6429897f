/**
 * Owns the ledger of one session: where it is, opening it, letting go of it.
 * Leaves what goes into it to the stations. Rule: a ledger that cannot be had throws, with the way out, and nothing
 * falls back to memory by itself; the event loop turns while another process holds it.
 */
import { randomBytes } from "node:crypto";
import { OptionsError } from "../contract/errors.ts";
import { type Ledger, type LedgerPlace, openLedger } from "../ledger/ledger.ts";
import { LedgerError } from "../ledger/ledger-error.ts";
import type { LedgerSession } from "../ledger/ledger-session.ts";
import { TRY_MS, whenFree } from "../ledger/wait-for-ledger.ts";
import { openRoot } from "../root/open-root.ts";
import { openStateDirectory } from "../root/state-directory.ts";
import { isStateError } from "../root/state-directory-entry.ts";
import { type EntryRecorder, openRecorder } from "./entry-recorder.ts";
import type { CheckedSession } from "./session-options.ts";

export interface OwnLedger {
  readonly ledger: Ledger;
  readonly entries: LedgerSession;
  readonly recorder: EntryRecorder;
}

/** Rejects with a `LedgerError`, or with the signal's reason. */
export async function openOwnLedger(checked: CheckedSession): Promise<OwnLedger> {
  const { signal } = checked;
  const free = async <T>(act: () => T): Promise<T> => {
    try {
      return await whenFree(act, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };
  const place = await placeLedger(checked);
  const ledger = await free(() => openLedger(place));
  try {
    const entries = await free(() => openEntries(checked, ledger));
    return { ledger, entries, recorder: openRecorder(entries) };
  } catch (error) {
    ledger.close();
    throw error;
  }
}

/** Closing waits for another process that writes, and not for one that hangs. */
const CLOSING_MS = 1_000;

export async function closeOwnLedger({ ledger, entries, recorder }: OwnLedger): Promise<void> {
  try {
    await recorder.settle({ waitMs: CLOSING_MS });
    await whenFree(() => entries.close(), { waitMs: CLOSING_MS });
  } catch (error) {
    // Where there is still no room, the host has been told so with the call.
    if (!(error instanceof LedgerError)) throw error;
  } finally {
    ledger.close();
  }
}

/** Where the ledger is. Without a word of the host it is below the root, or nowhere: never silently in memory. */
async function placeLedger(checked: CheckedSession): Promise<"memory" | LedgerPlace> {
  const { ledger, stateDir, mount, agentId } = checked;
  const root = openRoot({ root: typeof mount.root === "string" ? mount.root : "", agentId });
  if (ledger === "memory") return "memory";
  if (ledger !== undefined) return { path: ledger, blockMs: TRY_MS };
  const state = await openStateDirectory({ root, stateDir });
  const path = isStateError(state) ? state : await state.prepareFile("ledger.db");
  if (typeof path === "string") return { path, blockMs: TRY_MS };
  throw new OptionsError({
    option: "ledger",
    expected: `"memory", or the path of a file, where the state cannot be kept: ${path.error}`,
  });
}

function openEntries({ agentId, mount, sessionId }: CheckedSession, ledger: Ledger): LedgerSession {
  const root = openRoot({ root: typeof mount.root === "string" ? mount.root : "", agentId });
  return ledger.openSession({
    id: sessionId ?? makeSessionId(),
    agentId,
    root: root.path,
    resume: sessionId !== undefined,
  });
}

/** The day, for whoever looks at a list of them, and enough chance to be the only one. */
function makeSessionId(): string {
  return `${new Date().toISOString().slice(0, 10)}-${randomBytes(6).toString("hex")}`;
}
