/**
 * Owns what edits and writes cost the host: the kind of E30, a call that stops everything else for seconds.
 * Leaves speed to bench/. Rule: the bounds catch what is quadratic, with neighbours on the machine; never slowness.
 */
import { describe, expect, it } from "vitest";
import { expectRefusal, type Output } from "../support/loose-toolset.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

/** The row allows 500 ms on a quiet machine; the report had 10 s. */
const LONGEST_SLIP_MS = 2_000;

/** The longest time that a 50 ms timer was late while `work` ran. */
async function measureSlip(work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    worst = Math.max(worst, now - last - 50);
    last = now;
  };
  const timer = setInterval(look, 50);
  await work();
  look();
  clearInterval(timer);
  return worst;
}

const manyLines = (letter: string, step: number) =>
  `${Array.from({ length: 6000 }, (_, i) => `${letter}${(i * step) % 60013}`).join("\n")}\n`;

describe("edit: cost", { timeout: 120_000 }, () => {
  it("E30 overwrites 6,000 lines with wholly different ones without stopping the host", async () => {
    const at = openWorkspace("");
    await at.does("write", { path: "f", content: manyLines("x", 31) });
    const slip = await measureSlip(() => at.does("write", { path: "f", content: manyLines("y", 37) }));
    expect(slip).toBeLessThan(LONGEST_SLIP_MS);
    expect(at.text("f")).toBe(manyLines("y", 37));
  });

  it("E30 edits 6,000 lines into wholly different ones without stopping the host", async () => {
    const at = openWorkspace("");
    await at.does("write", { path: "f", content: manyLines("x", 31) });
    const slip = await measureSlip(() => at.edit("f", manyLines("x", 31), manyLines("y", 37)));
    expect(slip).toBeLessThan(LONGEST_SLIP_MS);
    expect(at.text("f")).toBe(manyLines("y", 37));
  });

  const slipOfEdit = async (
    at: Workspace,
    edits: readonly Record<string, unknown>[],
  ): Promise<{ slip: number; output: Output | undefined }> => {
    let output: Output | undefined;
    const slip = await measureSlip(async () => {
      output = await at.call("edit", { path: "f", edits });
    });
    return { slip, output };
  };

  it.each([
    ["of numbered lines, two of which are nearly asked for", "seq 1 700000 > f", "399999\n400001"],
    ["of one line over and over", "yes 'abcdefghij' | head -c 5000000 > f", "abc  \ndef"],
    [
      "of code, where one word differs",
      `for i in $(seq 1 60000); do echo "    const value$i = compute($i, 'some text');"; done > f`,
      "    const value777 = compute(777, 'other text');\n    const value778",
    ],
    ["that is one line", "head -c 5000000 /dev/zero | tr '\\0' x > f", "xxxyxxx"],
    ["of blank lines", "yes '' | head -c 1000000 > f", "\n\n\na\n\n"],
    ["of short lines that repeat", "yes $'a\\nb' | head -c 150000 > f", "a\nb\na\nc\nb\na"],
  ])("E30 refuses a miss in a file %s without stopping the host", async (_name, fixture, oldText) => {
    const at = openWorkspace(fixture);
    const { slip, output } = await slipOfEdit(at, [{ old_text: oldText, new_text: "q" }]);
    expectRefusal(output ?? expect.fail("no answer"), "edit-no-match");
    expect(output?.content.length).toBeLessThan(70_000);
    expect(slip).toBeLessThan(LONGEST_SLIP_MS);
  });

  it.each([
    ["a line of 1 MB of one letter", "head -c 1000000 /dev/zero | tr '\\0' x > f", "x"],
    ["a line of 1 MB, overlapping", "head -c 1000000 /dev/zero | tr '\\0' x > f", "x".repeat(1000)],
    ["1,000,000 lines", "yes ab | head -n 1000000 > f", "b"],
  ])("E30 refuses an ambiguous text in %s without stopping the host", async (_name, fixture, oldText) => {
    const at = openWorkspace(fixture);
    const { slip, output } = await slipOfEdit(at, [{ old_text: oldText, new_text: "q" }]);
    expectRefusal(output ?? expect.fail("no answer"), "edit-ambiguous");
    expect(output?.content.length).toBeLessThan(70_000);
    expect(slip).toBeLessThan(LONGEST_SLIP_MS);
  });

  it.each([
    ["a line of 1 MB", "head -c 1000000 /dev/zero | tr '\\0' x > f", "xx", 500_000],
    ["100,000 lines", "yes abcdefghi | head -n 100000 > f", "abcdefghi", 100_000],
  ])("E30 replaces all in %s without stopping the host", async (_name, fixture, oldText, count) => {
    const at = openWorkspace(fixture);
    const { slip, output } = await slipOfEdit(at, [{ old_text: oldText, new_text: "y", replace_all: true }]);
    expect(output?.isError).toBe(false);
    expect(at.text("f").replaceAll("\n", "")).toBe("y".repeat(count));
    expect(slip).toBeLessThan(LONGEST_SLIP_MS);
  });
});
