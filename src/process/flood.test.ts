/**
 * Owns the tests of much output and of bytes that are no text. Rule: real pipes; memory is that of this process.
 */
import { afterEach, beforeEach, expect, it } from "vitest";
import { openRealCommands } from "../../test/support/real-commands.ts";

let at: ReturnType<typeof openRealCommands>;
beforeEach(() => {
  at = openRealCommands();
});
afterEach(() => at.close());

const BYTES = 700_000_000;

it.each(["stdout", "stderr"] as const)(
  "a flood on %s keeps both ends, the status, and little memory",
  async (stream) => {
    const to = stream === "stderr" ? ">&2" : "";
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 20);
    const end = await at.ended(`{ echo first; yes | head -c ${BYTES}; echo; echo last; } ${to}; exit 4`);
    clearInterval(timer);
    const kept = end[stream];
    expect(end.exit).toEqual({ kind: "exited", code: 4 });
    expect(kept.seen).toBe(BYTES + 12);
    expect(Buffer.from(kept.head).toString("latin1", 0, 8)).toBe("first\ny\n");
    expect(Buffer.from(kept.tail).toString("latin1").endsWith("y\n\nlast\n")).toBe(true);
    expect(kept.head.length + kept.tail.length + kept.omittedBytes).toBe(kept.seen);
    expect(kept.head.length + kept.tail.length).toBeGreaterThan(1_000_000);
    expect(most).toBeLessThan(100_000_000);
  },
);

it("a flood is no end to a command that is cancelled, nor to what it left", async () => {
  const cancelled = await at.ended("yes", { signal: AbortSignal.timeout(300) });
  expect(cancelled.exit).toEqual({ kind: "cancelled" });
  const left = await at.ended("yes & echo fg");
  expect(left.left?.command).toBe("yes");
  expect((await at.jobs.stop("job_1"))?.job.exit).toEqual({ kind: "stopped" });
});

it("random bytes come as they are", async () => {
  const end = await at.ended("head -c 3000000 /dev/urandom | tee copy");
  const { head, tail, omittedBytes } = end.stdout;
  expect(head.length + tail.length + omittedBytes).toBe(3_000_000);
  expect((await at.ended(`cmp <(head -c ${head.length} copy) -`)).exit.kind).toBe("exited");
  const ends = await at.ended(`head -c ${head.length} copy | cksum; tail -c ${tail.length} copy | cksum`);
  const sums = ends.out
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[1]);
  expect(sums).toEqual([String(head.length), String(tail.length)]);
});
