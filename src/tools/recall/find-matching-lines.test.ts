import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  expectRefusal,
  expectSuccess,
  mountWithResults,
  type Output,
} from "../../../test/support/loose-toolset.ts";
import { type KeptResult, keepResults } from "../../../test/support/past-results.ts";

const root = mkdtempSync(join(tmpdir(), "haft-recall-"));
afterAll(() => rmSync(root, { recursive: true }));

const KEPT: readonly KeptResult[] = [
  { id: "call_1", content: Array.from({ length: 9_000 }, (_, index) => `line ${index + 1}\n`).join("") },
  { id: "call_2", tool: "read", content: "one\r\ntwo\r\n\r\nfour 😀 and more\nno ending" },
  { id: "call_3", isError: true, content: "exit code 1\n\u001b[31mred\u001b[0m\n" },
  { id: "call_4", tool: "fetch", content: `${"😀".repeat(5_000)}needle${"x".repeat(5_000)}\nneedle\n` },
];

function recallFrom(kept: readonly KeptResult[]): (args: unknown) => Promise<Output> {
  const tools = mountWithResults(root, keepResults(kept));
  return (args) => tools.call("recall", args);
}
const recall = recallFrom(KEPT);

describe("the matching lines of a result", () => {
  it("are given with their numbers in the whole result, alone or within a range", async () => {
    expect((await recall({ id: "call_1", grep: "line 1234?$" })).content).toBe(
      "call_1 (bash): 2 matching lines of 9000\n123:line 123\n1234:line 1234",
    );
    expect(
      (await recall({ id: "call_1", grep: "^line .*99$", range: { start: 150, end: 399 } })).content,
    ).toBe(
      "call_1 (bash): 3 matching lines in lines 150–399 of 9000\n199:line 199\n299:line 299\n399:line 399",
    );
    expect((await recall({ id: "call_2", grep: "o$" })).content).toBe(
      "call_2 (read): 1 matching line of 5\n2:two",
    );
    expect((await recall({ id: "call_2", grep: "zzz" })).content).toBe(
      "call_2 (read): no matching lines of 5",
    );
    const all = expectSuccess(await recall({ id: "call_1", grep: "line" }));
    expect(all.content.split("\n")).toHaveLength(9_001);
  });

  it("are found literally where the pattern does not parse, across lines where it holds a line break, and that is said", async () => {
    expect((await recall({ id: "call_3", grep: "[31m" })).content).toMatch(
      /^call_3 \(bash, error\): 1 matching line of 2; searched literally.*\n2:/,
    );
    expect((await recall({ id: "call_1", grep: "line 7\\nline 8\\n" })).content).toMatch(
      /^call_1 \(bash\): 2 matching lines of 9000; searched across lines.*\n7:line 7\n8:line 8$/,
    );
    expect((await recall({ id: "call_1", grep: "e 7\\nl|ne 8\\nl" })).content).toMatch(
      / 3 matching .*\n7:line 7\n8:line 8\n9:line 9$/,
    );
    const { content } = expectRefusal(await recall({ id: "call_1", grep: "a(?=b)" }), "pattern-unsupported");
    expect(content).toContain("look-ahead");
    expect(content).not.toContain("literal");
  });

  it("are shown around the match where they are long, with the place from which chars shows more", async () => {
    const { content } = expectSuccess(await recall({ id: "call_4", grep: "needle" }));
    const [, long, short] = content.split("\n");
    expect(long).toMatch(/^1:…(😀){100}needlex+… \[column 5001 of 10006, character 5000 of the result\]$/);
    expect(short).toBe("2:needle");
    const shown = await recall({ id: "call_4", chars: { start: 5_000, end: 5_006 } });
    expect(shown.content).toMatch(/\nneedle$/);
  });

  it("are found in time whatever the pattern", async () => {
    const evil = recallFrom([{ id: "a", content: `${"a".repeat(200_000)}!\n` }]);
    expect((await evil({ id: "a", grep: "(a+)+$" })).content).toBe("a (bash): no matching lines of 1");
  });
});
