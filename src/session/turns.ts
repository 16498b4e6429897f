/**
 * Owns the order of the calls of a session: whose turn it is, by what each claims.
 * Leaves what a call claims to claims.ts. Rule: calls that conflict run one after another, in the order in which they
 * were made; all others run side by side. Until a call has said what it claims, every later one waits for it, so that
 * nothing overtakes a call whose aim is not known yet.
 *
 * No two can wait for each other: a call waits for earlier ones, and for later ones only while those run. What a
 * running call waits for is never another call, save one that its own host makes inside of it (a hook that calls the
 * session again); such a call waits for nobody, since whoever made it already holds a turn.
 */
import { onAbort } from "../toolset/on-abort.ts";
import { type Claims, coversClaims, isConflict, uniteClaims } from "./claims.ts";

export interface Turn {
  /** Adds to what the call claims, and waits until nothing that conflicts with it runs or comes before. Rejects with the signal's reason. */
  claim(claims: Claims, signal: AbortSignal): Promise<void>;
  /** Whether all of this is claimed already. */
  covers(claims: Claims): boolean;
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
  /** Undefined until the call has said what it claims. */
  claims: Claims | undefined;
  state: "waiting" | "running" | "ended";
  readonly waitsFor: Set<Ticket>;
  start: (() => void) | undefined;
}

export function openTurns(): Turns {
  const active = new Set<Ticket>();
  const tickets = new WeakMap<Turn, Ticket>();
  let taken = 0;

  /** What is waited for may have changed with this ticket. */
  function reconsider(changed: Ticket): void {
    for (const other of active) {
      if (other.start === undefined) continue;
      if (isBefore(changed, other)) other.waitsFor.add(changed);
      else if (other.waitsFor.delete(changed) && other.waitsFor.size === 0) other.start();
    }
  }

  async function claim(ticket: Ticket, claims: Claims, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    ticket.claims = ticket.claims === undefined ? claims : uniteClaims(ticket.claims, claims);
    if (ticket.state === "ended") return;
    ticket.state = "waiting";
    if (!ticket.isInner) for (const other of active) if (isBefore(other, ticket)) ticket.waitsFor.add(other);
    reconsider(ticket);
    if (ticket.waitsFor.size > 0) await waitForStart(ticket, signal);
    ticket.state = "running";
    // Whoever was before this one and found it waiting must not start beside it now.
    reconsider(ticket);
  }

  return {
    take(within) {
      const outer = within === undefined || within.hasEnded ? undefined : tickets.get(within);
      taken += 1;
      const ticket: Ticket = {
        number: taken,
        lineage: new Set([...(outer?.lineage ?? []), taken]),
        isInner: outer !== undefined,
        claims: outer === undefined ? undefined : NOTHING,
        state: "waiting",
        waitsFor: new Set(),
        start: undefined,
      };
      active.add(ticket);
      const turn: Turn = {
        claim: (claims, signal) => claim(ticket, claims, signal),
        covers: (claims) => ticket.claims !== undefined && coversClaims(ticket.claims, claims),
        get hasEnded() {
          return ticket.state === "ended";
        },
        end() {
          if (!active.delete(ticket)) return;
          ticket.state = "ended";
          reconsider(ticket);
        },
      };
      tickets.set(turn, ticket);
      return turn;
    },
  };
}

const NOTHING: Claims = { isExclusive: false, reads: [], writes: [] };

function waitForStart(ticket: Ticket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      stopListening();
      ticket.start = undefined;
      ticket.waitsFor.clear();
    };
    const giveUp = () => {
      leave();
      reject(signal.reason);
    };
    const stopListening = onAbort(signal, giveUp);
    ticket.start = () => {
      leave();
      // At once, so that whoever is looked at next finds it running.
      ticket.state = "running";
      resolve();
    };
  });
}

/** Whether the second has to wait for the first. */
function isBefore(first: Ticket, second: Ticket): boolean {
  if (first === second || first.state === "ended") return false;
  if (first.lineage.has(second.number) || second.lineage.has(first.number)) return false;
  if (first.number > second.number && first.state !== "running") return false;
  if (first.claims === undefined) return true;
  return second.claims !== undefined && isConflict(first.claims, second.claims);
}
