/**
 * Owns what is asked of the system about the processes that run, and which system answers.
 * Leaves reading `/proc` to linux-table.ts, `ps` to ps-table.ts, and what belongs together to tree.ts.
 * Rule: a process is a pid *and* its start time; a pid alone may have been given to another process since.
 */
import { linuxTable } from "./linux-table.ts";
import { psTable } from "./ps-table.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** Ticks or milliseconds of the system's own clock: equal for one process, larger for a later one. */
  readonly startedAt: number;
  /** Ended, and not yet fetched by its parent: it runs nothing. */
  readonly isZombie: boolean;
  /** Stopped by a signal. */
  readonly isStopped: boolean;
}

export interface ProcessTable {
  /** Whether looking is cheap enough to be done many times a second. */
  readonly isCheap: boolean;
  /** The pid given most recently; undefined where the system does not tell. */
  lastPid(): number | undefined;
  lookAt(pid: number): ProcessRow | undefined;
  list(): ProcessRow[];
  /** Whether it is a further thread of a process, which has a number of the same kind. */
  isThread(pid: number): boolean;
  /** The value of our marker in its environment; empty where there is none, undefined where there is no environment to read. */
  markOf(pid: number): string | undefined;
  /** What its standard output and error lead to. */
  outputsOf(pid: number): readonly string[];
  /** Its words. */
  wordsOf(pid: number): readonly string[];
}

/** The variable by which what a command started is found again. */
export const MARK = "HAFT_MARK";

export const processTable: ProcessTable = process.platform === "linux" ? linuxTable : psTable;
