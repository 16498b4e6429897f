/**
 * Owns the order of calls that touch the same paths: one at a time, first come first served.
 * Leaves other processes to the version check of replace-file.ts. Rule: a path conflicts with itself, with what
 * lies above it and with what lies below it; a call holds all its paths at once or none, so no two can wait for
 * each other. A call must not ask for a lock inside one that it holds: it would wait for itself.
 *
 * The queue is module state, against the habit of this house: two toolsets mounted on one directory (or on one
 * directory inside the other) must not lose each other's updates, and nothing but the process knows of both.
 */
import { isInside } from "./containment.ts";

interface Ticket {
  readonly paths: readonly string[];
  /** Earlier tickets that this one waits for. */
  readonly waitsFor: Set<Ticket>;
  start: () => void;
}

const tickets = new Set<Ticket>();

/** Runs `act` while no other call holds a conflicting path. Waiting ends with the signal; `act` is then not run. */
export async function withLocks<T>(
  claim: { paths: readonly string[]; signal: AbortSignal },
  act: () => Promise<T>,
): Promise<T> {
  claim.signal.throwIfAborted();
  const ticket: Ticket = { paths: [...claim.paths], waitsFor: new Set(), start: () => {} };
  for (const earlier of tickets) if (isConflict(earlier.paths, ticket.paths)) ticket.waitsFor.add(earlier);
  tickets.add(ticket);
  try {
    if (ticket.waitsFor.size > 0) await waitForTurn(ticket, claim.signal);
    return await act();
  } finally {
    leave(ticket);
  }
}

function waitForTurn(ticket: Ticket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    ticket.start = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
  });
}

function leave(ticket: Ticket): void {
  tickets.delete(ticket);
  for (const later of tickets) {
    if (later.waitsFor.delete(ticket) && later.waitsFor.size === 0) later.start();
  }
}

function isConflict(held: readonly string[], asked: readonly string[]): boolean {
  return held.some((a) => asked.some((b) => isInside(a, b) || isInside(b, a)));
}
