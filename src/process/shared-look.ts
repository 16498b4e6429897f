/**
 * Owns one look through all processes, shared by the trees that ask for it at nearly the same moment.
 * Leaves what belongs to which tree to tree.ts. Rule: only where what was started since can be told and is added, so
 * that a shared look shows as much as a new one. Many commands that end at once would else each read the whole table
 * at every step: fifty of them took four seconds.
 */
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** A few steps of an ending tree. What it knows its members by is read anew at each, however old the look. */
const SHARED_MS = 50;
/** More new pids than this are dearer to look at one by one than the whole list. */
const MAX_RANGE = 2_000;

/** By what a process is known that has left everything else of its command. */
export interface Carried {
  readonly mark: string;
  readonly outputs: readonly string[];
}

interface Look {
  readonly rows: readonly ProcessRow[];
  /** The last pid that was given before it began. */
  readonly lastPid: number | undefined;
  readonly endedAtMs: number;
  /** Of its processes, and of those that were started since, by pid. */
  readonly carried: Map<number, Carried & { readonly startedAt: number }>;
}

const looks = new WeakMap<ProcessTable, Look>();

export interface AllProcesses {
  readonly rows: readonly ProcessRow[];
  /** The pid up to which they were looked at. */
  readonly upTo: number | undefined;
}

export function listAll(table: ProcessTable): AllProcesses {
  const before = looks.get(table);
  const upTo = table.lastPid();
  const since =
    before !== undefined && isFresh(before) ? listRange(table, { after: before.lastPid, upTo }) : undefined;
  if (before !== undefined && since !== undefined) return { rows: [...before.rows, ...since], upTo };
  const { rows, lastPid } = look(table);
  return { rows, upTo: lastPid };
}

/** The processes whose pids were given in between; undefined where that cannot be told, or is too many. */
export function listRange(
  table: ProcessTable,
  { after, upTo }: { readonly after: number | undefined; readonly upTo: number | undefined },
): readonly ProcessRow[] | undefined {
  if (after === undefined || upTo === undefined || upTo < after || upTo - after > MAX_RANGE) return undefined;
  const rows: ProcessRow[] = [];
  for (let pid = after + 1; pid <= upTo; pid++) {
    const row = table.lookAt(pid);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/**
 * Read once: what belongs to a command carries its mark or its output from its first moment, and is known from then on.
 * A process without an environment has ended, or is just about to become another program: it is looked at again.
 */
export function findCarried(table: ProcessTable, { pid, startedAt }: ProcessRow): Carried {
  const carried = looks.get(table)?.carried;
  const known = carried?.get(pid);
  if (known?.startedAt === startedAt) return known;
  const mark = table.markOf(pid);
  const found = { mark: mark ?? "", outputs: table.outputsOf(pid), startedAt };
  if (mark !== undefined) carried?.set(pid, found);
  return found;
}

function isFresh({ endedAtMs }: Look): boolean {
  return performance.now() - endedAtMs < SHARED_MS;
}

function look(table: ProcessTable): Look {
  const before = looks.get(table)?.carried;
  const lastPid = table.lastPid();
  const rows = table.list();
  const carried: Look["carried"] = new Map();
  for (const { pid } of rows) {
    const known = before?.get(pid);
    if (known !== undefined) carried.set(pid, known);
  }
  const made = { rows, lastPid, carried, endedAtMs: performance.now() };
  looks.set(table, made);
  return made;
}
