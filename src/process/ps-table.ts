/**
 * Owns reading the processes of a system without `/proc` from `ps`: macOS.
 * Leaves what they mean to tree.ts. Rule: no marker and no session here: `ps` tells of neither for certain.
 */
import { spawnSync } from "node:child_process";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

const ASK_MS = 5_000;

export const psTable: ProcessTable = {
  isCheap: false,
  lastPid: () => undefined,
  lookAt: (pid) => ask(["-p", String(pid)])[0],
  list: () => ask(["-ax"]),
  isThread: () => false,
  markOf: () => "",
  outputsOf: () => [],
  wordsOf: (pid) =>
    runPs(["-p", String(pid), "-o", "command="])
      .trim()
      .split(" "),
};

function ask(which: readonly string[]): ProcessRow[] {
  const printed = runPs([...which, "-o", "pid=,ppid=,pgid=,state=,lstart="]);
  return printed.split("\n").flatMap((line) => parseLine(line) ?? []);
}

/** `  501   1   501 S    Mon Nov 30 14:08:19 2026`. */
export function parseLine(line: string): ProcessRow | undefined {
  const fields = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
  if (fields === null) return undefined;
  const [, pid, parent, group, state = "", started = ""] = fields;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: 0,
    startedAt: Date.parse(started),
    isZombie: state.startsWith("Z"),
    isStopped: state.startsWith("T"),
  };
}

function runPs(args: readonly string[]): string {
  if (process.platform === "win32") return "";
  const asked = spawnSync("/bin/ps", [...args], {
    env: { LC_ALL: "C" },
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
    timeout: ASK_MS,
    maxBuffer: 67_108_864,
  });
  return asked.stdout ?? "";
}
