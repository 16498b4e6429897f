/**
 * Owns what an earlier call touched, by the id by which `recall` takes it.
 * Leaves what it gave to past-results.ts, and what follows from it to the session. Rule: told from the entries as they
 * were written; nothing is looked up on the disk.
 */
import { loadStarted, readEndedBody } from "./entry-body.ts";
import { loadValue } from "./kept-value.ts";
import { findPast } from "./past-results.ts";
import type { SessionRow, Store } from "./store.ts";

export interface PastCall {
  /** The mounted name of its tool. */
  readonly name: string;
  /** As they were written. */
  readonly args: unknown;
  readonly access: unknown;
  readonly decision: unknown;
  /** Whether it began before the session was opened, or resumed, in which is asked. */
  readonly isEarlier: boolean;
  /** Of its result; undefined where there are none. Read when they are asked for. */
  details(): unknown;
}

/** `since` is the number of the last entry before the session was opened. */
export function findPastCall(
  store: Store,
  { session, since }: { readonly session: SessionRow; readonly since: number },
  id: string,
): PastCall | undefined {
  const past = findPast(store, session, id);
  if (past === undefined) return undefined;
  const { sessionId, callId } = past;
  const started = store.findEntry({ sessionId, callId, kind: "started" });
  if (started === undefined) return undefined;
  const { name, args, access, decision } = loadStarted(started.body, store);
  return {
    name,
    args,
    access,
    decision,
    isEarlier: sessionId !== session.id || started.seq <= since,
    details: () => loadValue(readEndedBody(past.body).details, store),
  };
}
