/**
 * Owns reading what an ended shell left in its pipes.
 * Leaves reading on to drain.ts. Rule: all that was printed before its end is read, and a child that still holds the
 * pipes, or still prints, prolongs nothing.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { StartedCommand } from "./start-command.ts";

/** More than a pipe can hold: what comes after it was printed after the end. */
const MAX_HELD_BYTES = 2_097_152;
/** In each turn of the event loop a pipe that holds something is read. */
const QUIET_TURNS = 3;

export async function drainRest({
  stdout,
  stderr,
}: Pick<StartedCommand, "stdout" | "stderr">): Promise<void> {
  const count = () => stdout.capture.seen() + stderr.capture.seen();
  const until = count() + MAX_HELD_BYTES;
  let last = -1;
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    if (stdout.drain.isOver() && stderr.drain.isOver()) return;
    if (count() > until) return;
    if (count() !== last) quiet = 0;
    last = count();
    await turn();
  }
}
