/**
 * Owns getting the two entries of each call into the ledger, whatever stands in the way for a while.
 * Leaves what an entry says to record-calls.ts. Rule: a call that ended while there was no room, or while another
 * process held the file, is owed: it is recorded before any other call begins, and while it cannot be none does. So no
 * more is ever owed than ran at once.
 */
import type { EndedEntry, StartedEntry } from "../ledger/entry-body.ts";
import { LedgerError, type LedgerErrorCode } from "../ledger/ledger-error.ts";
import type { LedgerSession } from "../ledger/ledger-session.ts";
import { type Patience, whenFree } from "../ledger/wait-for-ledger.ts";

export interface EntryRecorder {
  /** Rejects where the ledger cannot take it, or what is owed: the call is not to be run. */
  started(entry: StartedEntry, patience: Patience): Promise<void>;
  /** Rejects where it could not be recorded by now. */
  ended(entry: EndedEntry, patience: Patience): Promise<void>;
  /** Whether the end of this call is still to be recorded. */
  owes(callId: string): boolean;
  /** Records what is owed. */
  settle(patience: Patience): Promise<void>;
}

/** What may pass: room is made, the other process ends. */
const PASSING: ReadonlySet<LedgerErrorCode> = new Set(["full", "unwritable", "busy"]);

export function openRecorder(ledger: LedgerSession): EntryRecorder {
  const owed = new Map<string, EndedEntry>();
  function settle(): void {
    for (const [callId, entry] of owed) {
      try {
        ledger.ended(entry);
      } catch (error) {
        if (!(error instanceof LedgerError && PASSING.has(error.code))) owed.delete(callId);
        throw error;
      }
      owed.delete(callId);
    }
  }
  return {
    started: (entry, patience) =>
      whenFree(() => {
        settle();
        ledger.started(entry);
      }, patience),
    ended(entry, patience) {
      owed.set(entry.callId, entry);
      return whenFree(settle, patience);
    },
    owes: (callId) => owed.has(callId),
    settle: (patience) => whenFree(settle, patience),
  };
}
