/**
 * Owns what a search asks of every file, as data that can be sent to another thread, and making the search from it.
 * Leaves searching to search-file.ts. Rule: whoever searches a file by the same plan gets the same outcome.
 */
import { makeFolderOpener } from "../../root/folder-opener.ts";
import { walkDisk } from "../../root/walk-disk.ts";
import { makeLineFinder } from "../../text/line-finder.ts";
import type { SearchPattern } from "../../text/regex-pattern.ts";
import { makeSpanFinder } from "../../text/span-finder.ts";
import type { SearchJob } from "./engine.ts";
import { FIRST_MEMORY } from "./held-file.ts";
import type { FileSearch } from "./search-file.ts";

export interface SearchPlan {
  readonly pattern: SearchPattern;
  readonly context: number;
  readonly lineWindow: number;
  readonly mostRows: number;
  readonly firstOnly: boolean;
}

export function planSearch(job: SearchJob): SearchPlan {
  return {
    pattern: job.pattern,
    context: job.mode === "content" ? job.context : 0,
    lineWindow: job.lineWindow,
    mostRows: job.room >> 1,
    firstOnly: job.mode === "files",
  };
}

/** Memory that the last search has given back: reading into what is warm takes half the time. */
let spare: Buffer | undefined;

/** The caller lets go of it with `closeFileSearch`. */
export function makeFileSearch({ pattern, ...plan }: SearchPlan): Omit<FileSearch, "rowsFor"> {
  const bytes = spare ?? Buffer.allocUnsafeSlow(FIRST_MEMORY);
  spare = undefined;
  return {
    ...plan,
    disk: walkDisk,
    opener: makeFolderOpener(walkDisk),
    lines: makeLineFinder(pattern),
    spans: pattern.multiline ? makeSpanFinder(pattern) : undefined,
    memory: { bytes },
  };
}

export function closeFileSearch({ opener, memory }: Pick<FileSearch, "opener" | "memory">): void {
  opener.close();
  // What has grown with a long line is not kept.
  if (memory.bytes.length === FIRST_MEMORY) spare = memory.bytes;
}
