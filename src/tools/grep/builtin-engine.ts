/**
 * Owns the engine that needs no other program, and its look at what ignore rules have hidden.
 * Leaves searching a tree to tree-search.ts. Rule: nobody can tell from an answer who has searched.
 */
import { pump } from "../../root/search-pump.ts";
import type { HiddenEntry, WalkEntry } from "../../root/walk-counts.ts";
import { makeReadAhead } from "./ahead.ts";
import type { SearchEngine, SearchJob } from "./engine.ts";
import { closeFileSearch, makeFileSearch, planSearch } from "./file-search.ts";
import { searchFile } from "./search-file.ts";
import { endSearch, searchTree, startSearch } from "./tree-search.ts";

/** Enough to look into a build folder, too little to be felt. */
const MAX_PROBED_BYTES = 4_194_304;
const MAX_PROBED_FILES = 500;

/**
 * The first ignored file that matches, looked for within bounds among what the walk has left out: a binary path, or
 * undefined.
 */
export async function findIgnoredMatch(
  job: SearchJob,
  hidden: readonly HiddenEntry[],
): Promise<string | undefined> {
  let found: string | undefined;
  const search = { ...makeFileSearch(planSearch(job)), rowsFor: 0, firstOnly: true };
  const probe = function* (): Generator<undefined, void> {
    let files = 0;
    let bytes = 0;
    for (const entry of listHidden(hidden)) {
      yield undefined;
      if (entry === undefined || entry.notWalked === true) continue;
      const result = yield* searchFile(search, entry);
      if (result.kind === "searched" && result.matches > 0) {
        found = entry.path;
        return;
      }
      bytes += result.kind === "searched" ? result.bytes : 0;
      if (++files > MAX_PROBED_FILES || bytes > MAX_PROBED_BYTES) return;
    }
  };
  try {
    await pump(probe(), { signal: job.signal, take: () => {} });
  } finally {
    closeFileSearch(search);
  }
  return found;
}

function* listHidden(hidden: readonly HiddenEntry[]): Generator<WalkEntry | undefined, void> {
  for (const entry of hidden) {
    if (entry.wanted) yield entry;
    yield* entry.descend();
  }
}

export const builtinEngine = makeBuiltinEngine();

/** When files are read ahead is not asked by tests alone. */
export function makeBuiltinEngine(when?: "slow" | "always"): SearchEngine {
  return {
    name: "builtin",
    async search(job) {
      const search = startSearch(job, makeReadAhead(when));
      try {
        await searchTree(search, []);
      } finally {
        endSearch(search);
      }
      return search.tally.outcome;
    },
  };
}
