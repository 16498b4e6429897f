/**
 * Owns what `jobs` tells of commands in the background, on a real bash through a mounted toolset.
 * Leaves what a command leaves behind to bash.test.ts. Rule: nothing is read twice, and an end is told once.
 */
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findLive, rareSeconds, waitForNone } from "../support/live-processes.ts";
import { expectRefusal, type Output } from "../support/loose-toolset.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const open = (options: Readonly<Record<string, unknown>> = {}): Workspace =>
  openWorkspace("", { tools: ["bash", "jobs"], ...options });

const firstLine = (output: Output): string => output.content.split("\n", 1)[0] ?? "";

async function start(at: Workspace, command: string): Promise<string> {
  const output = await at.does("bash", { command, background: true });
  return (output.details.job as { id: string }).id;
}

describe("a job", () => {
  it("is there at once, with how to see it", async () => {
    const at = open();
    const seconds = rareSeconds();
    const started = performance.now();
    const output = await at.does("bash", { command: `echo up; sleep ${seconds}`, background: true });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(output.content).toBe(
      `job_1 (echo up; sleep ${seconds}) started in the background\n[note] job_1: see it with jobs {"id":"job_1"}`,
    );
    expect(output.details).toMatchObject({ code: null, job: { id: "job_1" } });
  });

  it("is read in parts, each once, both streams apart", async () => {
    const at = open();
    const id = await start(at, "echo one; echo err >&2; read -t 1 <> <(:); sleep 1; echo two; sleep 900");
    const first = await at.does("jobs", { id, pattern: "one" });
    expect(first.content).toContain("[stdout]\none");
    const second = await at.does("jobs", { id, pattern: "two" });
    expect(firstLine(second)).toContain("running; a line matches: two");
    expect(second.content).toContain("[stdout]\ntwo");
    expect(second.content).not.toContain("one\n");
    const third = await at.does("jobs", { id });
    expect(third.content).toMatch(/^job_1 \(.*\) running\n\(no new output\)$/);
    expect(`${first.content}${second.content}`.match(/\nerr/g)).toHaveLength(1);
  });

  it("is waited for until it ends, and a failing end is no failure of waiting", async () => {
    const at = open();
    const id = await start(at, "sleep 0.5; echo done; exit 3");
    const output = await at.does("jobs", { id, action: "wait" });
    expect(output.content).toBe("job_1 (sleep 0.5; echo done; exit 3) exit code 3\n[stdout]\ndone");
    expect(output.details).toMatchObject({ met: "end", jobs: [{ id, exit: { kind: "exited", code: 3 } }] });
  });

  it("is waited for until a port is open", async () => {
    const at = open();
    const free = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
      });
    });
    const server = `setTimeout(() => require("net").createServer().listen(${free}, "127.0.0.1"), 700)`;
    const id = await start(at, `"${process.execPath}" -e '${server}'`);
    const output = await at.does("jobs", { id, port: free });
    expect(firstLine(output)).toContain(`running; something listens on port ${free}`);
  });

  it("that ends before what was waited for says so", async () => {
    const at = open();
    const id = await start(at, "sleep 0.3; echo other");
    const output = await at.does("jobs", { id, pattern: "ready" });
    expect(firstLine(output)).toContain("exit code 0; ended before a matching line");
    expect(output.content).toContain("other");
  });

  it("is not waited for longer than commands may run", async () => {
    const at = open({ shell: { timeoutMs: 700 } });
    const id = await start(at, `echo a; sleep ${rareSeconds()}`);
    const output = await at.does("jobs", { id, pattern: "ready" });
    expect(firstLine(output)).toContain("running; waited 700 ms for a matching line in vain");
    expect(output.content).toContain("[stdout]\na");
  });

  it("lets go of a waiting call that is cancelled, and runs on", async () => {
    const at = open();
    const seconds = rareSeconds();
    const id = await start(at, `sleep ${seconds}`);
    const host = new AbortController();
    const waiting = at.tools.call("jobs", { id, action: "wait" }, { signal: host.signal });
    await sleep(300);
    const aborted = performance.now();
    host.abort();
    expectRefusal(await waiting, "call-cancelled");
    expect(performance.now() - aborted).toBeLessThan(2_000);
    expect(findLive(seconds)).not.toEqual([]);
  });

  it("is stopped with everything below it, and stopping it again tells how it ended", async () => {
    const at = open();
    const seconds = rareSeconds();
    const id = await start(at, `echo a; trap '' TERM; (setsid sleep ${seconds} &); sleep ${seconds}; :`);
    await at.does("jobs", { id, pattern: "a" });
    const stopped = await at.does("jobs", { id, action: "stop" });
    expect(firstLine(stopped)).toMatch(/^job_1 \(.*\) stopped$/);
    expect(await waitForNone(seconds)).toEqual([]);
    expect(firstLine(await at.does("jobs", { id, action: "stop" }))).toMatch(/ stopped$/);
  });

  it("is told of once when it has ended, with the next result", async () => {
    const at = open();
    await start(at, "sleep 0.2; echo rest; exit 4");
    await sleep(1_500);
    const next = await at.does("bash", { command: "true" });
    expect(next.content).toBe(
      'exit code 0\n(no output)\n[note] job_1 (sleep 0.2; echo rest; exit 4) has ended: exit code 4; read the rest with jobs {"id":"job_1"}',
    );
    expect((await at.does("bash", { command: "true" })).content).toBe("exit code 0\n(no output)");
    expect((await at.does("jobs", { id: "job_1" })).content).toContain("exit code 4\n[stdout]\nrest");
  });

  it("whose end was seen is not told of again", async () => {
    const at = open();
    const id = await start(at, "exit 0");
    await at.does("jobs", { id, action: "wait" });
    expect((await at.does("bash", { command: "true" })).content).toBe("exit code 0\n(no output)");
  });

  it("keeps no more than the cap, and says what was left out", async () => {
    const at = open({ limits: { bashMax: 2_000 } });
    const id = await start(at, "seq 1 100000");
    const output = await at.does("jobs", { id, action: "wait" });
    expect(firstLine(output)).toContain("exit code 0; stdout 588.9 kB, 2000 bytes kept");
    expect(output.content).toMatch(/\n\[… [\d,]+ lines \([\d,]+ bytes\) left out …\]\n/);
    expect(output.content.endsWith("\n100000")).toBe(true);
  });

  it("is folded like the output of any command", async () => {
    const at = open();
    const id = await start(at, "printf '1%%\\r2%%\\r\\033[32m3%%\\033[0m\\n'");
    const output = await at.does("jobs", { id, action: "wait" });
    expect(output.content).toContain("[stdout]\n3%\n[note] output folded:");
  });
});

