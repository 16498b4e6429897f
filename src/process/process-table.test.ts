/**
 * Owns the tests of reading processes. Rule: lines as the systems print them, and this very process.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linuxTable, parseStat } from "./linux-table.ts";
import { parseLine } from "./ps-table.ts";

const onLinux = it.skipIf(process.platform !== "linux");

describe("a line of /proc/<pid>/stat", () => {
  const rest = (state: string) =>
    `${state} 11 12 13 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 1148446 3133440 390`;
  it.each(["cat", "a b", "x) Z 1 1 1 (", "((("])("is read whatever the name holds: %s", (name) => {
    expect(parseStat(`10 (${name}) ${rest("S")}`)).toEqual({
      pid: 10,
      parent: 11,
      group: 12,
      session: 13,
      startedAt: 1_148_446,
      isZombie: false,
      isStopped: false,
    });
  });
  it("tells what has ended and what is stopped", () => {
    expect(parseStat(`10 (x) ${rest("Z")}`)?.isZombie).toBe(true);
    expect(parseStat(`10 (x) ${rest("T")}`)?.isStopped).toBe(true);
    expect(parseStat("")).toBeUndefined();
  });
});

describe("a line of ps", () => {
  it("is read", () => {
    expect(parseLine("  501     1   500 Ss   Mon Nov 30 14:08:19 2026")).toEqual({
      pid: 501,
      parent: 1,
      group: 500,
      session: 0,
      startedAt: Date.parse("Mon Nov 30 14:08:19 2026"),
      isZombie: false,
      isStopped: false,
    });
    expect(parseLine("")).toBeUndefined();
  });
});

describe("the processes of Linux", () => {
  onLinux("hold this one, and the one that was started last", () => {
    const own = linuxTable.lookAt(process.pid);
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, isZombie: false });
    expect(linuxTable.list()).toContainEqual(own);
    expect(linuxTable.wordsOf(process.pid).length).toBeGreaterThan(0);
    const { pid } = spawnSync("true");
    expect(linuxTable.lastPid()).toBeGreaterThanOrEqual(pid);
    expect(linuxTable.lookAt(pid)).toBeUndefined();
    expect([linuxTable.markOf(pid), linuxTable.outputsOf(pid), linuxTable.wordsOf(pid)]).toEqual([
      undefined,
      [],
      [],
    ]);
  });
});

onLinux("sees what runs where no descriptor is left", () => {
  const { pid } = process;
  expect(linuxTable.lookAt(pid)?.pid).toBe(pid);
  const held: number[] = [];
  const limit = spawnSync("prlimit", [
    "--pid",
    String(pid),
    "--nofile",
    "--output",
    "SOFT,HARD",
    "--noheadings",
  ]);
  const before = limit.stdout.toString().trim().split(/\s+/).join(":");
  const most = Math.max(...readdirSync("/proc/self/fd").map(Number)) + 20;
  try {
    spawnSync("prlimit", ["--pid", String(pid), `--nofile=${most}:${before.split(":")[1]}`]);
    expect(() => {
      for (;;) held.push(openSync("/dev/null", "r"));
    }).toThrow("EMFILE");
    expect(linuxTable.lookAt(pid)?.pid).toBe(pid);
    expect(linuxTable.list().some((row) => row.pid === pid)).toBe(true);
    expect(linuxTable.lookAt(pid)?.pid).toBe(pid);
  } finally {
    for (const fd of held) closeSync(fd);
    spawnSync("prlimit", ["--pid", String(pid), `--nofile=${before}`]);
  }
});
