/**
 * Owns putting new bytes in place of several ranges of a file at once.
 * Leaves choosing the ranges and what to put there to replace.ts.
 * Rule: one new buffer, filled once; a million places cost what their bytes cost.
 */
import type { Occurrence } from "./find-text.ts";
import type { Splice } from "./splices.ts";

/** Splices told apart; past it neighbours are told as one, the bytes between them included. */
const MOST_SPLICES = 2_000;

/** The new text and what changed in it; undefined where `fill` has nothing to put in one of the places. `unit` is 2 in UTF-16. */
export function spliceIn<Target extends Occurrence>(of: {
  bytes: Buffer;
  unit: 1 | 2;
  targets: readonly Target[];
  fill: (target: Target) => Buffer | undefined;
}): { bytes: Buffer; splices: Splice[] } | undefined {
  const { bytes, unit, targets, fill } = of;
  const fills: Buffer[] = [];
  let length = bytes.length;
  for (const target of targets) {
    const fresh = fill(target);
    if (fresh === undefined) return undefined;
    fills.push(fresh);
    length += fresh.length - (target.end - target.start);
  }
  const after = Buffer.allocUnsafe(length);
  const splices: Splice[] = [];
  let [from, at] = [0, 0];
  for (const [index, target] of targets.entries()) {
    const fresh = fills[index] ?? Buffer.alloc(0);
    at += bytes.copy(after, at, from, target.start);
    const splice = trimSplice(bytes, target, { fresh, newStart: at, unit });
    if (splice !== undefined) splices.push(splice);
    at += fresh.copy(after, at);
    from = target.end;
  }
  bytes.copy(after, at, from);
  return { bytes: after, splices: coarsen(splices) };
}

/** The part that really differs: what old and new text share at both ends was not changed. */
function trimSplice(
  bytes: Buffer,
  { start, end }: Occurrence,
  { fresh, newStart, unit }: { fresh: Buffer; newStart: number; unit: 1 | 2 },
): Splice | undefined {
  const length = end - start;
  const shorter = Math.min(length, fresh.length);
  let lead = 0;
  while (lead < shorter && bytes[start + lead] === fresh[lead]) lead++;
  let tail = 0;
  while (tail < shorter - lead && bytes[end - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  // Half a unit that both share belongs to a character that they do not.
  lead -= lead % unit;
  tail -= tail % unit;
  if (lead + tail === length && length === fresh.length) return undefined;
  return {
    start: start + lead,
    end: end - tail,
    newStart: newStart + lead,
    newEnd: newStart + fresh.length - tail,
  };
}

/** Joins neighbours until few enough are left to be worked with one by one. */
function coarsen(splices: readonly Splice[]): Splice[] {
  let coarse = [...splices];
  for (let gap = 64; coarse.length > MOST_SPLICES; gap *= 4) {
    const joined: Splice[] = [];
    for (const splice of coarse) {
      const last = joined.at(-1);
      if (last === undefined || splice.start - last.end > gap) joined.push(splice);
      else joined[joined.length - 1] = { ...last, end: splice.end, newEnd: splice.newEnd };
    }
    coarse = joined;
  }
  return coarse;
}