describe("the list", () => {
  it("tells of every job, the oldest first", async () => {
    const at = open();
    expect((await at.does("jobs", {})).content).toBe("no jobs");
    const seconds = rareSeconds();
    await start(at, "echo a; exit 3");
    await start(at, `sleep ${seconds}`);
    await sleep(1_000);
    const output = await at.does("jobs", {});
    expect(output.content).toBe(
      `2 jobs\njob_1 exit code 3, 2 bytes unread: echo a; exit 3\njob_2 running: sleep ${seconds}`,
    );
  });

  it("keeps a long command to one short line", async () => {
    const at = open();
    await start(at, `echo "${"😀".repeat(300)}"\n\nsleep 900 # \u202e`);
    const lines = (await at.does("jobs", {})).content.split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]?.length).toBeLessThan(300);
  });
});

describe("a call that cannot be", () => {
  it.each([
    [{ id: "job_7" }, "job-unknown"],
    [{ id: "job_7", action: "stop" }, "job-unknown"],
    [{ id: "job_7", pattern: "x" }, "job-unknown"],
    [{ id: "../x\u0000\n" }, "job-unknown"],
    [{ action: "read" }, "input-invalid"],
    [{ action: "wait" }, "input-invalid"],
    [{ pattern: "x" }, "input-invalid"],
    [{ id: "job_1", port: 0 }, "input-invalid"],
    [{ id: "job_1", action: "kill" }, "input-invalid"],
    [{ id: "job_1", pattern: "(?<=a)b" }, "pattern-unsupported"],
    [{ id: "job_1", pattern: "(a)\\1" }, "pattern-unsupported"],
  ] as const)("is refused, and the job runs on: %j", async (args, code) => {
    const at = open();
    const seconds = rareSeconds();
    await start(at, `sleep ${seconds}`);
    const output = expectRefusal(await at.call("jobs", args), code);
    if (code === "job-unknown") expect(output.content).toContain("job_1");
    expect(findLive(seconds)).not.toEqual([]);
  });

  it.each(["(a+)+$", "f(", "interface{}"])("is not one that only looks so: %s", async (pattern) => {
    const at = open();
    const id = await start(at, `echo "${pattern}"; echo aaaa; sleep 900`);
    const output = await at.does("jobs", { id, pattern });
    expect(firstLine(output)).toContain("a line matches");
  });

  it("is said to be taken literally where it is no regular expression", async () => {
    const at = open();
    const id = await start(at, "echo 'f(x)'; sleep 900");
    const output = await at.does("jobs", { id, pattern: "f(" });
    expect(output.content).toContain(
      "[note] pattern: searched literally, because it is no regular expression",
    );
  });
});
