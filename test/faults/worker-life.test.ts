/**
 * A worker that nobody harms: one for everything, nothing of the host in it, many calls and cancellations at once; and
 * hosts that are killed, never close, or never need it. Real processes, from the built entry.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  expectNone,
  expectWorks,
  findProcesses,
  findWorkers,
  lost,
  makeSleep,
  makeWorker,
  neverAborted,
  readProcess,
  text,
  theWorker,
  type WorkerFixture,
  waitForProcesses,
} from "./worker-fixture.ts";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const hostProgram = fileURLToPath(new URL("programs/never-close.mjs", import.meta.url));
let worker: WorkerFixture;
beforeEach(() => {
  worker = makeWorker();
});
afterEach(async () => {
  await worker.remove();
  expect(findWorkers()).toEqual([]);
});

describe.runIf(process.platform === "linux")("a worker that works", () => {
  it("is one for everything, with nothing of the host in its environment and arguments", async () => {
    vi.stubEnv("HAFT_TEST_SECRET", "s3cret-of-the-host");
    const mark = makeSleep();
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    const running = controllers.map(({ signal }) => worker.run(`exec ${mark}`, { signal }));
    await waitForProcesses(mark, 5);
    const pid = await theWorker();
    for (const file of ["environ", "cmdline"]) expect(readProcess(pid, file).length).toBeGreaterThan(0);
    for (const one of [pid, ...findProcesses(mark)])
      for (const file of ["environ", "cmdline"]) expect(readProcess(one, file)).not.toContain("s3cret");
    // A session of its own: an interrupt of the terminal is the host's alone.
    expect(readProcess(pid, "stat").split(" ")[5]).toBe(String(pid));
    for (const controller of controllers) controller.abort();
    for (const end of await Promise.all(running)) expect(end).toMatchObject({ exit: { kind: "cancelled" } });
    vi.unstubAllEnvs();
  });

  it("lives on through an interrupt", async () => {
    await expectWorks(worker);
    const pid = await theWorker();
    for (const signal of ["SIGINT", "SIGHUP"] as const) process.kill(pid, signal);
    await sleep(100);
    await expectWorks(worker);
    expect(await theWorker()).toBe(pid);
  });

  it("ends in order when it is told to terminate", async () => {
    const mark = makeSleep();
    const running = worker.run(mark).catch((error) => error);
    await waitForProcesses(mark, 1);
    process.kill(await theWorker(), "SIGTERM");
    await running;
    await expectNone(mark);
    await expectWorks(worker);
  });

  it("answers many calls side by side", async () => {
    const all = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const end = await worker.run(
          `echo ${index}; head -c ${index * 1000} /dev/zero | tr '\\0' x; exit ${index}`,
        );
        return end.kind === "ended" ? [end.exit, text(end.stdout.head).length] : end;
      }),
    );
    expect(all).toEqual(
      all.map((_, index) => [{ kind: "exited", code: index }, `${index}\n`.length + index * 1000]),
    );
  });

  it("ends each of many calls that are cancelled at any time", async () => {
    const mark = makeSleep();
    const ends = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const controller = new AbortController();
        const running = worker.run(`${mark} & ${mark}`, { signal: controller.signal });
        setTimeout(() => controller.abort(new Error("enough")), index * 10);
        return running.then(
          (end) => (end.kind === "ended" ? end.exit.kind : end.kind),
          (error) => error.message,
        );
      }),
    );
    // Before it was asked, the reason of the cancellation; after that, the end of the command.
    for (const end of ends) expect(["cancelled", "enough"]).toContain(end);
    expect(ends).toContain("cancelled");
    await expectNone(mark);
    await expectWorks(worker);
  });

  it("gives programs' large output whole", async () => {
    const end = await worker.programs.run({
      program: "/bin/sh",
      args: ["-c", "head -c 30000000 /dev/zero; exit 3"],
      cwd: worker.root,
      signal: neverAborted(),
    });
    expect(end.kind === "ended" && [end.status, end.output.length]).toEqual([3, 30_000_000]);
  });

  it("ends a cancelled program, and rejects with the reason", async () => {
    const mark = makeSleep();
    const controller = new AbortController();
    const args = ["-c", `${mark} & ${mark}`];
    const running = worker.programs.run({ program: "/bin/sh", args, cwd: "/", signal: controller.signal });
    await waitForProcesses(mark, 2);
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expectNone(mark);
  });

  it("outlives the folder that it works in", async () => {
    await expectWorks(worker);
    rmSync(worker.root, { recursive: true });
    const end = await worker.run("echo x", { cwd: "/" });
    expect(end).toMatchObject({ exit: { kind: "exited", code: 0 } });
  });

  it("refuses calls once it is closed, also twice", async () => {
    await expectWorks(worker);
    await Promise.all([worker.close(), worker.close()]);
    await worker.close();
    await expect(worker.run("echo x")).rejects.toMatchObject(lost("was ended with the toolset"));
  });
});

describe.runIf(process.platform === "linux")("a host", () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const host of started.splice(0)) host.kill("SIGKILL");
  });
  const start = async (script: string) => {
    const host = spawn(process.execPath, [hostProgram, dist, worker.root, script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.push(host);
    await Promise.race([
      host.stdout.once("data", () => {}) && once(host.stdout, "data"),
      once(host, "exit").then(([code]) => expect.fail(`the host ended with ${code}`)),
    ]);
    return host;
  };

  it("that is killed leaves no process", { timeout: 60_000 }, async () => {
    const mark = makeSleep();
    const ways = [
      `${mark} & ${mark}`,
      `setsid ${mark}; ${mark}`,
      `trap '' TERM HUP; ${mark}; ${mark}`,
      `(nohup ${mark} >/dev/null 2>&1 &) ; ${mark}`,
      `yes ${mark}`,
      `${mark} & kill -STOP $!; ${mark}`,
    ];
    const hosts = await Promise.all(ways.map((way) => start(way)));
    const workers = await vi.waitFor(
      () => {
        const found = hosts.flatMap((host) => findWorkers(host.pid));
        expect(found).toHaveLength(ways.length);
        // Each host names the command too, and what runs it.
        expect(findProcesses(mark).length).toBeGreaterThan(2 * ways.length);
        return found;
      },
      { timeout: 15_000 },
    );
    for (const host of hosts) host.kill("SIGKILL");
    await vi.waitFor(
      () => {
        expect(findProcesses(mark)).toEqual([]);
        expect(workers.filter((pid) => /worker-entry/.test(readProcess(pid, "cmdline")))).toEqual([]);
      },
      { timeout: 5_000 },
    );
  });

  it("that never closes ends when it has nothing more to do, and its jobs with it", async () => {
    const mark = makeSleep();
    const run = spawnSync(process.execPath, [hostProgram, dist, worker.root, `${mark} &`], {
      encoding: "utf8",
      timeout: 20_000,
    });
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toBe("ready\nended\n");
    await expectNone(mark);
  });

  it("that only mounts and reads loads nothing that spawns", () => {
    const script = `
      import { mount } from ${JSON.stringify(join(dist, "index.js"))};
      const tools = mount({ root: ${JSON.stringify(worker.root)} });
      await tools.call("list", {});
      await tools.close();
      console.log(process.moduleLoadList.filter((name) => /child_process/.test(name)).join());
    `;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect([run.stdout, run.stderr]).toEqual(["\n", ""]);
  });
});
