/**
 * Owns what this toolset has shown of which file, so that `write` can tell a known file from an unknown one.
 * Leaves judging the ranges to text/seen.ts. Rule: counted only once a result has left; bounded, and what is
 * forgotten is unknown, so that forgetting asks for one more read and never loses a file.
 */
import type { SeenRange, Sight, ToolOutput } from "../contract/output.ts";

/** Files remembered; the least recently seen is forgotten first. A range is about 100 bytes. */
const MAX_FILES = 4_096;
/** Ranges a file: a 10 MB file in pages of 8 KiB has 1,280. */
const MAX_RANGES = 2_048;

export interface SeenStore {
  seen(file: string): readonly SeenRange[];
  /** Remembers with an output what it shows, until it leaves. */
  keep(output: ToolOutput, sights: readonly Sight[]): void;
  /** What an output would show. A wrapper that lets through only a part commits that part itself. */
  sightsOf(output: ToolOutput): readonly Sight[];
  commit(sights: readonly Sight[]): void;
}

export function openSeenStore(): SeenStore {
  const files = new Map<string, readonly SeenRange[]>();
  const waiting = new WeakMap<ToolOutput, readonly Sight[]>();
  return {
    seen: (file) => files.get(file) ?? [],
    keep: (output, sights) => void waiting.set(output, sights),
    sightsOf: (output) => waiting.get(output) ?? [],
    commit(sights) {
      for (const sight of sights) {
        const before = sight.replace ? [] : (files.get(sight.file) ?? []);
        files.delete(sight.file);
        if (sight.replace && sight.ranges.length === 0) continue;
        files.set(sight.file, addRanges(before, sight.ranges));
        const oldest = files.keys().next();
        if (files.size > MAX_FILES && oldest.done !== true) files.delete(oldest.value);
      }
    },
  };
}

function addRanges(before: readonly SeenRange[], added: readonly SeenRange[]): readonly SeenRange[] {
  const fresh = added.filter((range) => !before.some((old) => isSame(old, range)));
  return [...before, ...fresh].slice(-MAX_RANGES);
}

function isSame(one: SeenRange, other: SeenRange): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.hash === other.hash &&
    one.endsFile === other.endsFile
  );
}
