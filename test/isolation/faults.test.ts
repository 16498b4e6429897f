/**
 * Owns what becomes of a call whose worker breaks, in each phase of it and in each way.
 * Leaves how the worker breaks to programs/broken-worker.mjs. Rule: it costs that call alone; the next one works, the
 * file is old or new, and nothing is left.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { probe, saySkipped } from "../confine/confine-fixture.ts";
import { findLive, rareSeconds, waitForNone } from "../support/live-processes.ts";
import { expectRefusal, expectSuccess, type LooseToolset, type Output } from "../support/loose-toolset.ts";
import { listWorkers, openIsolated, programFile } from "./isolated.ts";

saySkipped();
const BROKEN = programFile("broken-worker.mjs");
/** Short for what is only noticed by waiting; long enough for a machine that does much else. */
const BOUNDS = { beatMs: 100, missedBeats: 15 };
const ROUNDS = process.env.HAFT_LONG === "1" ? 100 : 20;
/** Each harm once, then in every phase. */
const CONFINED_ROUNDS = process.env.HAFT_LONG === "1" ? 84 : 7;

const HARMS = {
  kill: /was ended by SIGKILL/,
  stop: /did not answer/,
  loop: /did not answer/,
  // On a busy machine its last collections may take longer than it is waited for.
  memory: /was ended by SIG\w+ \(out of memory\)|did not answer/,
  garbage: /sent something that is not its protocol/,
  flood: /sent more than it may|sent something that is not its protocol/,
  leave: /ended with status 0|went away|in the middle of a message/,
} as const;

/** `idle`: after the call before has been answered. `end`: once the answer is on its way. */
const PHASES = ["idle", "arguments", "before", "during", "answering", "end"] as const;

interface Way {
  readonly isolation?: "worker";
  readonly tool: string;
  readonly args: (job: string) => Readonly<Record<string, unknown>>;
}

const OLD = "old\n".repeat(50_000);
const NEW = "new\n".repeat(500_000);
const edits = [{ old_text: OLD, new_text: NEW }];
const printing = { command: "sleep 0.3; head -c 3000000 /dev/zero | tr '\\0' x" };

const WAYS: readonly Way[] = [
  { isolation: "worker", tool: "read", args: () => ({ path: "a.txt", limit: 50_000 }) },
  { isolation: "worker", tool: "edit", args: () => ({ path: "a.txt", edits }) },
  { isolation: "worker", tool: "write", args: () => ({ path: "a.txt", content: NEW, overwrite: true }) },
  { isolation: "worker", tool: "bash", args: () => printing },
  { isolation: "worker", tool: "jobs", args: (id) => ({ id, action: "wait", pattern: "^end" }) },
  { tool: "bash", args: () => printing },
  { tool: "jobs", args: (id) => ({ id, action: "wait", pattern: "^end" }) },
];

interface Round {
  readonly harm: keyof typeof HARMS;
  readonly phase: (typeof PHASES)[number];
  readonly way: Way;
  /** Tools run in a worker of their own then, and that one breaks. */
  readonly confine?: "prefer";
}

/** The first 42 make each harm in each phase; the ways go on by one each time that the harms begin anew. */
function chooseRound(round: number): Round {
  const harms = Object.keys(HARMS) as (keyof typeof HARMS)[];
  const pick = <T>(from: readonly T[], index: number) => from[index % from.length] as T;
  return {
    harm: pick(harms, round),
    phase: pick(PHASES, round),
    way: pick(WAYS, round + Math.floor(round / harms.length)),
  };
}

const limits = { readMax: 10_000_000, resultMax: 10_000_000 };

const LOST = "lost: the process that ran it ";

/** What was lost with the worker: the call, or the job that it was about. */
const isLost = (output: Output) =>
  output.isError
    ? output.refusal.code === "worker-lost"
    : /^job_\d+ \(.*\) lost: the process that ran it/.test(output.content);

/** The same for the worker of the tools: all harms in all phases in the first 42, all ways among them. */
function chooseConfined(round: number): Round {
  const { harm, phase } = chooseRound(round);
  const isolated = WAYS.filter(({ isolation }) => isolation === "worker");
  const way = isolated[(round + Math.floor(round / isolated.length)) % isolated.length] as Way;
  return { harm, phase, way, confine: "prefer" };
}

