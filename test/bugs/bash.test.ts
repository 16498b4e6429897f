/**
 * Owns the public bug reports about commands, and variations of each, on a real bash through a mounted toolset:
 * how they end, and what they leave. Leaves their output to bash-output.test.ts, their text to bash-command.test.ts.
 * Rule: every command sleeps a number of seconds that no other does, so that what is left of it is found.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findLive, rareSeconds, waitForNone } from "../support/live-processes.ts";
import { expectRefusal, expectSuccess, type Output } from "../support/loose-toolset.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const open = (fixture = "", options: Readonly<Record<string, unknown>> = {}): Workspace =>
  openWorkspace(fixture, { tools: ["read", "write", "bash", "jobs"], ...options });

const firstLine = (output: Output): string => output.content.split("\n", 1)[0] ?? "";

async function timed<T>(run: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const started = performance.now();
  const result = await run();
  return { result, tookMs: performance.now() - started };
}

describe("a command that leaves something in the background (B01)", () => {
  it.each([
    ["holding both pipes", (s: string) => `sleep ${s} & echo fin`],
    ["holding standard error", (s: string) => `sleep ${s} </dev/null >/dev/null & echo fin`],
    ["holding nothing", (s: string) => `sleep ${s} >/dev/null 2>&1 & echo fin`],
    ["in a subshell", (s: string) => `(sleep ${s} &); echo fin`],
    ["with nohup", (s: string) => `nohup sleep ${s} >/dev/null 2>&1 & echo fin`],
    ["in a session of its own", (s: string) => `setsid sleep ${s} & echo fin`],
    ["disowned", (s: string) => `sleep ${s} & disown; echo fin`],
  ])("ends when the shell does, and tells of a child %s", async (_about, command) => {
    const at = open();
    const seconds = rareSeconds();
    const { result, tookMs } = await timed(() => at.does("bash", { command: command(seconds) }));
    expect(tookMs).toBeLessThan(3_000);
    expect(firstLine(result)).toBe(`exit code 0; job_1 (sleep ${seconds}) still running`);
    expect(result.content).toContain('\nfin\n[note] job_1: see it with jobs {"id":"job_1"}');
    expect(result.details.job).toMatchObject({ id: "job_1", command: `sleep ${seconds}` });
    // What holds a fence up has the command among its arguments, too.
    expect(findLive(seconds).filter((line) => /^\S+\s+sleep /.test(line))).toHaveLength(1);
    await at.tools.close();
    expect(await waitForNone(seconds)).toEqual([]);
  });

  it("keeps the pid that was printed", async () => {
    const at = open();
    const seconds = rareSeconds();
    const output = await at.does("bash", { command: `sleep ${seconds} >/dev/null 2>&1 & echo $!` });
    expect(output.content).toMatch(/\n\[stdout\]\n\d+\n/);
  });

  it("says that it ends with the session where jobs is not mounted", async () => {
    const at = open("", { tools: ["bash"] });
    const seconds = rareSeconds();
    const output = await at.does("bash", { command: `sleep ${seconds} & echo fin` });
    expect(output.content).toContain("\n[note] job_1: it ends with this session");
    expect(output.content).not.toContain("jobs {");
  });

  it("B03 ends although the child goes on printing, and what it prints later is the job's", async () => {
    const at = open();
    const seconds = rareSeconds();
    const command = `(while :; do echo tick; sleep 0.1; done; sleep ${seconds}) & sleep 1; echo fg`;
    const { result, tookMs } = await timed(() => at.does("bash", { command }));
    expect(tookMs).toBeLessThan(4_000);
    expect(result.content).toContain("fg");
    const read = await at.does("jobs", { id: "job_1", pattern: "tick" });
    expect(read.content).toContain("tick");
    const stopped = await at.does("jobs", { id: "job_1", action: "stop" });
    expect(firstLine(stopped)).toContain("stopped");
    const again = await at.does("jobs", { id: "job_1" });
    expect(again.content).toContain("(no new output)");
  });
});

describe("a command whose time is over", () => {
  it.each([
    ["a shell that ignores TERM", (s: string) => `trap '' TERM; sleep ${s}`],
    ["a child that ignores TERM", (s: string) => `(trap '' TERM; sleep ${s}) & wait`],
    ["a shell that ignores every signal it can", (s: string) => `trap '' TERM INT HUP QUIT; sleep ${s}`],
    ["a loop that ignores TERM", (s: string) => `trap '' TERM; while :; do sleep 0.05; done; : ${s}`],
    ["a shell that stops itself", (s: string) => `sleep ${s} & kill -STOP $$`],
    ["a child in a session of its own", (s: string) => `setsid bash -c 'trap "" TERM; sleep ${s}' & wait`],
    [
      "a child that was daemonised",
      (s: string) => `(setsid sleep ${s} >/dev/null 2>&1 </dev/null &); sleep 30`,
    ],
  ])("B04 is ended: %s", async (_about, command) => {
    const at = open();
    const seconds = rareSeconds();
    const { result, tookMs } = await timed(() =>
      at.call("bash", { command: command(seconds), timeout_ms: 1_000 }),
    );
    expectRefusal(result, "command-timed-out");
    expect(firstLine(result)).toBe("timed out after 1000 ms");
    expect(tookMs).toBeLessThan(6_000);
    expect(await waitForNone(seconds)).toEqual([]);
  });

  it("B16 names the limit that it had, and keeps what was printed", async () => {
    const at = open("", { shell: { timeoutMs: 900 } });
    const given = await at.call("bash", { command: "echo a; sleep 30", timeout_ms: 1_000 });
    expect(given.content).toBe("timed out after 1000 ms\n[stdout]\na");
    const own = expectRefusal(
      await at.call("bash", { command: "echo b >&2; sleep 30" }),
      "command-timed-out",
    );
    expect(own.content).toBe("timed out after 900 ms\n[stderr]\nb");
    expect(own.refusal.facts).toEqual({ timeoutMs: 900 });
  });

  it("says so where what was killed is an editor that waits for keys", async () => {
    const at = open("mkdir bin; printf '#!/bin/sh\\nsleep 60' > bin/vim; chmod +x bin/vim", {
      tools: ["bash", "jobs", "edit"],
    });
    const output = await at.call("bash", { command: "bin/vim x.txt", timeout_ms: 1_000 });
    expect(output.content).toMatch(/^timed out after 1000 ms\n/);
    expect(output.content).toContain(
      "[note] vim waits for keys, and no terminal is here to press them: change files with edit",
    );
  });

  it.each(["timeout", "cancel"])("B05 leaves no grandchild that goes on: %s", async (how) => {
    const at = open();
    const command = "(sleep 3; touch sentinel) & sleep 300 | cat";
    const host = new AbortController();
    const running = at.tools.call("bash", how === "timeout" ? { command, timeout_ms: 1_000 } : { command }, {
      signal: host.signal,
    });
    if (how === "cancel") setTimeout(() => host.abort(), 1_000);
    expectRefusal(await running, how === "timeout" ? "command-timed-out" : "call-cancelled");
    await sleep(3_500);
    expect(existsSync(join(at.root, "sentinel"))).toBe(false);
  });

  it("goes on as a job where the host wants that and jobs is mounted, and is no failure", async () => {
    const at = open("", { shell: { onTimeout: "background" } });
    const seconds = rareSeconds();
    const kept = await at.does("bash", { command: `echo a; sleep ${seconds}`, timeout_ms: 1_000 });
    expect(firstLine(kept)).toBe(
      `still running when its time was over: now job_1 (echo a; sleep ${seconds}) in the background`,
    );
    expect(kept.content).toContain("\n[stdout]\na\n");
    expect(findLive(`sleep ${seconds}`).length).toBeGreaterThan(0);
    const alone = at.mountAgain({ tools: ["bash"], shell: { onTimeout: "background" } });
    const killed = await alone.call("bash", { command: `sleep ${rareSeconds()}`, timeout_ms: 1_000 });
    expectRefusal(killed, "command-timed-out");
  });
});

describe("a command that is cancelled", () => {
  it("answers soon with what it had printed, and ends even what ignores TERM", async () => {
    const at = open();
    const seconds = rareSeconds();
    const host = new AbortController();
    const command = `echo part; trap '' TERM; (setsid sleep ${seconds} &); sleep ${seconds}`;
    let running: Promise<Output> | undefined;
    await new Promise<void>((resolve) => {
      const onProgress = (text: string) => text.includes("part") && resolve();
      running = at.tools.call("bash", { command }, { signal: host.signal, onProgress });
    });
    // So that the trap stands.
    await sleep(100);
    const { result, tookMs } = await timed(() => {
      host.abort();
      return running as Promise<Output>;
    });
    expect(tookMs).toBeLessThan(2_500);
    expect(result.content).toBe("cancelled\n[stdout]\npart");
    expectRefusal(result, "call-cancelled");
    expect(await waitForNone(seconds)).toEqual([]);
  });

  it("leaves the toolset able to run the next", async () => {
    const at = open();
    const host = new AbortController();
    const running = at.tools.call("bash", { command: `sleep ${rareSeconds()}` }, { signal: host.signal });
    host.abort();
    await running;
    expect((await at.does("bash", { command: "echo next" })).content).toBe("exit code 0\n[stdout]\nnext");
  });

  it("runs nothing where it was cancelled before", async () => {
    const at = open();
    const output = await at.tools.call("bash", { command: "touch ran" }, { signal: AbortSignal.abort() });
    expectRefusal(output, "call-cancelled");
    expect(existsSync(join(at.root, "ran"))).toBe(false);
  });
});

describe("how a command ended", () => {
  it.each([
    ["echo part; kill -KILL $$", "killed by SIGKILL", "SIGKILL", null],
    ["echo part; kill -TERM $$", "killed by SIGTERM", "SIGTERM", null],
    ["echo part; kill -SEGV $$", "killed by SIGSEGV", "SIGSEGV", null],
    ["echo part; sh -c 'kill -TERM $$'; exit $?", "exit code 143 (killed by SIGTERM)", null, 143],
    ["echo part; sh -c 'kill -KILL $$'; exit $?", "exit code 137 (killed by SIGKILL)", null, 137],
    ["echo part; exit 3", "exit code 3", null, 3],
    ["echo part; exit 255", "exit code 255", null, 255],
    ["echo part; nosuchcommand_", "exit code 127 (command not found)", null, 127],
    ["echo part; ./plain", "exit code 126 (cannot be executed)", null, 126],
    ["echo part; grep zz plain", "exit code 1 (grep: no match)", null, 1],
    ["echo part; cd . && grep zz plain", "exit code 1 (grep: no match)", null, 1],
    ["echo part; diff plain other", "exit code 1 (diff: the files differ)", null, 1],
    ["echo part; [ -f nothing ]", "exit code 1 ([: false)", null, 1],
    ["echo part; timeout 0.1 sleep 5", "exit code 124 (timeout: its time was over)", null, 124],
  ])("B10 is told first, with what was printed: %s", async (command, line, signal, code) => {
    const at = open("printf 'a\\n' > plain; printf 'b\\n' > other");
    const output = expectRefusal(await at.call("bash", { command }), "command-failed");
    expect(firstLine(output)).toBe(line);
    expect(output.content).toContain("part");
    expect(output.refusal.facts).toEqual({ code, signal });
    expect(output.details).toMatchObject({ code, signal });
  });

  it("B10 is told of a shell that a child's signal ended", async () => {
    const output = expectRefusal(
      await open().call("bash", { command: "sh -c 'kill -TERM $$'" }),
      "command-failed",
    );
    expect(firstLine(output)).toMatch(/^(killed by SIGTERM|exit code 143 \(killed by SIGTERM\))$/);
  });

  it.each([
    ["false && grep zz plain", "exit code 1"],
    ["test -f nothing && grep zz plain", "exit code 1"],
    ["grep zz nothing", "exit code 2"],
    ["set -e; false; grep zz plain", "exit code 1"],
    ["sh -c 'exit 127'", "exit code 127"],
    ["! true", "exit code 1"],
  ])("is given no meaning that it may not have: %s", async (command, line) => {
    expect(firstLine(await open("printf 'a\\n' > plain").call("bash", { command }))).toBe(line);
  });

  it.each([
    ["false", "exit code 1"],
    ["sh -c 'exit 7'", "exit code 7"],
  ])("B18 is prompt and plain where nothing was printed: %s", async (command, line) => {
    const { result, tookMs } = await timed(() => open().call("bash", { command }));
    expect(expectRefusal(result, "command-failed").content).toBe(`${line}\n(no output)`);
    expect(tookMs).toBeLessThan(5_000);
  });

  it.each(["true", ":", "", "# nothing", "\n", " "].filter((one) => one !== ""))(
    "B18 is a success with words where nothing was printed: %j",
    async (command) => {
      expect((await open().does("bash", { command })).content).toBe("exit code 0\n(no output)");
    },
  );

  it.each([
    ["grep zz plain | cat", "exit code 0; earlier in the pipeline: grep exit code 1 (no match)"],
    ["false | true | true", "exit code 0; earlier in the pipeline: false exit code 1"],
    [
      "(exit 3) | sh -c 'exit 4' | cat",
      "exit code 0; earlier in the pipeline: (…) exit code 3, sh exit code 4",
    ],
    ["yes | head -1", "exit code 0"],
    ["true | true", "exit code 0"],
    [
      "sh -c 'kill -KILL $$' | cat",
      "exit code 0; earlier in the pipeline: sh exit code 137 (killed by SIGKILL)",
    ],
  ])("tells of earlier stages of the last pipeline that failed: %s", async (command, line) => {
    expect(firstLine(await open("printf 'a\\n' > plain").does("bash", { command }))).toBe(line);
  });
});

describe("a command's standard input (B09)", () => {
  it.each([
    ["cat", "exit code 0\n(no output)"],
    ['read x; echo "[$x]"', "exit code 0\n[stdout]\n[]"],
    ["wc -c", "exit code 0\n[stdout]\n0"],
    ["cat | cat", "exit code 0\n(no output)"],
    ["sort; head -1; tail -1", "exit code 0\n(no output)"],
    ["bash", "exit code 0\n(no output)"],
    ["while read l; do echo $l; done", "exit code 0\n(no output)"],
    ["[ -t 0 ] || echo none", "exit code 0\n[stdout]\nnone"],
  ])("is empty, and nothing waits for it: %s", async (command, content) => {
    const { result, tookMs } = await timed(() => open().call("bash", { command }));
    expect(result.content).toBe(content);
    expect(tookMs).toBeLessThan(10_000);
  });

  it("ends programs that ask", async () => {
    const at = open("printf 'needle\\n' > f");
    const asked = await at.call("bash", {
      command: `"${process.execPath}" -e 'process.stdin.on("data", () => {}).on("end", () => console.log("end"))'`,
    });
    expect(asked.content).toContain("end");
    expect((await at.call("bash", { command: "git commit" })).isError).toBe(true);
  });
});

describe("what a command changes", () => {
  it("is told of files that were shown, which become unknown", async () => {
    const at = open(
      "printf 'a\\n' > a.txt; printf 'b\\n' > b.txt; printf 'c\\n' > c.txt; printf 'd\\n' > d.txt",
    );
    const told: string[][] = [];
    const tools = at.mountAgain({ afterWrite: (paths: string[]) => void told.push(paths) });
    for (const path of ["a.txt", "b.txt", "c.txt"]) expectSuccess(await tools.call("read", { path }));
    const output = await tools.call("bash", { command: "echo x > a.txt; rm b.txt; echo y > d.txt; false" });
    expect(output.details?.changes).toEqual({ paths: ["a.txt", "b.txt"], complete: false });
    expect(told).toEqual([["a.txt", "b.txt"]]);
    expectRefusal(await tools.call("write", { path: "a.txt", content: "z" }), "file-unread", "file-changed");
    expectSuccess(await tools.call("write", { path: "c.txt", content: "z" }));
    expect(readFileSync(join(at.root, "a.txt"), "utf8")).toBe("x\n");
  });

  it("is nothing where nothing shown changed", async () => {
    const at = open("printf 'a\\n' > a.txt");
    await at.does("read", { path: "a.txt" });
    const output = await at.does("bash", { command: "cat a.txt; echo x > new" });
    expect(output.details.changes).toEqual({ paths: [], complete: false });
    await at.does("write", { path: "a.txt", content: "known still" });
  });
});
