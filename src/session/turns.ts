/**
 * Owns the order of the calls of a session: whose turn it is, by what each claims.
 * Leaves what a call claims to claims.ts. Rule: calls that conflict run one after another, in the order in which they
 * were made; all others run side by side.
 *
 * What a call claims is known for certain only when nothing that runs can change where its paths lead. Until then it
 * is not settled, and every later call waits for it, so that nothing overtakes a call whose aim may still move onto it.
 *
 * No two can wait for each other: a call waits for earlier ones, and for later ones only while those run. What a
 * running call waits for is never another call, save one that its own host makes inside of it (a hook that calls the
 * session again); such a call waits for nobody, since whoever made it already holds a turn.
 */
import { onAbort } from "../toolset/on-abort.ts";
import { type Claims, coversClaims, isConflict, NOTHING, uniteClaims } from "./claims.ts";

export interface Turn {
  /** Adds to what the call claims; it is not settled then, and does not run. */
  claim(claims: Claims): void;
  /** Whether all of this is claimed already. */
  covers(claims: Claims): boolean;
  /** Nobody stood before it when it came: what it claims was found while nothing else was at work. */
  readonly isFirst: boolean;
  /**
   * What it claims was found to be right since it claimed it. Waits until nothing that conflicts runs or comes before.
   * `look-again`: it waited for a call that may have changed where its paths lead. Rejects with the signal's reason.
   */
  start(signal: AbortSignal): Promise<"running" | "look-again">;
  readonly hasEnded: boolean;
  end(): void;
}

export interface Turns {
  /** Takes the next place in the order. `within` is the turn of the call inside which this one is made. */
  take(within?: Turn): Turn;
}

interface Ticket {
  readonly number: number;
  /** This one and those inside which it is made. */
  readonly lineage: ReadonlySet<number>;
  readonly isInner: boolean;
  claims: Claims;
  isSettled: boolean;
  state: "waiting" | "running" | "ended";
  /** Whether one of those for which it waits, or waited, can change where paths lead. */
  mayBeReaimed: boolean;
  readonly waitsFor: Set<Ticket>;
  wake: (() => void) | undefined;
}

export function openTurns(): Turns {
  const active = new Set<Ticket>();
  const tickets = new WeakMap<Turn, Ticket>();
  let taken = 0;
  return {
    take(within) {
      const outer = within === undefined || within.hasEnded ? undefined : tickets.get(within);
      const isFirst = active.size === 0;
      taken += 1;
      const ticket = makeTicket(taken, outer);
      active.add(ticket);
      const turn: Turn = {
        claim: (claims) => claim(active, ticket, claims),
        covers: (claims) => coversClaims(ticket.claims, claims),
        isFirst,
        start: (signal) => start(active, ticket, signal),
        get hasEnded() {
          return ticket.state === "ended";
        },
        end() {
          if (!active.delete(ticket)) return;
          ticket.state = "ended";
          reconsider(active, ticket);
        },
      };
      tickets.set(turn, ticket);
      return turn;
    },
  };
}

type Active = ReadonlySet<Ticket>;

function claim(active: Active, ticket: Ticket, claims: Claims): void {
  ticket.claims = uniteClaims(ticket.claims, claims);
  if (ticket.state === "ended" || ticket.isInner) return;
  ticket.isSettled = false;
  ticket.state = "waiting";
  reconsider(active, ticket);
}

async function start(active: Active, ticket: Ticket, signal: AbortSignal): Promise<"running" | "look-again"> {
  signal.throwIfAborted();
  ticket.isSettled = true;
  ticket.mayBeReaimed = false;
  if (!ticket.isInner) for (const other of active) if (isBefore(other, ticket)) waitFor(ticket, other);
  reconsider(active, ticket);
  if (ticket.waitsFor.size > 0) await waitToBeWoken(ticket, signal);
  if (ticket.mayBeReaimed) return "look-again";
  ticket.state = "running";
  // Whoever was before this one and has come to claim the same meanwhile must not start beside it.
  reconsider(active, ticket);
  return "running";
}

function waitFor(ticket: Ticket, other: Ticket): void {
  ticket.waitsFor.add(other);
  // What is not settled may come to claim what changes it.
  if (!other.claims.reaims && other.isSettled) return;
  ticket.mayBeReaimed = true;
  ticket.isSettled = false;
}

/** What is waited for may have changed with this ticket. */
function reconsider(active: Active, changed: Ticket): void {
  for (const other of active) {
    if (other.wake === undefined) continue;
    if (isBefore(changed, other)) waitFor(other, changed);
    else if (other.waitsFor.delete(changed) && other.waitsFor.size === 0) other.wake();
  }
}

function makeTicket(number: number, outer: Ticket | undefined): Ticket {
  return {
    number,
    lineage: new Set([...(outer?.lineage ?? []), number]),
    isInner: outer !== undefined,
    claims: NOTHING,
    isSettled: outer !== undefined,
    state: "waiting",
    mayBeReaimed: false,
    waitsFor: new Set(),
    wake: undefined,
  };
}

function waitToBeWoken(ticket: Ticket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      stopListening();
      ticket.wake = undefined;
      ticket.waitsFor.clear();
    };
    const stopListening = onAbort(signal, () => {
      leave();
      reject(signal.reason);
    });
    ticket.wake = () => {
      leave();
      // At once, so that whoever is looked at next finds it running.
      if (!ticket.mayBeReaimed) ticket.state = "running";
      resolve();
    };
  });
}

/** Whether the second has to wait for the first. */
function isBefore(first: Ticket, second: Ticket): boolean {
  if (first === second || first.state === "ended") return false;
  if (first.lineage.has(second.number) || second.lineage.has(first.number)) return false;
  if (first.number > second.number)
    return first.state === "running" && isConflict(first.claims, second.claims);
  return !first.isSettled || isConflict(first.claims, second.claims);
}
