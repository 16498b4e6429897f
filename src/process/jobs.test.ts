/**
 * Owns the tests of jobs: reading what is new, waiting, stopping, being told of an end. Rule: a real bash, real ports.
 */
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listMarked, openRealCommands, textOf } from "../../test/support/real-commands.ts";
import type { JobWait } from "../contract/shell.ts";
import { listens } from "./listening-port.ts";

let at: ReturnType<typeof openRealCommands>;
beforeEach(() => {
  at = openRealCommands();
});
afterEach(async () => {
  await at.close();
  expect(listMarked(at.marker)).toEqual([]);
});

async function start(command: string): Promise<string> {
  const end = await at.run(command, { background: true });
  if (end.kind !== "background") throw new Error(`no job: ${end.kind}`);
  return end.job.id;
}

function wait(id: string, more: Partial<JobWait> = {}) {
  return at.jobs.wait({ id, timeoutMs: 20_000, signal: new AbortController().signal, ...more });
}

const read = async (id: string) => {
  const output = await at.jobs.read(id);
  if (output === undefined) throw new Error(`no job ${id}`);
  return { ...output, out: textOf(output.stdout), err: textOf(output.stderr) };
};

describe("reading a job", () => {
  it("gives each byte once, while it runs and after its end", async () => {
    const id = await start("echo one; echo e >&2; sleep 0.5; echo two; exit 3");
    await wait(id, { pattern: "nothing like it", timeoutMs: 200 });
    await wait(id);
    const rest = await read(id);
    expect(rest.job).toMatchObject({ exit: { kind: "exited", code: 3 }, unreadBytes: 0 });
    expect(rest.out).toBe("");
  });

  it("parts no character between two readings", async () => {
    const id = await start("printf 'a\\xe2'; sleep 0.4; printf '\\x82\\xacb'");
    await sleep(200);
    expect((await read(id)).out).toBe("a");
    expect(textOf((await wait(id))?.stdout ?? never())).toBe("€b");
  });

  it("keeps both ends of what was not read", async () => {
    const id = await start("seq 1 400000");
    const end = await wait(id, { timeoutMs: 30_000 });
    const out = end?.stdout ?? never();
    expect(Buffer.from(out.head).toString()).toMatch(/^1\n2\n/);
    expect(Buffer.from(out.tail).toString()).toMatch(/\n400000\n$/);
    expect(out.head.length + out.tail.length + out.omittedBytes).toBe(out.seen);
  });

  it("knows no job of another name", async () => {
    expect(await at.jobs.read("job_9")).toBeUndefined();
    expect(await at.jobs.stop("job_9")).toBeUndefined();
    expect(await wait("job_9")).toBeUndefined();
  });
});

describe("waiting for a job", () => {
  it("ends with the line that matches, of either stream", async () => {
    const id = await start("echo a; sleep 0.2; echo 'now listening' >&2; sleep 60");
    const met = await wait(id, { pattern: "listen(ing|s)$" });
    expect(met).toMatchObject({ met: "pattern", line: "now listening" });
    expect(textOf(met?.stderr ?? never())).toBe("now listening\n");
  });

  it("sees what was printed before and not read, and nothing that was read", async () => {
    const id = await start("echo ready; sleep 60");
    await sleep(300);
    expect(await wait(id, { pattern: "^ready$" })).toMatchObject({ met: "pattern" });
    expect(await wait(id, { pattern: "^ready$", timeoutMs: 200 })).toMatchObject({ met: "time" });
  });

  it("sees a line that has no end", async () => {
    const id = await start("printf 'Password: '; sleep 60");
    expect(await wait(id, { pattern: "^Password: $" })).toMatchObject({ met: "pattern", line: "Password: " });
  });

  it("sees a line that comes in pieces, in the midst of a flood that is not kept", async () => {
    const id = await start(
      "yes | head -c 3000000; printf 'rea'; sleep 0.1; echo dy; yes | head -c 3000000; sleep 60",
    );
    expect(await wait(id, { pattern: "^ready$" })).toMatchObject({ met: "pattern" });
  });

  it("ends with the job", async () => {
    const id = await start("sleep 0.2; exit 4");
    const met = await wait(id, { pattern: "never" });
    expect(met).toMatchObject({ met: "end", job: { exit: { kind: "exited", code: 4 } } });
  });

  it("ends when something listens on the port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : never();
    const id = await start("sleep 60");
    expect(await wait(id, { port })).toMatchObject({ met: "port" });
    await new Promise((resolve) => server.close(resolve));
    expect(await wait(id, { port, timeoutMs: 200 })).toMatchObject({ met: "time" });
  });

  it("that is cancelled is thrown, and takes nothing", async () => {
    const id = await start("echo a; sleep 60");
    const signal = AbortSignal.timeout(300);
    await expect(wait(id, { pattern: "never", signal })).rejects.toThrow();
    expect((await read(id)).out).toBe("a\n");
  });

  it("cannot be made to backtrack", async () => {
    const id = await start(`printf 'a%.0s' {1..5000}; echo; sleep 60`);
    expect(await wait(id, { pattern: "^(a+)+$" })).toMatchObject({ met: "pattern" });
    expect(await wait(id, { pattern: "(a+)+b", timeoutMs: 100 })).toMatchObject({ met: "time" });
  });
});

describe("the table of ports", () => {
  const line = (local: string, state: string) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:0`;
  it("is read for what listens alone", () => {
    expect(listens(line("0100007F:1F90", "0A"), 8080)).toBe(true);
    expect(listens(line("0100007F:1F90", "01"), 8080)).toBe(false);
    expect(listens(line("0100007F:0050", "0A"), 8080)).toBe(false);
    expect(listens(line("00000000000000000000000000000000:0050", "0A"), 80)).toBe(true);
  });
});

describe("a job", () => {
  it("that is stopped ends with all of it, and says so", async () => {
    const id = await start("echo a; trap '' TERM; setsid sleep 70 & sleep 71");
    await sleep(200);
    const stopped = await at.jobs.stop(id);
    expect(stopped?.job.exit).toEqual({ kind: "stopped" });
    expect(textOf(stopped?.stdout ?? never())).toBe("a\n");
    expect(listMarked(at.marker)).toEqual([]);
  });

  it("runs as long as a child of its shell does", async () => {
    const id = await start("sleep 0.6 & exit 3");
    await sleep(300);
    expect((await read(id)).job.exit).toBeUndefined();
    expect((await wait(id))?.job.exit).toEqual({ kind: "exited", code: 3 });
  });

  it("made of what a command left ends by itself, without a status", async () => {
    const end = await at.ended("(sleep 0.5; echo late) & echo now");
    expect(end.out).toBe("now\n");
    const met = await wait("job_1");
    expect(met).toMatchObject({ met: "end", job: { exit: { kind: "ended" } } });
    expect(textOf(met?.stdout ?? never())).toBe("late\n");
  });

  it("is told of once, to whom it is shown or to whom asks for ends", async () => {
    const [shown, untold] = [await start("true"), await start("true")];
    while (at.endedJobs.length < 2) await sleep(10);
    await read(shown);
    expect(at.jobs.takeEnded().map((job) => job.id)).toEqual([untold]);
    expect(at.jobs.takeEnded()).toEqual([]);
  });

  it("ends with its worker", async () => {
    await start("trap '' TERM; sleep 72");
    await at.ended("setsid sleep 73 & true");
    await at.commands.close();
    expect((await at.jobs.list()).map((job) => job.exit?.kind)).toEqual(["stopped", "stopped"]);
  });
});

function never(): never {
  throw new Error("there is no output");
}
