/**
 * Owns what a result showed of files while a part of that result is in a window's gap.
 * Leaves what is known of a file to the toolset. Rule: shown means left the session. As nothing tells which line of
 * a result shows which bytes, what such a result showed counts only once its gap was recalled, all of it.
 */
import type { Sight } from "../contract/output.ts";
import type { Omitted } from "../text/window.ts";

interface Part {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface Withheld {
  readonly sights: readonly Sight[];
  readonly kind: Omitted["kind"];
  /** What of the gap has not been recalled yet. */
  missing: readonly Part[];
}

/** What a recall showed whole. */
export interface RecalledPart {
  readonly id: string;
  readonly kind: Omitted["kind"];
  readonly start: number;
  /** Inclusive for lines, exclusive for characters, as `recall` takes them. */
  readonly end: number;
}

export interface WithheldSights {
  keep(id: string, sights: readonly Sight[], omitted: Omitted): void;
  /** The sights that count now. */
  recall(part: RecalledPart): readonly Sight[];
}

/** Results of which a part is still to be recalled; beyond that the oldest are forgotten, and their files are unknown. */
const MOST = 256;

export function openWithheldSights(): WithheldSights {
  const withheld = new Map<string, Withheld>();
  return {
    keep(id, sights, omitted) {
      if (sights.length === 0) return;
      withheld.set(id, { sights, kind: omitted.kind, missing: [partOf(omitted)] });
      for (const oldest of withheld.keys()) {
        if (withheld.size <= MOST) break;
        withheld.delete(oldest);
      }
    },
    recall(part) {
      const of = withheld.get(part.id);
      if (of === undefined || of.kind !== part.kind) return [];
      of.missing = of.missing.flatMap((missing) => subtract(missing, partOf(part)));
      if (of.missing.length > 0) return [];
      withheld.delete(part.id);
      return of.sights;
    },
  };
}

function partOf({ kind, start, end }: Pick<Omitted, "kind" | "start" | "end">): Part {
  return { start, end: kind === "lines" ? end + 1 : end };
}

function subtract(from: Part, taken: Part): Part[] {
  const before = { start: from.start, end: Math.min(from.end, taken.start) };
  const after = { start: Math.max(from.start, taken.end), end: from.end };
  return [before, after].filter((part) => part.start < part.end);
}
