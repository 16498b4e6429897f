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
import { FIRST_MEMORY, type FileSearch } from "./search-file.ts";

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

/** The caller closes the opener. */
export function makeFileSearch({ pattern, ...plan }: SearchPlan): Omit<FileSearch, "rowsFor"> {
  return {
    ...plan,
    disk: walkDisk,
    opener: makeFolderOpener(walkDisk),
    lines: makeLineFinder(pattern),
    spans: pattern.multiline ? makeSpanFinder(pattern) : undefined,
    memory: { bytes: Buffer.allocUnsafe(FIRST_MEMORY) },
  };
}
