/**
 * Owns running commands in a real bash for the tests of process/.
 * Rule: a folder of its own for each, and nothing of it left afterwards.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Captured, CommandEnd } from "../../src/contract/shell.ts";
import { openCommands } from "../../src/process/commands.ts";
import { shellEnvironment } from "../../src/process/environment.ts";
import { findBash } from "../../src/process/find-bash.ts";
import type { LocalCommand } from "../../src/process/local-command.ts";

let opened = 0;

export function openRealCommands() {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "haft-commands-")));
  const marker = `test${process.pid}-${++opened}`;
  const endedJobs: string[] = [];
  const commands = openCommands({ marker, onJobEnded: (job) => endedJobs.push(job.id) });
  const bash = findBash({ root: cwd, path: process.env.PATH });
  if (bash === undefined) throw new Error("these tests need bash");
  const fill = (command: string, more: Partial<LocalCommand> = {}): LocalCommand => ({
    command,
    cwd,
    timeoutMs: 60_000,
    onTimeout: "kill",
    background: false,
    watch: { stages: false, directory: false },
    checkSyntax: false,
    maxBytes: 1_048_576,
    signal: new AbortController().signal,
    onOutput: () => {},
    environment: shellEnvironment({ host: process.env, pass: [], set: {}, scratch: { TMPDIR: cwd } }),
    bash,
    ...more,
  });
  return {
    cwd,
    marker,
    commands,
    jobs: commands.jobs,
    endedJobs,
    run: (command: string, more?: Partial<LocalCommand>) => commands.run(fill(command, more)),
    async ended(command: string, more?: Partial<LocalCommand>) {
      return readEnd(await commands.run(fill(command, more)));
    },
    async close() {
      await commands.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

/** An ended command with its streams as text. */
export function readEnd(end: CommandEnd) {
  if (end.kind !== "ended") throw new Error(`the command did not end: ${JSON.stringify(end)}`);
  return { ...end, out: textOf(end.stdout), err: textOf(end.stderr) };
}

export function textOf({ head, tail }: Captured): string {
  return Buffer.concat([head, tail]).toString();
}

/** What runs with a marker of this worker, by pid. A zombie runs nothing. */
export function listMarked(marker: string): string[] {
  return listRunning((_words, environment) => environment.includes(`HAFT_MARK=${marker}.`));
}

/** What runs with this word among its arguments: commands are given one that is found nowhere else. */
export function listWithWord(word: string): string[] {
  return listRunning((words) => words.includes(word));
}

function listRunning(isWanted: (words: string, environment: string) => boolean): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "latin1");
      return !/\) [ZX] /.test(read("stat")) && isWanted(read("cmdline"), read("environ"));
    } catch {
      return false;
    }
  });
}
