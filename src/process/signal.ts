/**
 * Owns sending signals: the one file that does.
 * Leaves whom to tree.ts and in which order to end-tree.ts. Rule: never to a pid that may have been given to another
 * process since: the start time is compared right before. The attack, or the accident: pids are used again within
 * minutes, and a job's old one is by then the person's editor.
 */
import { spawn } from "node:child_process";
import { type ProcessRow, processTable } from "./process-table.ts";

type Signal = "SIGTERM" | "SIGCONT" | "SIGSTOP" | "SIGKILL";

/** To the processes, and at once to each group of theirs: no fork slips in between. */
export function signalProcesses(rows: readonly ProcessRow[], signal: Signal): void {
  const signalled = new Set<number>();
  for (const row of rows) {
    if (signalled.has(row.group)) continue;
    const now = processTable.lookAt(row.pid);
    if (now === undefined || now.startedAt !== row.startedAt || signalled.has(now.group)) continue;
    // While this one lives and is a member, the group is no other's.
    const isTheirs = now.group > 1 && now.group !== ownGroup();
    if (isTheirs && send(-now.group, signal)) signalled.add(now.group);
    else send(row.pid, signal);
  }
}

/** A child that has not been fetched yet: its pid cannot be another's. Windows ends what it started, too. */
export function killChild(child: {
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") killOnWindows(pid);
  else if (!send(-pid, "SIGKILL")) send(pid, "SIGKILL");
}

/** Process 1 of a namespace whose driver is a child of ours: as long as that has not fetched it, its pid is no other's. */
export function killInside(driver: { readonly pid?: number | undefined }, pid: number): boolean {
  if (processTable.lookAt(pid)?.parent !== driver.pid) return false;
  return send(pid, "SIGKILL");
}

/** At once, from whichever thread: what it has started is not ended by this. */
export function killOwnProcess(): void {
  send(process.pid, "SIGKILL");
}

function send(pid: number, signal: Signal): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // Gone between the look and the signal, or another user's.
    return false;
  }
}

/** There are no groups on Windows: its own tool follows the parents. */
function killOnWindows(pid: number): void {
  const system = process.env.SystemRoot ?? "C:\\Windows";
  spawn(`${system}\\System32\\taskkill.exe`, ["/T", "/F", "/PID", String(pid)], {
    stdio: "ignore",
    windowsHide: true,
  }).once("error", () => undefined);
}

let group: number | undefined;

/** Nothing is ever sent to the group in which we ourselves are. */
function ownGroup(): number {
  group ??= processTable.lookAt(process.pid)?.group ?? 0;
  return group;
}
