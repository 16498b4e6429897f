/**
 * Owns what becomes of a call whose worker breaks, in each phase of it and in each way.
 * Leaves how the worker breaks to programs/broken-worker.mjs. Rule: it costs that call alone; the next one works, the
 * file is old or new, and nothing is left.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rareSeconds, waitForNone } from "../support/live-processes.ts";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { listWorkers, openIsolated, programFile } from "./isolated.ts";

const BROKEN = programFile("broken-worker.mjs");
/** Short, for the tests wait it out; long enough for a machine that does much else. */
const BOUNDS = { beatMs: 100, missedBeats: 15 };
const WORKER = { entry: BROKEN, bounds: BOUNDS, maxHeapMegabytes: 64 };
const ROUNDS = process.env.HAFT_LONG === "1" ? 100 : 20;

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
const PHASES = ["before", "during", "answering"] as const;
const TOOLS = ["read", "edit", "write"] as const;

function argumentsFor(tool: (typeof TOOLS)[number], path: string) {
  if (tool === "read") return { path };
  if (tool === "edit") return { path, edits: [{ old_text: "old", new_text: "new", replace_all: true }] };
  return { path, content: "new", overwrite: true };
}

describe("a worker that breaks", () => {
  const harms = Object.keys(HARMS) as (keyof typeof HARMS)[];
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    harm: harms[round % harms.length] ?? "kill",
    phase: PHASES[Math.floor(round / harms.length) % PHASES.length] ?? "before",
    tool: TOOLS[round % TOOLS.length] ?? "read",
    round,
  }));

  it.each(rounds)("by $harm, $phase a call of $tool, costs that call alone (round $round)", async (row) => {
    const { root, tools } = openIsolated(WORKER);
    const path = `${row.harm}-${row.phase}`;
    const old = "old\n".repeat(50_000);
    writeFileSync(join(root, path), old);
    writeFileSync(join(root, "a.txt"), "hello\n");
    const lost = expectRefusal(await tools.call(row.tool, argumentsFor(row.tool, path)), "worker-lost");
    expect(lost.content).toMatch(HARMS[row.harm]);
    expect(lost.content).toMatch(new RegExp(`^${row.tool} failed: the process that runs tools `));
    expect(listWorkers(BROKEN)).toEqual([]);
    expect([old, old.replaceAll("old", "new"), "new"]).toContain(readFileSync(join(root, path), "utf8"));
    expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(expectSuccess(await tools.call("read", { path: "a.txt" })).content).toBe(
      "a.txt: 1 line\n1\thello",
    );
    expect(listWorkers(BROKEN)).toHaveLength(1);
    await tools.close();
    expect(listWorkers(BROKEN)).toEqual([]);
  });

  it("by saying what no tool gives is refused with words", async () => {
    const { root, tools } = openIsolated(WORKER);
    writeFileSync(join(root, "lie-before"), "x");
    const refused = expectRefusal(await tools.call("read", { path: "lie-before" }), "worker-lost");
    expect(refused.content).toContain("sent something that is not its protocol");
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
