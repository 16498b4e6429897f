/**
 * Owns that nothing of a confined command survives its end, the row included that may survive unconfined.
 * Leaves the commands to test/faults/surviving-commands.ts. Rule: process 1 of its namespace is gone, and the system has
 * ended all others with it; nothing had to be found.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { SURVIVORS } from "../faults/surviving-commands.ts";
import { findLive, rareSeconds, waitForNone } from "../support/live-processes.ts";
import { mountLoosely } from "../support/loose-toolset.ts";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/run-confined.mjs", import.meta.url));
const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function begin() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-fenced-")));
  mkdirSync(join(root, "marks"));
  roots.push(root);
  const started = SURVIVORS.map((row, index) => {
    const seconds = rareSeconds();
    const mark = join(root, "marks", String(index));
    return { row, seconds, mark, command: `: >'${mark}'; ${row.command(seconds)}` };
  });
  return { root, started };
}

async function waitUntilAllRun(started: readonly { readonly mark: string }[]): Promise<void> {
  const until = performance.now() + 60_000;
  while (!started.every(({ mark }) => existsSync(mark))) {
    if (performance.now() > until) expect.fail("the commands did not start");
    await sleep(50);
  }
  await sleep(500);
}

function listLeft(started: ReturnType<typeof begin>["started"]): string[] {
  return started.flatMap(({ row, seconds }) => findLive(seconds).map((line) => `${row.about}: ${line}`));
}

describe.runIf(probe.canFence)(`of ${SURVIVORS.length} confined commands none survives`, () => {
  it("its time", { timeout: 300_000 }, async () => {
    const { root, started } = begin();
    const tools = mountLoosely(root, { tools: ["bash"], confine: "prefer" });
    await Promise.all(started.map(({ command }) => tools.call("bash", { command, timeout_ms: 4_000 })));
    for (const { seconds } of started) await waitForNone(seconds, 10_000);
    expect(listLeft(started)).toEqual([]);
    await tools.close();
  });

  it("cancellation", { timeout: 300_000 }, async () => {
    const { root, started } = begin();
    const tools = mountLoosely(root, { tools: ["bash"], confine: "prefer" });
    const host = new AbortController();
    const calls = started.map(({ command }) => tools.call("bash", { command }, { signal: host.signal }));
    await waitUntilAllRun(started);
    host.abort();
    await Promise.all(calls);
    // The host answers in time on a machine that is too busy to have ended everything by then.
    for (const { seconds } of started) await waitForNone(seconds, 10_000);
    expect(listLeft(started)).toEqual([]);
    await tools.close();
  });

  it("kill -9 of the host", { timeout: 300_000 }, async () => {
    const { root, started } = begin();
    const commands = JSON.stringify(started.map(({ command }) => command));
    const host = spawn(process.execPath, [program, dist, root, commands], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(host.stdout, "data");
    await waitUntilAllRun(started);
    host.kill("SIGKILL");
    await once(host, "exit");
    for (const { seconds } of started) await waitForNone(seconds, 5_000);
    expect(listLeft(started)).toEqual([]);
  });

  it("kill -9 of host and worker at once", { timeout: 120_000 }, async () => {
    const { root, started } = begin();
    const few = started.filter(({ row }) => row.confinedOnly === true || row.about.includes("daemon"));
    const host = spawn(
      process.execPath,
      [program, dist, root, JSON.stringify(few.map(({ command }) => command))],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(host.stdout, "data");
    await waitUntilAllRun(few);
    const worker = Number(
      (await import("node:child_process")).execFileSync("ps", ["-o", "pid=", "--ppid", String(host.pid)], {
        encoding: "utf8",
      }),
    );
    process.kill(worker, "SIGSTOP");
    process.kill(host.pid ?? 0, "SIGKILL");
    process.kill(worker, "SIGKILL");
    for (const { seconds } of few) await waitForNone(seconds, 5_000);
    expect(listLeft(few)).toEqual([]);
  });

  it("the end of the toolset, where it is left in the background", { timeout: 120_000 }, async () => {
    const { root } = begin();
    const seconds = rareSeconds();
    const tools = mountLoosely(root, { tools: ["bash"], confine: "prefer" });
    for (const command of [
      `sleep ${seconds} & :`,
      `(setsid env -i sleep ${seconds} >/dev/null 2>&1 &)`,
      `nohup sleep ${seconds} &`,
    ])
      await tools.call("bash", { command });
    await tools.call("bash", { command: `sleep ${seconds}`, background: true });
    expect(findLive(seconds).length).toBeGreaterThanOrEqual(4);
    await tools.close();
    expect(findLive(seconds)).toEqual([]);
  });
});
