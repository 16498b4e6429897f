/**
 * Owns the promise that reading costs what the answer costs, in memory.
 * Leaves time to bench/. Rule: the measuring itself is shown to notice what it is meant to catch.
 */
import { describe, expect, it } from "vitest";
import { measureRise } from "../support/peak-memory.ts";
import { openWorkspace } from "../support/workspace.ts";

const MB = 1024 * 1024;

// The peak of a process can be started again on Linux alone.
describe.skipIf(process.platform !== "linux")("memory", () => {
  it("the measuring notices 120 MB that are held and let go", async () => {
    const rise = await measureRise(async () => {
      Buffer.alloc(120 * MB, 1);
    });
    expect(rise).toBeGreaterThan(100 * MB);
  });

  it("reading 5 lines of a 3 GiB file takes less than 100 MB", { timeout: 60_000 }, async () => {
    const at = openWorkspace("seq 1 100 > big.log; truncate -s 3G big.log; seq 1 5 > small");
    await at.does("read", { path: "small", limit: 5 });
    for (const args of [{ limit: 5 }, { offset: 40, limit: 5 }]) {
      const rise = await measureRise(async () => {
        const done = await at.does("read", { path: "big.log", ...args });
        expect(done.content.split("\n").filter((row) => /^\d+\t/.test(row))).toHaveLength(5);
        expect(done.content.split("\n")[0]).toMatch(/more than [\d,]+ lines|bytes|GiB/);
      });
      expect(rise, JSON.stringify(args)).toBeLessThan(100 * MB);
    }
  });

  it("a far line of a file of 300 MB, an offset past its end, and a search of it stay under 100 MB", {
    timeout: 120_000,
  }, async () => {
    const at = openWorkspace(
      "yes 'a line of some forty bytes, more or less' | head -c 300000000 > log; seq 1 5 > small",
    );
    await at.does("read", { path: "small", limit: 5 });
    const rise = await measureRise(async () => {
      const far = await at.does("read", { path: "log", offset: 6_000_000, limit: 3 });
      expect(far.content).toContain("6000000\ta line of some");
      await at.refuses("read", { path: "log", offset: 900_000_000 }, "range-outside");
      await at.call("grep", { pattern: "no such text", path: "log" });
    });
    expect(rise).toBeLessThan(100 * MB);
  });

  it("one line of 300 MB is shown from any column without being held whole", {
    timeout: 120_000,
  }, async () => {
    const at = openWorkspace("head -c 300000000 /dev/zero | tr '\\0' x > line; seq 1 5 > small");
    await at.does("read", { path: "small", limit: 5 });
    const rise = await measureRise(async () => {
      await at.does("read", { path: "line" });
      await at.does("read", { path: "line", offset: 1, column: 200_000_000 });
    });
    expect(rise).toBeLessThan(100 * MB);
  });
});
