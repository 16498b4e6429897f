/**
 * Owns that nothing of a command survives its end: by its time, by cancellation, and by `kill -9` of the host.
 * Leaves the commands to surviving-commands.ts. Rule: side by side on one worker; 3 s later no process of them lives,
 * but for the row that SPEC allows to survive unconfined, which is ended by this test, pid by pid.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { findLive, rareSeconds, waitForNone } from "../support/live-processes.ts";
import { mountLoosely } from "../support/loose-toolset.ts";
import { SURVIVORS, type SurvivorRow } from "./surviving-commands.ts";

const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/run-commands.mjs", import.meta.url));

const ENDINGS = ["its time", "cancellation", "kill -9 of the host"] as const;
const COMMANDS = process.env.HAFT_LONG === "1" ? 200 : 30;

interface Started {
  readonly row: SurvivorRow;
  readonly seconds: string;
  readonly command: string;
  /** Made by the command when it runs. */
  readonly mark: string;
}

const roots: string[] = [];
const begun: Started[] = [];

afterEach(() => {
  for (const { seconds } of begun.splice(0)) endByPid(seconds);
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-survivors-")));
  mkdirSync(join(root, "marks"));
  roots.push(root);
  return root;
}

/** The commands of one ending, so that all rows and endings meet over the whole. */
function choose(root: string, ending: (typeof ENDINGS)[number]): Started[] {
  const chosen: Started[] = [];
  const nth = ENDINGS.indexOf(ending);
  const share = Math.ceil((COMMANDS - nth) / ENDINGS.length);
  for (let index = 0; index < share; index++) {
    // In the short run each ending has other rows; in the long run it has all of them, more than once.
    const row = SURVIVORS[(index + nth * 9) % SURVIVORS.length] as SurvivorRow;
    const seconds = rareSeconds();
    const mark = join(root, "marks", String(index));
    chosen.push({ row, seconds, mark, command: `: >'${mark}'; ${row.command(seconds)}` });
  }
  begun.push(...chosen);
  return chosen;
}

async function waitUntilAllRun(started: readonly Started[]): Promise<void> {
  const until = performance.now() + 60_000;
  while (!started.every(({ mark }) => existsSync(mark))) {
    if (performance.now() > until) expect.fail("the commands did not start");
    await sleep(50);
  }
  await sleep(1_000);
}

async function expectNoneLeft(started: readonly Started[]): Promise<void> {
  await sleep(3_000);
  const left = started
    .filter(({ row }) => row.confinedOnly !== true)
    .flatMap(({ row, seconds }) => findLive(seconds).map((line) => `${row.about}: ${line}`));
  expect(left).toEqual([]);
}

/** Ends what a failed test, or the row that may survive, has left. */
function endByPid(seconds: string): void {
  const listed = spawnSync("ps", ["-A", "-ww", "-o", "pid=,args="], {
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  for (const line of listed.stdout.split("\n")) {
    const pid = Number(/^\s*(\d+) /.exec(line)?.[1]);
    if (!line.includes(seconds) || !Number.isInteger(pid) || pid === process.pid) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

describe.runIf(process.platform === "linux")(`of ${COMMANDS} commands none survives`, () => {
  it("its time", { timeout: 300_000 }, async () => {
    const root = makeRoot();
    const started = choose(root, "its time");
    const tools = mountLoosely(root, { tools: ["bash", "jobs"] });
    const calls = started.map(({ command }) => tools.call("bash", { command, timeout_ms: 4_000 }));
    const outputs = await Promise.all(calls);
    expect(outputs.filter((output) => !output.isError).map(({ content }) => content)).toEqual([]);
    await expectNoneLeft(started);
    await tools.close();
  });

  it("cancellation", { timeout: 300_000 }, async () => {
    const root = makeRoot();
    const started = choose(root, "cancellation");
    const tools = mountLoosely(root, { tools: ["bash", "jobs"] });
    const host = new AbortController();
    const calls = started.map(({ command }) => tools.call("bash", { command }, { signal: host.signal }));
    await waitUntilAllRun(started);
    host.abort();
    const outputs = await Promise.all(calls);
    expect(new Set(outputs.map((output) => output.isError && output.refusal.code))).toEqual(
      new Set(["call-cancelled"]),
    );
    await expectNoneLeft(started);
    await tools.close();
  });

  it("kill -9 of the host", { timeout: 300_000 }, async () => {
    const root = makeRoot();
    const started = choose(root, "kill -9 of the host");
    const commands = JSON.stringify(started.map(({ command }) => command));
    const host = spawn(process.execPath, [program, dist, root, commands], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(host.stdout, "data");
    await waitUntilAllRun(started);
    host.kill("SIGKILL");
    await once(host, "exit");
    await expectNoneLeft(started);
  });

  it("the end of the toolset, where it is left in the background", { timeout: 120_000 }, async () => {
    const root = makeRoot();
    const seconds = rareSeconds();
    const tools = mountLoosely(root, { tools: ["bash"] });
    for (const command of [
      `sleep ${seconds} & :`,
      `(setsid sleep ${seconds} >/dev/null 2>&1 &)`,
      `nohup sleep ${seconds} &`,
    ])
      await tools.call("bash", { command });
    await tools.call("bash", { command: `sleep ${seconds}`, background: true });
    expect(findLive(seconds).length).toBeGreaterThanOrEqual(4);
    await tools.close();
    expect(await waitForNone(seconds)).toEqual([]);
  });
});
