/**
 * Owns which processes belong to a command: those below its shell, however they left it.
 * Leaves reading the processes to process-table.ts and ending them to end-tree.ts.
 *
 * A process belongs to it by descent from a member, by sharing group or session with one (all of them were made within
 * the tree, because the shell began with its own), by the marker in its environment, or by holding the command's
 * output. Rule: each member is known by pid and start time, and is looked at anew before anything is concluded from it.
 *
 * What can be missed without confinement: a process that leaves group and session, clears its environment, gives up
 * the output *and* loses its parent, all between two looks.
 */
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** More new pids than this are dearer to look at one by one than the whole list. */
const MAX_RANGE = 2_000;
/** Within this time the pids of a system cannot have gone round: it would take tens of thousands of processes. */
const MAX_GAP_MS = 1_500;

export interface TreeRequest {
  readonly table: ProcessTable;
  /** The members that are known from the start. */
  readonly seeds: readonly ProcessRow[];
  /** No process that started before this one belongs to it. */
  readonly since: number;
  readonly isOurMark: (mark: string) => boolean;
  /** Names of the command's outputs as the system shows them. */
  readonly outputs: readonly string[];
}

export interface Tree {
  /** Looks at what is new, by descent, group and session alone. */
  sample(): void;
  /** Looks thoroughly, and gives the members that run. */
  findRunning(): ProcessRow[];
  /** Whether no process at all was started since the last look: then there is none to find. */
  isUntouched(): boolean;
  /** The pids of all members ever seen, oldest first. */
  seen(): number[];
}

/** As many are remembered by number: for the host's details alone. */
const MAX_SEEN = 1_000;

interface Look {
  readonly rows: readonly ProcessRow[];
  /** Members that exist now, verified. */
  readonly present: Map<number, ProcessRow>;
  readonly groups: Set<number>;
  readonly sessions: Set<number>;
}

export function openTree(request: TreeRequest): Tree {
  const { table, seeds, since } = request;
  const members = new Map(seeds.map((row) => [row.pid, row]));
  const seen = new Set<number>(members.keys());
  /** Groups and sessions of members that may have gone since the last look, and may have left others there. */
  let leftGroups = new Set(seeds.map((row) => row.group));
  let leftSessions = new Set(seeds.map((row) => row.session));
  let lookedTo = seeds[0]?.pid;
  const openedAtMs = performance.now();
  let lookedAtMs = openedAtMs;

  function look(rows: readonly ProcessRow[]): Look {
    const present = new Map<number, ProcessRow>();
    for (const member of members.values()) {
      const now = table.lookAt(member.pid);
      if (now?.startedAt === member.startedAt) present.set(now.pid, now);
    }
    const groups = new Set([...present.values()].map((row) => row.group));
    const sessions = new Set([...present.values()].map((row) => row.session));
    // A group whose members were there at the last look is still theirs, unless its number is another process's now.
    for (const group of leftGroups) if (isStillLeft(group, present)) groups.add(group);
    for (const session of leftSessions) if (isStillLeft(session, present)) sessions.add(session);
    return { rows, present, groups, sessions };
  }

  function isStillLeft(id: number, present: ReadonlyMap<number, ProcessRow>): boolean {
    return performance.now() - lookedAtMs < MAX_GAP_MS && (present.has(id) || table.lookAt(id) === undefined);
  }

  function admit(found: Look, isOurs: (row: ProcessRow, found: Look) => boolean): void {
    for (let more = true; more; ) {
      more = false;
      for (const row of found.rows) {
        if (found.present.has(row.pid) || row.startedAt < since || row.pid === process.pid) continue;
        if (!isOurs(row, found) || table.isThread(row.pid)) continue;
        more = true;
        found.present.set(row.pid, row);
        found.groups.add(row.group);
        found.sessions.add(row.session);
        if (seen.size < MAX_SEEN) seen.add(row.pid);
      }
    }
    members.clear();
    for (const row of found.present.values()) members.set(row.pid, row);
    leftGroups = new Set([...members.values()].map((row) => row.group));
    leftSessions = new Set([...members.values()].map((row) => row.session));
    lookedAtMs = performance.now();
  }

  function listSince(pid: number | undefined, sinceMs: number): readonly ProcessRow[] {
    lookedTo = table.lastPid();
    const isBrief = performance.now() - sinceMs < MAX_GAP_MS;
    return isBrief ? listRange(table, pid, lookedTo) : table.list();
  }

  return {
    sample: () => admit(look(listSince(lookedTo, lookedAtMs)), isRelated),
    findRunning() {
      const rows = listSince(seeds[0]?.pid, openedAtMs);
      admit(look(rows), (row, found) => isRelated(row, found) || isMarked(request, row));
      return [...members.values()].filter((row) => !row.isZombie);
    },
    isUntouched: () =>
      lookedTo !== undefined &&
      members.size <= seeds.length &&
      performance.now() - lookedAtMs < MAX_GAP_MS &&
      table.lastPid() === lookedTo,
    seen: () => [...seen],
  };
}

/** The processes whose pids were given after `from` up to `to`; all of them where that cannot be told. */
function listRange(
  table: ProcessTable,
  from: number | undefined,
  to: number | undefined,
): readonly ProcessRow[] {
  if (from === undefined || to === undefined || to < from || to - from > MAX_RANGE) return table.list();
  const rows: ProcessRow[] = [];
  for (let pid = from + 1; pid <= to; pid++) {
    const row = table.lookAt(pid);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** The parent is verified: it was there, as itself, after its child had been read. */
function isRelated(row: ProcessRow, found: Look): boolean {
  return (
    found.present.has(row.parent) ||
    found.groups.has(row.group) ||
    (row.session !== 0 && found.sessions.has(row.session))
  );
}

function isMarked({ table, isOurMark, outputs }: TreeRequest, row: ProcessRow): boolean {
  const mark = table.markOf(row.pid);
  if (mark !== "" && isOurMark(mark)) return true;
  return outputs.length > 0 && table.outputsOf(row.pid).some((output) => outputs.includes(output));
}
