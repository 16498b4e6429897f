/**
 * Owns the ids of the calls of a session. Leaves remembering them from one process to the next to the ledger.
 * Rule: unique within the session; a provider's own id is kept where it is fresh and can stand anywhere that an id
 * stands (no slash: `<session>/<call>` is the full name of a call).
 */

/** Providers' ids in use have up to 64 characters; two of them joined fit too. */
const PLAIN_ID = /^[A-Za-z0-9_.:|=+-]{1,160}$/;

export interface CallIds {
  /** The wished id where it is fresh, another one where not. */
  give(wished: unknown): string;
}

export function openCallIds(taken: Iterable<string> = []): CallIds {
  const given = new Set(taken);
  let made = given.size;
  const make = () => {
    do made += 1;
    while (given.has(`call_${made}`));
    return `call_${made}`;
  };
  return {
    give(wished) {
      const isFresh = typeof wished === "string" && PLAIN_ID.test(wished) && !given.has(wished);
      const id = isFresh ? wished : make();
      given.add(id);
      return id;
    },
  };
}