/** Makes the call and the one after: both, in the order of their outcomes, and what is left of the file. */
async function breakOnce({ harm, phase, way, confine }: Round) {
  const isPatient = harm === "stop" || harm === "loop";
  const worker = { entry: BROKEN, maxHeapMegabytes: 64, ...(isPatient ? { bounds: BOUNDS } : {}) };
  const where = { isolation: way.isolation ?? "none", ...(confine === undefined ? {} : { confine }) };
  const { root, tools } = openIsolated(worker, { ...where, limits });
  writeFileSync(join(root, "a.txt"), OLD);
  const seconds = rareSeconds();
  const command = `yes | head -c 400000; sleep 0.4; echo end; sleep ${seconds}`;
  const job = expectSuccess(await tools.call("bash", { command, background: true })).content;
  const id = /job_\d+/.exec(job)?.[0] ?? "";
  const whose = confine === undefined ? "" : " tools";
  expectSuccess(await tools.call("bash", { command: `: arm ${harm} ${phase}${whose}` }));
  if (phase === "idle") await new Promise((resolve) => setTimeout(resolve, 60));
  const outputs = [await tools.call(way.tool, way.args(id)), await tools.call("bash", { command: "echo x" })];
  return { root, tools, seconds, id, outputs };
}

/** What floods between two calls may have got no further than the calls that have been made meanwhile. */
async function expectJobLost(tools: LooseToolset, id: string): Promise<void> {
  const list = async () => expectSuccess(await tools.call("jobs", {})).content;
  await expect.poll(list, { timeout: 10_000 }).toMatch(new RegExp(`${id} ${LOST}`));
}

function expectOneLost(
  { harm, phase }: Round,
  { root, outputs }: { readonly root: string; readonly outputs: readonly Output[] },
): void {
  const lost = outputs.filter(isLost);
  // Between two calls it may be replaced before anybody is told, or the one after is.
  // So may one that floods before its call has begun: what it sends is of a call that has ended.
  const isBetween = phase === "idle" || phase === "end" || (harm === "flood" && phase === "arguments");
  if (isBetween) expect(lost.length).toBeLessThanOrEqual(1);
  else expect(outputs.map(isLost), outputs[0]?.content.slice(0, 300)).toEqual([true, false]);
  for (const output of lost) {
    expect(output.content).toMatch(HARMS[harm]);
    if (output.isError)
      expect(output.content).toMatch(/^\w+ failed: the process that runs (tools|programs) /);
  }
  for (const output of outputs) if (!isLost(output)) expectSuccess(output);
  expect([OLD, NEW]).toContain(readFileSync(join(root, "a.txt"), "utf8"));
  expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toEqual([]);
}

describe("a worker that breaks", () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ ...chooseRound(round), round }));

  it.each(rounds)(
    "$round: $harm, $phase, $way.tool (isolation: $way.isolation): costs one call",
    async (row) => {
      const { root, tools, seconds, id, outputs } = await breakOnce(row);
      expectOneLost(row, { root, outputs });
      await expectJobLost(tools, id);
      expect(await waitForNone(seconds, 0)).toEqual([]);
      const after = expectSuccess(await tools.call("bash", { command: "echo x" }));
      const told = [...outputs, after].filter((output) => output.content.includes(LOST));
      expect(told).toHaveLength(1);
      expect(expectSuccess(await tools.call("read", { path: "a.txt", limit: 1 })).content).toContain("1\t");
      expect(listWorkers(BROKEN)).toHaveLength(1);
      await tools.close();
      expect(listWorkers(BROKEN)).toEqual([]);
    },
  );

  it("by saying what no tool gives is refused with words", async () => {
    const { root, tools } = openIsolated({ entry: BROKEN });
    writeFileSync(join(root, "lie-before"), "x");
    const refused = expectRefusal(await tools.call("read", { path: "lie-before" }), "worker-lost");
    expect(refused.content).toContain("sent something that is not its protocol");
  });
});

