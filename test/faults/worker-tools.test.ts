/**
 * What a model is told when the worker under its tools is lost or missing: bash refuses with words and works again with
 * the next call, grep answers as it always does, closing ends.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRoot } from "../../src/root/open-root.ts";
import { grepTool } from "../../src/tools/grep/grep.ts";
import { mount } from "../../src/toolset/mount.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { openWorker } from "../../src/worker/open-worker.ts";
import { expectNone, findProcesses, findWorkers, makeSleep, waitForProcesses } from "./worker-fixture.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-lost-")));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  expect(findWorkers()).toEqual([]);
});

describe.runIf(process.platform === "linux")("a worker that is lost", () => {
  it("costs a bash call a refusal with words, and the next one works", async () => {
    const tools = mount({ root, tools: ["bash", "jobs"] });
    const mark = makeSleep();
    const running = tools.call("bash", { command: `${mark} & ${mark}` });
    await waitForProcesses(mark, 2);
    for (const pid of findWorkers()) process.kill(pid, "SIGKILL");
    const output = await running;
    if (!output.isError) return expect.fail(output.content);
    expect(output.refusal).toMatchObject({
      code: "worker-lost",
      facts: { tool: "bash", why: "was ended by SIGKILL" },
    });
    expect(findProcesses(mark)).toEqual([]);
    expect((await tools.call("bash", { command: "echo again" })).content).toContain("again");
    await tools.close();
  });

  it("is told of jobs that went with it", async () => {
    const tools = mount({ root, tools: ["bash", "jobs"] });
    const mark = makeSleep();
    const begun = await tools.call("bash", { command: mark, background: true });
    expect(begun.content).toContain("job_1");
    for (const pid of findWorkers()) process.kill(pid, "SIGKILL");
    await expectNone(mark);
    expect((await tools.call("jobs", {})).content).toMatch(/job_1.*lost/s);
    await tools.close();
  });

  it("stopped or not, does not hold closing up, and a call that runs gets its end", async () => {
    const tools = mount({ root, tools: ["bash"] });
    const mark = makeSleep();
    const running = tools.call("bash", { command: mark });
    await waitForProcesses(mark, 1);
    for (const pid of findWorkers()) process.kill(pid, "SIGSTOP");
    await tools.close();
    expect((await running).isError).toBe(true);
    await expectNone(mark);
  });
});

describe("a worker that is missing", () => {
  it("changes nothing of what grep answers", async () => {
    mkdirSync(join(root, "many"));
    for (let file = 0; file < 1_200; file++)
      writeFileSync(join(root, "many", `${file}.txt`), `row ${file}\n`);
    const opened = openRoot({ root, extraIgnore: [], allowGenerated: false, agentId: "main" });
    const worker = openWorker({
      root: opened,
      entry: join(root, "none.js"),
      env: { pass: [], set: {} },
      ripgrep: process.execPath,
      scratch: async () => ({ variables: {} }),
    });
    const preset = { prefix: "", tools: ["grep"] };
    const catalog = [grepTool];
    const without = mountTools({ catalog, preset }, { root }, { ports: { programs: worker.programs } });
    const plain = mountTools({ catalog, preset }, { root, ripgrep: "never" });
    const call = { pattern: "row 11(3|99)$" };
    const [found, expected] = [await without.call("grep", call), await plain.call("grep", call)];
    expect(found.content).toBe(expected.content);
    expect(found.content).toContain("many/1199.txt");
    expect(found).toMatchObject({ details: { engine: "builtin" } });
    await Promise.all([without.close(), plain.close(), worker.close()]);
  });
});
