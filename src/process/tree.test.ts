/**
 * Owns the tests of which processes belong to a command. Rule: a table made by hand, so that a pid can be given again.
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import { openTree } from "./tree.ts";

const rows = new Map<number, ProcessRow>();
const marks = new Map<number, string>();
const outputs = new Map<number, string>();
const threads = new Set<number>();
let last = 0;
const makeTable = (): ProcessTable => ({
  isCheap: true,
  lastPid: () => last,
  lookAt: (pid) => rows.get(pid),
  list: () => [...rows.values()],
  isThread: (pid) => threads.has(pid),
  markOf: (pid) => marks.get(pid) ?? "",
  outputsOf: (pid) => [outputs.get(pid) ?? ""],
  wordsOf: () => [],
});
/** Another one for each test: what a look has shown is remembered by table. */
let table = makeTable();

function put(pid: number, more: Partial<ProcessRow> = {}): ProcessRow {
  const row = {
    pid,
    parent: 1,
    group: pid,
    session: pid,
    startedAt: pid,
    isZombie: false,
    isStopped: false,
    ...more,
  };
  rows.set(pid, row);
  last = Math.max(last, pid);
  return row;
}

/** Each with a number that no real process of this machine can be taken for. */
const SHELL = 5_000_000;
const [CHILD, OTHER] = [SHELL + 1, SHELL + 2];
function open() {
  const shell = put(SHELL);
  const isOurMark = (mark: string) => mark === "ours";
  return openTree({ table, seeds: [shell], since: shell.startedAt, isOurMark, outputs: ["pipe"] });
}
const pids = (found: readonly ProcessRow[]) => found.map((row) => row.pid).sort();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  for (const each of [rows, marks, outputs, threads]) each.clear();
  last = 0;
  table = makeTable();
});

describe("a command's tree", () => {
  it("holds what shares parent, group or session, and what carries the mark or the output", () => {
    const tree = open();
    put(CHILD, { parent: SHELL });
    put(SHELL + 2, { parent: CHILD });
    put(SHELL + 3, { group: SHELL });
    put(SHELL + 4, { session: SHELL });
    put(SHELL + 5);
    marks.set(SHELL + 5, "ours");
    put(SHELL + 6);
    outputs.set(SHELL + 6, "pipe");
    put(SHELL + 7);
    marks.set(SHELL + 7, "another's");
    expect(pids(tree.findRunning())).toEqual([0, 1, 2, 3, 4, 5, 6].map((count) => SHELL + count));
  });

  it("holds no zombie, no thread, and nothing that started before it", () => {
    put(SHELL - 1, { group: SHELL });
    const tree = open();
    put(SHELL, { isZombie: true });
    put(CHILD, { parent: SHELL });
    threads.add(CHILD);
    expect(tree.findRunning()).toEqual([]);
  });

  it("holds a child that lost its parent after it was seen", () => {
    const tree = open();
    put(CHILD, { parent: SHELL });
    put(OTHER, { parent: CHILD });
    tree.sample();
    rows.delete(SHELL);
    rows.delete(CHILD);
    put(OTHER);
    expect(pids(tree.findRunning())).toEqual([OTHER]);
    expect(tree.seen()).toEqual([SHELL, CHILD, OTHER]);
  });

  it("holds what the shell left in its group as it ended", () => {
    const tree = open();
    put(CHILD, { group: SHELL, session: SHELL });
    rows.delete(SHELL);
    expect(pids(tree.findRunning())).toEqual([CHILD]);
  });

  it("is not untouched where a look has passed over what had already left everything but its mark", () => {
    const tree = open();
    put(CHILD);
    marks.set(CHILD, "ours");
    tree.sample();
    rows.delete(SHELL);
    expect(tree.isUntouched()).toBe(false);
    expect(pids(tree.findRunning())).toEqual([CHILD]);
  });

  it("is untouched as long as nothing was started anywhere", () => {
    const tree = open();
    expect(tree.isUntouched()).toBe(true);
    put(CHILD);
    expect(tree.isUntouched()).toBe(false);
  });
});

describe("a pid that was given again", () => {
  it("is no member any more, and its children are none", () => {
    const tree = open();
    put(CHILD, { parent: SHELL });
    tree.sample();
    put(CHILD, { startedAt: SHELL + 100 });
    put(OTHER, { parent: CHILD, startedAt: SHELL + 101 });
    expect(pids(tree.findRunning())).toEqual([SHELL]);
  });

  it("makes no group or session of the shell's number ours", () => {
    const tree = open();
    put(SHELL, { startedAt: SHELL + 100 });
    put(CHILD, { group: SHELL, session: SHELL, startedAt: SHELL + 101 });
    expect(tree.findRunning()).toEqual([]);
  });

  it("is reckoned with where nobody has looked for long, even if its new owner has gone again", () => {
    const tree = open();
    rows.delete(SHELL);
    vi.advanceTimersByTime(10_000);
    put(CHILD, { group: SHELL, session: SHELL, startedAt: SHELL + 101 });
    expect(tree.findRunning()).toEqual([]);
  });

  it("is reckoned with as soon as two looks found nobody in the group", () => {
    const tree = open();
    rows.delete(SHELL);
    tree.sample();
    tree.sample();
    put(CHILD, { group: SHELL, session: SHELL, startedAt: SHELL + 101 });
    expect(tree.findRunning()).toEqual([]);
  });

  it("of a member of a group does not end the group, while another member is there", () => {
    const tree = open();
    put(CHILD, { parent: SHELL, group: SHELL });
    tree.sample();
    rows.delete(SHELL);
    vi.advanceTimersByTime(10_000);
    put(OTHER, { group: SHELL });
    expect(pids(tree.findRunning())).toEqual([CHILD, OTHER]);
  });
});

describe("what starts while one looks", () => {
  it("is found, though its parent has ended", () => {
    const tree = open();
    rows.delete(SHELL);
    const look = vi.spyOn(table, "lookAt");
    let isHopped = false;
    look.mockImplementation((pid) => {
      if (pid === SHELL && !isHopped) {
        isHopped = true;
        put(CHILD);
        marks.set(CHILD, "ours");
      }
      return rows.get(pid);
    });
    expect(pids(tree.findRunning())).toEqual([CHILD]);
    look.mockRestore();
  });
});

describe("trees that look at nearly the same moment", () => {
  it("read all processes once, and see what was started since", () => {
    const [one, other] = [open(), open()];
    put(CHILD);
    marks.set(CHILD, "ours");
    vi.advanceTimersByTime(2_000);
    const list = vi.spyOn(table, "list");
    const markOf = vi.spyOn(table, "markOf");
    expect(pids(one.findRunning())).toEqual([SHELL, CHILD]);
    put(OTHER, { parent: CHILD });
    expect(pids(other.findRunning())).toEqual([SHELL, CHILD, OTHER]);
    expect(list).toHaveBeenCalledTimes(1);
    expect(markOf.mock.calls.filter(([pid]) => pid === CHILD)).toHaveLength(1);
    vi.advanceTimersByTime(100);
    rows.delete(CHILD);
    rows.delete(OTHER);
    rows.delete(SHELL);
    expect([pids(one.findRunning()), pids(other.findRunning())]).toEqual([[], []]);
    expect(list).toHaveBeenCalledTimes(2);
  });
});