describe.runIf(probe.canFence)("a worker of tools that breaks in its fence", () => {
  const rounds = Array.from({ length: CONFINED_ROUNDS }, (_, round) => ({ ...chooseConfined(round), round }));

  it.each(rounds)("$round: $harm, $phase, $way.tool: costs one call, and no job", async (row) => {
    const { root, tools, seconds, id, outputs } = await breakOnce(row);
    expectOneLost(row, { root, outputs });
    // A flood between two calls may have got no further than these: then it is one of the next that it costs.
    const later: Output[] = [];
    const isDue = () => row.harm === "flood" && ![...outputs, ...later].some(isLost) && later.length < 50;
    while (later.length < 2 || isDue() || later.at(-1)?.isError === true)
      later.push(await tools.call("read", { path: "a.txt", limit: 1 }));
    expect([...outputs, ...later].filter(isLost).length).toBeLessThanOrEqual(1);
    expect(expectSuccess(later.at(-1) as Output).content).toContain("1\t");
    expect(expectSuccess(await tools.call("jobs", {})).content).toMatch(new RegExp(`${id} running`));
    for (const output of [...outputs, ...later]) expect(output.content).not.toContain(LOST);
    // One for tools, one for what these start.
    expect(listWorkers(BROKEN)).toHaveLength(2);
    await tools.close();
    expect(findLive(root)).toEqual([]);
    expect(await waitForNone(seconds, 0)).toEqual([]);
  });
});

describe("a worker that hangs in a loop", () => {
  it("is ended by cancelling before the call answers, with the jobs that it held", async () => {
    const { root, tools } = openIsolated({ entry: BROKEN });
    writeFileSync(join(root, "loop-before"), "x");
    const seconds = rareSeconds();
    expectSuccess(await tools.call("bash", { command: `sleep ${seconds}`, background: true }));
    const host = new AbortController();
    const calling = tools.call("read", { path: "loop-before" }, { signal: host.signal });
    setTimeout(() => host.abort(), 100);
    expectRefusal(await calling, "call-cancelled");
    expect(await waitForNone(seconds)).toEqual([]);
    expect(listWorkers(BROKEN)).toEqual([]);
    expect(expectSuccess(await tools.call("jobs", {})).content).toContain("job_1");
  });

  it("is ended by closing, with all that runs below it", async () => {
    const { root, tools } = openIsolated({ entry: BROKEN });
    writeFileSync(join(root, "loop-before"), "x");
    const seconds = rareSeconds();
    expectSuccess(await tools.call("bash", { command: `sleep ${seconds} & disown`, background: true }));
    const calling = tools.call("read", { path: "loop-before" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await tools.close();
    expect((await calling).isError).toBe(true);
    expect(listWorkers(BROKEN)).toEqual([]);
    expect(await waitForNone(seconds)).toEqual([]);
  });
});

describe("a host that is killed while its worker hangs in a loop", () => {
  it("leaves neither the worker nor what runs below it", async () => {
    const { root } = openIsolated();
    writeFileSync(join(root, "loop-before"), "x");
    const seconds = rareSeconds();
    const host = spawn(process.execPath, [programFile("host-that-hangs.mjs"), root, `sleep ${seconds}`]);
    const pid = await new Promise<string>((resolve) =>
      host.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim())),
    );
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    host.kill("SIGKILL");
    expect(await waitForNone(seconds, 25_000)).toEqual([]);
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 5_000 }).toBe(false);
  }, 60_000);
});

describe("where there is no worker", () => {
  it.each([
    ["is missing", "no-such-worker.mjs", /could not be started: a file of the package is missing/],
    ["is of another version", "other-version.mjs", /is of version "0\.0\.1" of the package/],
  ])("because its file %s, no tool runs", async (_why, file, words) => {
    const { root, tools } = openIsolated({ entry: programFile(file) });
    writeFileSync(join(root, "a.txt"), "hello\n");
    for (const [name, args] of [
      ["read", { path: "a.txt" }],
      ["list", {}],
      ["write", { path: "b.txt", content: "x" }],
      ["bash", { command: "touch c.txt" }],
    ] as const)
      expect(expectRefusal(await tools.call(name, args), "worker-lost").content).toMatch(words);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });
});
