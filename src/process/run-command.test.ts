/**
 * Owns the tests of how a command in the foreground ends and what it gives. Rule: a real bash, real children.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listMarked, openRealCommands, readEnd } from "../../test/support/real-commands.ts";

let at: ReturnType<typeof openRealCommands>;
beforeEach(() => {
  at = openRealCommands();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await at.close();
  expect(listMarked(at.marker)).toEqual([]);
});
const quick = (startMs: number, mostMs: number) => expect(performance.now() - startMs).toBeLessThan(mostMs);

describe("a command", () => {
  it("gives both streams apart, and its status", async () => {
    const end = await at.ended("echo out; echo err >&2; exit 3");
    expect(end).toMatchObject({ out: "out\n", err: "err\n", exit: { kind: "exited", code: 3 } });
    expect(end.pids[0]).toBe(end.pid);
    expect(end.left).toBeUndefined();
  });

  it.each([
    ["false", 1],
    ["sh -c 'exit 7'", 7],
    ["true", 0],
  ])("that prints nothing ends at once: %s", async (command, code) => {
    expect(await at.ended(command)).toMatchObject({ out: "", err: "", exit: { kind: "exited", code } });
  });

  it("whose child is killed has the status that bash gives it", async () => {
    const end = await at.ended("sh -c 'kill -TERM $$'; exit $?");
    expect(end.exit).toEqual({ kind: "exited", code: 143 });
  });

  it("whose shell is killed is told by the signal's name, with what it had printed", async () => {
    const end = await at.ended("echo part; kill -KILL $$");
    expect(end).toMatchObject({ out: "part\n", exit: { kind: "signalled", signal: "SIGKILL" } });
  });

  it("is never taken for options of the shell", async () => {
    expect((await at.ended("-f x")).err).toBe("bash: line 1: -f: command not found\n");
    expect(await at.run("+x )", { checkSyntax: true })).toMatchObject({ kind: "syntax-error", line: 1 });
  });

  it("gives the bytes that are no whole character", async () => {
    expect((await at.ended("printf 'a\\xe2'")).stdout.head).toEqual(Buffer.from([0x61, 0xe2]));
  });

  it("finds no input", async () => {
    expect((await at.ended("cat")).out).toBe("");
    expect((await at.ended('read x; echo "[$x]"')).out).toBe("[]\n");
  });

  it("can open its outputs by name", async () => {
    const end = await at.ended("echo a >/dev/stderr; echo b | tee /dev/stderr; echo c >>/dev/stdout");
    expect(end).toMatchObject({ out: "b\nc\n", err: "a\nb\n" });
  });

  it("names its errors as bash does, by their own lines", async () => {
    expect((await at.ended("true\nnope_x")).err).toBe("bash: line 2: nope_x: command not found\n");
  });

  it("runs in its folder, in a session of its own", async () => {
    const end = await at.ended('pwd; echo "$PWD"; [ "$(ps -o sid= -p $$ | tr -d " ")" = $$ ] && echo own');
    expect(end.out).toBe(`${at.cwd}\n${at.cwd}\nown\n`);
  });

  it("may be longer than an argument can be", async () => {
    const end = await at.ended(`: '${"x".repeat(300_000)}'\necho long; nope_y`);
    expect(end).toMatchObject({ out: "long\n", exit: { kind: "exited", code: 127 } });
    expect(readdirSync(at.cwd)).toEqual([]);
  });

  it("that cannot be started is told of, not thrown", async () => {
    expect(await at.run("true", { bash: join(at.cwd, "none") })).toMatchObject({ kind: "not-started" });
    expect(await at.run("echo a\0b")).toMatchObject({ kind: "not-started" });
    const gone = await at.run("true", { cwd: join(at.cwd, "gone") });
    expect(gone).toEqual({ kind: "not-started", error: "the working directory does not exist" });
  });

  it("sees no variable of the host that is not on the list, nor does a word of it show one", async () => {
    vi.stubEnv("GH_TOKEN", "zz-2");
    vi.stubEnv("BASH_ENV", join(at.cwd, "evil"));
    vi.stubEnv("LD_PRELOAD", "");
    writeFileSync(join(at.cwd, "evil"), "echo zz-3");
    const end = await at.ended("env; tr '\\0' ' ' </proc/$$/cmdline");
    expect(end.out).toMatch(/^PATH=/m);
    expect(end.out).not.toMatch(/zz-|BASH_ENV|LD_PRELOAD/);
  });

  it("is told of as it prints, shortened, on whole characters", async () => {
    const told: string[] = [];
    await at.ended("for i in 1 2 3; do printf 'ä%.0s' {1..1500}; sleep 0.25; done", {
      onOutput: (text) => told.push(text),
    });
    expect(told.length).toBeGreaterThan(1);
    expect(told.every((text) => /^ä+$/.test(text) && text.length <= 1024)).toBe(true);
  });
});

describe("a command that leaves children", () => {
  it.each(["sleep 45 & echo fin", "sleep 45 </dev/null >/dev/null & echo fin"])(
    "answers when its shell ends: %s",
    async (command) => {
      const start = performance.now();
      const end = await at.ended(command);
      quick(start, 3_000);
      expect(end).toMatchObject({ out: "fin\n", exit: { kind: "exited", code: 0 } });
      expect(end.left).toMatchObject({ id: "job_1", command: "sleep 45" });
      expect(end.left?.exit).toBeUndefined();
    },
  );

  it("names all of them, by their own words", async () => {
    const end = await at.ended("sleep 45 & setsid sleep 46 >/dev/null 2>&1 & sleep 0.2; echo fin");
    expect(end.left?.command).toBe("sleep 45, sleep 46");
  });

  it("names a part of the shell by the command, without what we put before it", async () => {
    const command = "(while :; do echo tick; sleep 0.1; done) & echo fg";
    const end = await at.ended(command, { watch: { stages: true, directory: true } });
    expect(end.out).toContain("fg");
    expect(end.left?.command).toBe(command);
  });

  it("waits for those that end with it", async () => {
    expect(await at.ended("echo x > >(cat)")).toMatchObject({ out: "x\n" });
    expect((await at.ended("echo x > >(cat)")).left).toBeUndefined();
  });

  it("finds one that left the group, cleared its environment and lost its parent after it was seen", async () => {
    const end = await at.ended(
      "(env -i setsid sh -c 'sleep 0.5; exec sleep 47' </dev/null >/dev/null 2>&1 & sleep 0.3) & sleep 1",
    );
    expect(end.left?.command).toBe("sleep 47");
  });

  it("finds one by the output that it still holds", async () => {
    expect((await at.ended("(env -i setsid sleep 48 &)")).left?.command).toBe("sleep 48");
  });
});

describe("a command whose time is over", () => {
  it("ends with all of it, and keeps what it printed", async () => {
    const end = await at.ended("echo a; sleep 30", { timeoutMs: 300 });
    expect(end).toMatchObject({ out: "a\n", exit: { kind: "timed-out", afterMs: 300 } });
  });

  it.each(["trap '' TERM; sleep 300", "(trap '' TERM; sleep 300) & wait"])(
    "ends where it ignores TERM: %s",
    async (command) => {
      const start = performance.now();
      expect((await at.ended(command, { timeoutMs: 300 })).exit.kind).toBe("timed-out");
      quick(start, 6_000);
    },
  );

  it("leaves no grandchild that works on", async () => {
    await at.ended("(sleep 1; touch sentinel) & sleep 300 | cat", { timeoutMs: 300 });
    await sleep(1_500);
    expect(existsSync(join(at.cwd, "sentinel"))).toBe(false);
  });

  it("may clean up first, with programs that it starts for that", async () => {
    const command = "trap 'sleep 0.3; echo cleaned; exit 5' TERM; while :; do sleep 0.05; done";
    expect((await at.ended(command, { timeoutMs: 300 })).out).toBe("cleaned\n");
  });

  it("goes on as a job where that is asked for", async () => {
    const end = await at.run("echo a; sleep 30", { timeoutMs: 300, onTimeout: "background" });
    expect(end).toMatchObject({ kind: "background", job: { id: "job_1", command: "echo a; sleep 30" } });
  });
});

describe("a command that is cancelled", () => {
  it("ends with all of it and keeps what it printed", async () => {
    const start = performance.now();
    const end = await at.ended("echo a; sleep 300 & sleep 300", { signal: AbortSignal.timeout(300) });
    expect(end).toMatchObject({ out: "a\n", exit: { kind: "cancelled" } });
    expect(end.left).toBeUndefined();
    quick(start, 3_000);
  });

  it("never starts where it was cancelled before", async () => {
    const end = await at.run("touch ran", { signal: AbortSignal.abort() });
    expect(readEnd(end).exit).toEqual({ kind: "cancelled" });
    expect(existsSync(join(at.cwd, "ran"))).toBe(false);
  });

  it("ends with its worker", async () => {
    const running = at.ended("sleep 300");
    await sleep(200);
    await at.commands.close();
    expect((await running).exit).toEqual({ kind: "signalled", signal: "SIGTERM" });
    expect(readEnd(await at.run("touch ran")).exit).toEqual({ kind: "cancelled" });
  });
});

describe("a command in the background", () => {
  it("is a job at once", async () => {
    const end = await at.run("sleep 300", { background: true });
    expect(end).toMatchObject({ kind: "background", job: { id: "job_1", command: "sleep 300" } });
  });
});
