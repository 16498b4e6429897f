/**
 * Owns what the tests of the worker's faults share: a worker over a root of its own, commands to run in it, and a look
 * at the system's processes. Leaves the cases to the tests. Rule: a process is known by a number that only this run uses.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import type { CommandEnd, CommandRequest, Shell } from "../../src/contract/shell.ts";
import { openRoot } from "../../src/root/open-root.ts";
import { findBash } from "../../src/worker/look-for-programs.ts";
import { openWorker, type WorkerOptions, type WorkerPorts } from "../../src/worker/open-worker.ts";

export const ENTRY = fileURLToPath(new URL("../../dist/worker-entry/main.js", import.meta.url));

export interface WorkerFixture extends WorkerPorts {
  readonly root: string;
  readonly shell: Shell;
  run(command: string, more?: Partial<CommandRequest>): Promise<CommandEnd>;
  remove(): Promise<void>;
}

export function makeWorker(more: Partial<WorkerOptions> = {}): WorkerFixture {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "haft-worker-")));
  const root = openRoot({ root: path, extraIgnore: [], allowGenerated: false, agentId: "main" });
  const bash = findBash({ root: path, path: process.env.PATH });
  const ports = openWorker({
    root,
    entry: ENTRY,
    env: { pass: [], set: {} },
    bash,
    scratch: async () => ({ variables: {} }),
    ...more,
  });
  const { shell } = ports;
  if (shell === undefined) throw new Error("there is no bash");
  return {
    ...ports,
    shell,
    root: path,
    run: (command, request) =>
      shell.run({ ...QUIET, command, cwd: path, signal: neverAborted(), ...request }),
    async remove() {
      await ports.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

const QUIET: Omit<CommandRequest, "command" | "cwd" | "signal"> = {
  timeoutMs: 60_000,
  onTimeout: "kill",
  background: false,
  watch: { stages: false, directory: false },
  checkSyntax: false,
  maxBytes: 1_048_576,
  onOutput: () => {},
};

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** A worker's main file that does as it likes. */
export function writeEntry(folder: string, script: string): string {
  const path = join(folder, "entry.mjs");
  writeFileSync(
    path,
    `import { createWriteStream } from "node:fs";\nimport { Socket } from "node:net";\n${script}\n`,
  );
  return path;
}

let counter = 0;

/** A `sleep` of minutes that no other process has: found again by its argument. */
export function makeSleep(): string {
  counter += 1;
  return `sleep 3${String(process.pid).padStart(8, "0")}.${counter}`;
}

/** Running processes whose command line holds the text. One that has ended and waits to be fetched does not run. */
export function findProcesses(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && readProcess(pid, "cmdline").replaceAll("\0", " ").includes(text))
    .filter((pid) => !/^State:\s+[ZX]/m.test(readProcess(pid, "status")));
}

/** The workers of this very process. */
export function findWorkers(parent = process.pid): number[] {
  return findProcesses("worker-entry/main.js").filter((pid) =>
    new RegExp(`^PPid:\\s+${parent}$`, "m").test(readProcess(pid, "status")),
  );
}

export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

export async function waitForProcesses(text: string, count: number): Promise<number[]> {
  return vi.waitFor(
    () => {
      const found = findProcesses(text);
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found;
    },
    { timeout: 15_000, interval: 10 },
  );
}

export async function expectNone(text: string, timeout = 3_000): Promise<void> {
  await vi.waitFor(() => expect(findProcesses(text)).toEqual([]), { timeout, interval: 20 });
}

/** What a stream gave, as text. */
export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

export async function expectWorks(of: WorkerFixture): Promise<void> {
  const end = await of.run("echo works");
  expect(end).toMatchObject({ kind: "ended", exit: { kind: "exited", code: 0 } });
  if (end.kind === "ended") expect(text(end.stdout.head)).toBe("works\n");
}

/** The process of the one worker, once it is there. */
export async function theWorker(): Promise<number> {
  return vi.waitFor(() => {
    const [pid, ...others] = findWorkers();
    expect(others).toEqual([]);
    if (pid === undefined) throw new Error("no worker yet");
    return pid;
  });
}

/** How a call of a lost worker ends. */
export const lost = (why: string) => ({ name: "WorkerError", why });
