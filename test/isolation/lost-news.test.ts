/**
 * Owns that what a call had been told of jobs is not lost with it.
 * Leaves how the worker breaks to programs/broken-worker.mjs. Rule: the end of each job reaches the model once, in an
 * answer that did reach it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { probe, saySkipped } from "../confine/confine-fixture.ts";
import { expectRefusal, expectSuccess, type LooseToolset } from "../support/loose-toolset.ts";
import { openIsolated, programFile } from "./isolated.ts";

saySkipped();
const ENDED = /\[note\].*job_1.*exit code 3/;

/** A job that has ended, of which nobody has been told, in a toolset whose next call is lost as it answers. */
async function endJob(root: string, tools: LooseToolset, whose: string): Promise<void> {
  const mark = join(root, "go");
  const command = `until [ -e ${mark} ]; do sleep 0.1; done; sleep 0.5; touch ${mark}ne; exit 3`;
  expectSuccess(await tools.call("bash", { command, background: true }));
  expectSuccess(await tools.call("bash", { command: `touch ${mark}; : arm kill answering${whose}` }));
  await expect.poll(() => existsSync(`${mark}ne`), { timeout: 10_000 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 700));
}

const ROWS = [
  { confine: "off", whose: "", can: true },
  { confine: "prefer", whose: " tools", can: probe.canFence },
];

describe.each(ROWS)("confine: $confine", ({ confine, whose, can }) => {
  const open = () => openIsolated({ entry: programFile("broken-worker.mjs") }, { confine });
  const bash = async (tools: LooseToolset) =>
    expectSuccess(await tools.call("bash", { command: "echo x" })).content;

  it.runIf(can).each([
    ["a command", "bash", { command: "echo x" }],
    ["reading the job", "jobs", { id: "job_1" }],
    ["listing jobs", "jobs", {}],
  ])("the end of a job that a lost call knew of, %s, is told by the next, once", async (_of, name, args) => {
    const { root, tools } = open();
    await endJob(root, tools, whose);
    expectRefusal(await tools.call(name, args), "worker-lost");
    expect(await bash(tools)).toMatch(ENDED);
    expect(await bash(tools)).not.toContain("job_1");
  });
});
