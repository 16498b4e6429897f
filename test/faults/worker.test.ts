/**
 * The worker is killed, stopped, flooded, missing or not ours, in each phase of a call: every call gets an end with
 * words, the next one works, and no process is left. Real processes, from the built entry.
 */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WorkerError } from "../../src/contract/errors.ts";
import { PROTOCOL } from "../../src/worker/messages.ts";
import {
  expectNone,
  expectWorks,
  findProcesses,
  findWorkers,
  lost,
  makeSleep,
  makeWorker,
  neverAborted,
  theWorker,
  type WorkerFixture,
  waitForProcesses,
  writeEntry,
} from "./worker-fixture.ts";

const ROUNDS = process.env.HAFT_LONG === "1" ? 30 : 4;

let worker: WorkerFixture;
beforeEach(() => {
  worker = makeWorker();
});
afterEach(async () => {
  await worker.remove();
  expect(findWorkers()).toEqual([]);
});

describe.runIf(process.platform === "linux")("a worker that is killed", () => {
  it("while it starts costs that call alone", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const running = worker.run("echo x").then(
        () => "ran",
        (error) => error,
      );
      const pid = await theWorker();
      await sleep((round % 15) * 7);
      process.kill(pid, "SIGKILL");
      const end = await running;
      if (end !== "ran") expect(end).toMatchObject(lost("was ended by SIGKILL"));
      // Where the call was quicker than we, it is the next one that might meet a worker that is about to go.
      else await sleep(100);
      await expectWorks(worker);
    }
  });

  it("while commands run: each is told, and what they had started is ended by then", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const mark = makeSleep();
      const scripts = [
        `${mark} & ${mark}`,
        `trap '' TERM; setsid ${mark}; ${mark}`,
        `nohup ${mark} >/dev/null; ${mark}`,
      ];
      const running = scripts.map((script) => worker.run(script).catch((error) => error));
      await waitForProcesses(mark, 5);
      process.kill(await theWorker(), "SIGKILL");
      for (const end of await Promise.all(running)) {
        expect(end).toBeInstanceOf(WorkerError);
        expect(end).toMatchObject(lost("was ended by SIGKILL"));
      }
      expect(findProcesses(mark)).toEqual([]);
      await expectWorks(worker);
    }
  });

  it("while output floods, and while an answer is handed over", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const running = worker.run("yes", { maxBytes: 50_000_000 }).catch((error) => error);
      await waitForProcesses("yes", 1);
      await sleep(20 * (round % 9));
      process.kill(await theWorker(), "SIGKILL");
      expect(await running).toMatchObject(lost("was ended by SIGKILL"));
      const large = worker
        .run("head -c 100000000 /dev/zero", { maxBytes: 60_000_000 })
        .catch((error) => error);
      const pid = await theWorker();
      await sleep(40 * (round % 9));
      process.kill(pid, "SIGKILL");
      const end = await large;
      if (end instanceof WorkerError) expect(end.why).toBe("was ended by SIGKILL");
      else {
        expect(end).toMatchObject({ stdout: { seen: 100_000_000 } });
        await sleep(100);
      }
      await expectWorks(worker);
    }
  });

  it("while nothing runs is replaced with the next call", async () => {
    await expectWorks(worker);
    process.kill(await theWorker(), "SIGKILL");
    await vi.waitFor(() => expect(findWorkers()).toEqual([]));
    await sleep(50);
    await expectWorks(worker);
  });

  it("while a program runs is told like a program that could not be started", async () => {
    const program = "/bin/sh";
    const mark = makeSleep();
    const running = worker.programs.run({
      program,
      args: ["-c", `${mark}; true`],
      cwd: worker.root,
      signal: neverAborted(),
    });
    await waitForProcesses(mark, 1);
    process.kill(await theWorker(), "SIGKILL");
    expect(await running).toMatchObject({ kind: "not-started", error: expect.stringContaining("SIGKILL") });
    await expectNone(mark);
    const again = await worker.programs.run({
      program,
      args: ["-c", "echo x"],
      cwd: "/",
      signal: neverAborted(),
    });
    expect(again).toEqual({ kind: "ended", status: 0, output: Buffer.from("x\n") });
  });

  it("while it closes does not hold closing up", async () => {
    const mark = makeSleep();
    const running = worker.run(`trap '' TERM; ${mark}`).catch((error) => error);
    await waitForProcesses(mark, 1);
    const closing = worker.close();
    process.kill(await theWorker(), "SIGKILL");
    await closing;
    await running;
    await expectNone(mark);
  });

  it("takes its jobs along: they are lost, told of once, and their numbers are not used again", async () => {
    const mark = makeSleep();
    const { jobs } = worker.shell;
    const one = await worker.run(mark, { background: true });
    const two = await worker.run(`${mark} & echo left`);
    if (one.kind !== "background" || two.kind !== "ended") return expect.fail("no jobs");
    expect([one.job.id, two.left?.id]).toEqual(["job_1", "job_2"]);
    process.kill(await theWorker(), "SIGKILL");
    await expectNone(mark);
    const exit = { kind: "lost", why: "was ended by SIGKILL" };
    await vi.waitFor(async () => expect(await jobs.list()).toMatchObject([{ exit }, { exit }]));
    expect(jobs.takeEnded().map(({ id }) => id)).toEqual(["job_1", "job_2"]);
    expect(jobs.takeEnded()).toEqual([]);
    expect(await jobs.read("job_1")).toMatchObject({ job: { exit }, stdout: { seen: 0 } });
    expect(await jobs.stop("job_2")).toMatchObject({ job: { exit } });
    expect(await jobs.wait({ id: "job_2", timeoutMs: 1_000, signal: neverAborted() })).toMatchObject({
      met: "end",
    });
    const three = await worker.run(mark, { background: true });
    if (three.kind !== "background") return expect.fail("no job");
    expect(three.job.id).toBe("job_3");
    expect((await jobs.list()).map(({ id }) => id)).toEqual(["job_1", "job_2", "job_3"]);
    expect(await jobs.read("job_4")).toBeUndefined();
  });
});

