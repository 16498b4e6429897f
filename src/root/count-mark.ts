/**
 * Owns marks in the counts of a walk: how far they were when an entry was met.
 * Leaves counting to walk.ts. Rule: a search that runs behind its walk and stops early tells only what the walk had
 * counted by the entry at which the search stopped, as one that keeps step with its walk does.
 */
import type { HiddenEntry, WalkCounts } from "./walk-counts.ts";

export interface CountMark {
  readonly ignored: number;
  readonly notWalked: number;
  readonly unreadable: number;
  readonly hidden: number;
  /** Absent where nothing was withheld. */
  readonly withheld?: ReadonlyMap<string, number>;
}

function markCounts({ ignored, notWalked, unreadable, hidden, withheld }: WalkCounts): CountMark {
  const mark = {
    ignored,
    notWalked: notWalked.length,
    unreadable: unreadable.length,
    hidden: hidden.length,
  };
  return withheld.size === 0 ? mark : { ...mark, withheld: new Map(withheld) };
}

/** Counts change seldom and files are many: one mark serves as long as it holds. */
export function makeMarker(walked: WalkCounts): () => CountMark {
  let mark = markCounts(walked);
  return () => {
    const { ignored, notWalked, unreadable, withheld } = walked;
    const holds =
      ignored === mark.ignored &&
      notWalked.length === mark.notWalked &&
      unreadable.length === mark.unreadable;
    if (!holds || withheld.size > 0) mark = markCounts(walked);
    return mark;
  };
}

/** Carries counts over, up to marks that are given in the order in which they were made. */
export interface CountFollower {
  advance(to: CountMark): void;
}

export function followCounts(from: WalkCounts, into: WalkCounts): CountFollower {
  let notWalked = 0;
  let unreadable = 0;
  let hidden = 0;
  return {
    advance(to) {
      into.ignored = to.ignored;
      for (; notWalked < to.notWalked; notWalked++) into.notWalked.push(from.notWalked[notWalked] as string);
      for (; unreadable < to.unreadable; unreadable++) {
        into.unreadable.push(from.unreadable[unreadable] as WalkCounts["unreadable"][number]);
      }
      for (; hidden < to.hidden; hidden++) into.hidden.push(from.hidden[hidden] as HiddenEntry);
      for (const [rule, count] of to.withheld ?? []) into.withheld.set(rule, count);
    },
  };
}
