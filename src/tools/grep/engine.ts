/**
 * Owns the words between the grep tool and whoever does the searching.
 * Leaves the work to the engines. Rule: nothing in an outcome tells which engine made it.
 */
import type { Place } from "../../contract/access.ts";
import type { Ports } from "../../contract/context.ts";
import type { Root } from "../../contract/root.ts";
import type { WalkCounts } from "../../root/walk-counts.ts";
import type { GlobPattern } from "../../text/glob-pattern.ts";
import type { Row } from "../../text/match-rows.ts";
import type { SearchPattern } from "../../text/regex-pattern.ts";

export type GrepMode = "content" | "files" | "count";

export interface SearchJob {
  readonly root: Root;
  readonly place: Place;
  /** The place is one file. */
  readonly single: boolean;
  readonly withholds: Ports["withholds"];
  readonly pattern: SearchPattern;
  readonly include: IncludeFilter | undefined;
  readonly mode: GrepMode;
  /** Matches that are shown (`content`), or files (`files`, `count`). */
  readonly limit: number;
  readonly context: number;
  readonly lineWindow: number;
  /** Characters that rows may take together. */
  readonly room: number;
  readonly signal: AbortSignal;
}

export interface IncludeFilter {
  readonly glob: GlobPattern;
  /** As it was written, without a leading `!`. */
  readonly text: string;
  /** `!*.test.ts`: everything but these. */
  readonly excludes: boolean;
}

export interface FoundFile {
  /** Relative to the searched place, a binary string; empty where the place is the file. */
  readonly path: string;
  readonly matches: number;
  readonly rows: readonly Row[];
  /** The first bytes of the file, where rows are still to be decoded. */
  readonly sample?: Buffer;
}

export interface SearchOutcome {
  /** Files that match, in the order of the bytes of their paths; those past the limit without rows. */
  readonly found: FoundFile[];
  readonly counts: WalkCounts;
  matches: number;
  files: number;
  searched: number;
  binary: number;
  tooLarge: number;
  /** True where the search ended before the tree did: counts are "at least". */
  stopped: boolean;
}

export interface SearchEngine {
  readonly name: "builtin";
  search(job: SearchJob): Promise<SearchOutcome>;
}
