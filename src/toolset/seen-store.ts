/**
 * Owns what this toolset has shown of which file, so that `write` can tell a known file from an unknown one.
 * Leaves judging the ranges to text/seen.ts. Rule: counted only once a result has left; bounded, and what is
 * forgotten is unknown, so that forgetting asks for one more read and never loses a file.
 */
import type { SeenRange, Sight, ToolOutput } from "../contract/output.ts";

/** Files remembered; the least recently seen is forgotten first. */
const MAX_FILES = 4_096;
/**
 * Ranges a file. Pages of 8 KiB of the largest file that `write` compares (256 MiB) are 32,768, and nobody reads that;
 * single lines of the longest sources are about 10,000. A range is about 200 bytes: a file at the bound takes 3 MB.
 */
const MAX_RANGES = 16_384;
/** Ranges of all files together, 32 times the bound of one: about 100 MB. */
const MAX_ALL_RANGES = 524_288;

export interface SeenStore {
  seen(file: string): readonly SeenRange[];
  /** All files of which anything is remembered, by their real paths. */
  files(): readonly string[];
  /** Remembers with an output what it shows, until it leaves. */
  keep(output: ToolOutput, sights: readonly Sight[]): void;
  /** What an output would show. A wrapper that lets through only a part commits that part itself. */
  sightsOf(output: ToolOutput): readonly Sight[];
  commit(sights: readonly Sight[]): void;
}

export function openSeenStore(): SeenStore {
  const files = new Map<string, readonly SeenRange[]>();
  const waiting = new WeakMap<ToolOutput, readonly Sight[]>();
  let total = 0;
  function forget(file: string): void {
    total -= files.get(file)?.length ?? 0;
    files.delete(file);
  }
  function remember({ file, ranges, replace }: Sight): void {
    const before = replace ? [] : (files.get(file) ?? []);
    forget(file);
    if (replace && ranges.length === 0) return;
    const after = addRanges(before, ranges);
    files.set(file, after);
    total += after.length;
    for (const oldest of files.keys()) {
      if (files.size <= MAX_FILES && total <= MAX_ALL_RANGES) return;
      forget(oldest);
    }
  }
  return {
    seen: (file) => files.get(file) ?? [],
    files: () => [...files.keys()],
    keep: (output, sights) => void waiting.set(output, sights),
    sightsOf: (output) => waiting.get(output) ?? [],
    commit(sights) {
      for (const sight of sights) remember(sight);
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
