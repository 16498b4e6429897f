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
import { findCarried, listAll, listRange } from "./shared-look.ts";

/** Within this time the pids of a system cannot have gone round: it would take tens of thousands of processes. */
const MAX_GAP_MS = 1_500;

/** Looks again, where other processes of the system start at every moment. */
const MAX_LOOKS = 8;

export interface TreeRequest {
  readonly table: ProcessTable;
  /** The members that are known from the start. */
  readonly seeds: readonly ProcessRow[];
  /** No process that started before this one belongs to it. */
  readonly since: number;
  readonly isOurMark: (mark: string) => boolean;
  /** Names of the command's outputs as the system shows them. */
  readonly outputs: readonly string[];
  /** What only holds a fence up: looked through like a member, and never among those that run. */
  readonly isKeeper?: (row: ProcessRow) => boolean;
}

export interface Tree {
  /** Looks at what is new, by descent, group and session alone. */
  sample(): void;
  /** Looks thoroughly, and gives the members that run. */
  findRunning(): ProcessRow[];
  /** Whether any member runs; thorough only where no known one does. */
  isRunning(): boolean;
  /** Whether no process at all was started beside the known ones: then there is none to find. */
  isUntouched(): boolean;
  /** The pids of all members ever seen, oldest first. */
  seen(): number[];
}

/** As many are remembered by number: for the host's details alone. */
const MAX_SEEN = 1_000;

/** Whether a group or session had a member at the last look, or at the one before alone. */
type Hold = "member" | "left";

/** What is known of a tree. */
interface Known {
  readonly request: TreeRequest;
  readonly seen: Set<number>;
  members: Map<number, ProcessRow>;
  groups: Map<number, Hold>;
  sessions: Map<number, Hold>;
  /** When and up to which pid was looked last. */
  lookedAtMs: number;
  lookedTo: number | undefined;
  /** A look by descent, group and session alone has passed over what may have left all three before it. */
  hasPassedOver: boolean;
}

type Belongs = (row: ProcessRow, known: Known) => boolean;

export function openTree(request: TreeRequest): Tree {
  const { table, seeds, isKeeper = () => false } = request;
  const openedAtMs = performance.now();
  const known: Known = {
    request,
    seen: new Set(),
    members: new Map(),
    groups: new Map(),
    sessions: new Map(),
    lookedAtMs: openedAtMs,
    lookedTo: seeds[0]?.pid,
    hasPassedOver: false,
  };
  for (const row of seeds) admit(known, row);
  const belongs: Belongs = (row) => isRelated(row, known) || isMarked(row, request);
  const findRunning = () => {
    let since = { pid: seeds[0]?.pid, ms: openedAtMs };
    for (let look = 0; ; look++) {
      lookThrough(known, listSince(known, since), belongs);
      const running = [...known.members.values()].filter((row) => !row.isZombie && !isKeeper(row));
      // What was started while we looked may be the child of what we saw end.
      if (running.length > 0 || look === MAX_LOOKS || table.lastPid() === known.lookedTo) return running;
      since = { pid: known.lookedTo, ms: known.lookedAtMs };
    }
  };
  return {
    findRunning,
    isRunning: () =>
      [...known.members.values()].some((row) => !isKeeper(row) && isStill(table)(row)) ||
      findRunning().length > 0,
    sample() {
      const rows = listSince(known, { pid: known.lookedTo, ms: known.lookedAtMs });
      lookThrough(known, rows, isRelated);
      known.hasPassedOver ||= rows.some(
        (row) => !known.members.has(row.pid) && !row.isZombie && row.startedAt >= request.since,
      );
    },
    isUntouched: () =>
      known.lookedTo !== undefined &&
      !known.hasPassedOver &&
      known.members.size <= seeds.length &&
      performance.now() - known.lookedAtMs < MAX_GAP_MS &&
      table.lastPid() === known.lookedTo,
    seen: () => [...known.seen],
  };
}

function admit(known: Known, row: ProcessRow): void {
  known.members.set(row.pid, row);
  known.groups.set(row.group, "member");
  if (row.session !== 0) known.sessions.set(row.session, "member");
  if (known.seen.size < MAX_SEEN) known.seen.add(row.pid);
}

/** The rows were read before the members are verified: a parent that is still itself then was it before. */
function lookThrough(known: Known, rows: readonly ProcessRow[], belongs: Belongs): void {
  const before = [known.groups, known.sessions] as const;
  verify(known);
  const { table, since } = known.request;
  for (let more = true; more; ) {
    more = false;
    for (const row of rows) {
      if (known.members.has(row.pid) || row.startedAt < since || row.pid === process.pid) continue;
      if (!belongs(row, known) || table.isThread(row.pid)) continue;
      admit(known, row);
      more = true;
    }
  }
  known.groups = keepOnce(
    before[0],
    [...known.members.values()].map((row) => row.group),
  );
  known.sessions = keepOnce(
    before[1],
    [...known.members.values()].map((row) => row.session),
  );
  known.sessions.delete(0);
  known.lookedAtMs = performance.now();
}

/**
 * Those that have a member now, and for one more look those that have lost theirs: it may have left others there after
 * the rows were read. No longer: a number that nobody holds is soon another process's.
 */
function keepOnce(before: ReadonlyMap<number, Hold>, held: readonly number[]): Map<number, Hold> {
  const kept = new Map<number, Hold>();
  for (const [id, hold] of before) if (hold === "member") kept.set(id, "left");
  for (const id of held) kept.set(id, "member");
  return kept;
}

/** Drops the members that are gone, and the groups and sessions whose number may be another's by now. */
function verify(known: Known): void {
  const { table } = known.request;
  const { members, groups, sessions, lookedAtMs } = known;
  known.members = new Map();
  known.groups = new Map();
  known.sessions = new Map();
  for (const member of members.values()) {
    const now = table.lookAt(member.pid);
    if (now?.startedAt === member.startedAt) admit(known, now);
  }
  if (performance.now() - lookedAtMs > MAX_GAP_MS) return;
  const isFree = (id: number) => table.lookAt(id) === undefined;
  for (const [group, hold] of groups) if (isFree(group)) known.groups.set(group, hold);
  for (const [session, hold] of sessions) if (isFree(session)) known.sessions.set(session, hold);
}

function listSince(
  known: Known,
  since: { readonly pid: number | undefined; readonly ms: number },
): readonly ProcessRow[] {
  const { table } = known.request;
  const upTo = table.lastPid();
  const isBrief = performance.now() - since.ms < MAX_GAP_MS;
  const range = isBrief ? listRange(table, { after: since.pid, upTo }) : undefined;
  const all = range === undefined ? listAll(table) : { rows: range, upTo };
  known.lookedTo = all.upTo;
  return all.rows;
}

function isStill(table: ProcessTable): (row: ProcessRow) => boolean {
  return (row) => {
    const now = table.lookAt(row.pid);
    return now?.startedAt === row.startedAt && !now.isZombie;
  };
}

function isRelated(row: ProcessRow, { members, groups, sessions }: Known): boolean {
  return members.has(row.parent) || groups.has(row.group) || sessions.has(row.session);
}

/** A zombie carries nothing any more. */
function isMarked(row: ProcessRow, { table, isOurMark, outputs }: TreeRequest): boolean {
  if (row.isZombie) return false;
  const carried = findCarried(table, row);
  if (carried.mark !== "") return isOurMark(carried.mark);
  return carried.outputs.some((output) => outputs.includes(output));
}