describe.runIf(process.platform === "linux")("a worker that is stopped", () => {
  it("does not hold a cancelled call up, and is replaced", async () => {
    const mark = makeSleep();
    const controller = new AbortController();
    const running = worker.run(mark, { signal: controller.signal }).catch((error) => error);
    await waitForProcesses(mark, 1);
    process.kill(await theWorker(), "SIGSTOP");
    controller.abort();
    expect(await running).toMatchObject(lost("did not answer"));
    expect(findProcesses(mark)).toEqual([]);
    await expectWorks(worker);
  });

  it("does not hold closing up", async () => {
    const mark = makeSleep();
    const running = worker.run(mark).catch((error) => error);
    await waitForProcesses(mark, 1);
    process.kill(await theWorker(), "SIGSTOP");
    await worker.close();
    expect(await running).toMatchObject(lost("did not answer"));
    await expectNone(mark);
  });

  it("by its own command is noticed though nobody cancels", async () => {
    const quick = makeWorker({ bounds: { beatMs: 50, missedBeats: 10 } });
    await expect(quick.run("kill -STOP $PPID; sleep 60")).rejects.toMatchObject(lost("did not answer"));
    await expectWorks(quick);
    await quick.remove();
  });
});

describe.runIf(process.platform === "linux")("a worker that is not ours", () => {
  const withEntry = async (script: string, bounds = {}) => {
    const odd = makeWorker({ entry: writeEntry(worker.root, script), bounds });
    const [run, program] = await Promise.all([
      odd.run("echo x").then(JSON.stringify, (error) => error),
      odd.programs.run({ program: "/bin/sh", args: ["-c", "exit"], cwd: "/", signal: neverAborted() }),
    ]);
    expect(run).toBeInstanceOf(WorkerError);
    expect(program.kind).toBe("not-started");
    await odd.remove();
    return (run as WorkerError).why;
  };
  const frame = (message: object) => {
    const header = Buffer.from(JSON.stringify(message));
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(header.length, 0);
    return `new Socket({ fd: 3 }).write(Buffer.from("${Buffer.concat([lengths, header]).toString("hex")}", "hex")); setInterval(() => {}, 1000);`;
  };

  it.each([
    [
      "writes words",
      'createWriteStream("", { fd: 3 }).write("Hello, world, this is no frame.\\n".repeat(9)); setInterval(() => {}, 1000);',
      /not its protocol/,
    ],
    [
      "writes at random",
      "new Socket({ fd: 3 }).write(Buffer.alloc(99999, 255)); setInterval(() => {}, 1000);",
      /not its protocol/,
    ],
    ["speaks another version", frame({ kind: "hello", protocol: 99, version: "0" }), /speaks version 99/],
    [
      "is of another package",
      frame({ kind: "hello", protocol: PROTOCOL, version: "0.0.1" }),
      /is of version "0.0.1"/,
    ],
    ["answers before it greets", frame({ kind: "pong", beat: 1 }), /not its protocol/],
    ["ends at once", "process.exit(7);", /status 7/],
    ["fails", "throw new Error('a secret place');", /^ended with status 1$/],
    ["closes its channel and lives", "new Socket({ fd: 3 }).destroy(); setInterval(() => {}, 1000);", /./],
  ])("because it %s, is an error with words, and ended", async (_name, script, why) => {
    expect(await withEntry(script)).toMatch(why);
    expect(findProcesses(join(worker.root, "entry.mjs"))).toEqual([]);
  });

  it("because it says nothing, is not waited for", async () => {
    expect(await withEntry("setInterval(() => {}, 1000);", { startMs: 300 })).toBe("did not start");
    expect(findProcesses(join(worker.root, "entry.mjs"))).toEqual([]);
  });

  it("because its file is missing, is an error with words", async () => {
    const none = makeWorker({ entry: join(worker.root, "none", "main.js") });
    await expect(none.run("echo x")).rejects.toThrow(/could not be started/);
    await none.remove();
    const gone = makeWorker({ entry: join(worker.root, "none.js") });
    await expect(gone.run("echo x")).rejects.toMatchObject(
      lost("could not be started: a file of the package is missing"),
    );
    await gone.remove();
  });
});
