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
import { type KeptResult, keepResults, linesOf } from "../../../test/support/past-results.ts";
import { findSuggestedCalls } from "../../../test/support/suggested-calls.ts";
import { recallTool } from "./recall.ts";

const root = mkdtempSync(join(tmpdir(), "haft-recall-"));
afterAll(() => rmSync(root, { recursive: true }));

const NUMBERED = Array.from({ length: 9_000 }, (_, index) => `line ${index + 1}\n`).join("");
const KEPT: readonly KeptResult[] = [
  { id: "old/call_1", content: "from an earlier session\n" },
  { id: "call_1", tool: "bash", content: NUMBERED },
  { id: "call_2", tool: "read", content: "one\r\ntwo\r\n\r\nfour 😀 and more\nno ending" },
  { id: "call_3", tool: "bash", isError: true, content: "exit code 1\n\u001b[31mred\u001b[0m\n" },
  { id: "call_4", tool: "fetch", content: `${"😀".repeat(5_000)}needle${"x".repeat(5_000)}\nneedle\n` },
  { id: "call_5", tool: "bash", content: "" },
];

function recallFrom(kept: readonly KeptResult[], prefix = "") {
  const tools = mountWithResults(root, keepResults(kept), { prefix });
  return (args: unknown): Promise<Output> => tools.call(`${prefix}recall`, args);
}
const recall = recallFrom(KEPT);

/** The first line, and what stands below it to the last byte. */
async function split(args: unknown): Promise<[string, string]> {
  const { content } = expectSuccess(await recall(args));
  const border = content.indexOf("\n");
  return [content.slice(0, border), content.slice(border + 1)];
}

describe("recall", () => {
  it("gives a whole result below a line that says what it is", async () => {
    expect(await split({ id: "call_2" })).toEqual([
      "call_2 (read): 5 lines, 37 characters",
      KEPT[2]?.content,
    ]);
    expect(await split({ id: "call_3" })).toEqual([
      "call_3 (bash, error): 2 lines, 25 characters",
      KEPT[3]?.content,
    ]);
    expect(await split({ id: "call_5" })).toEqual(["call_5 (bash): 0 lines, 0 characters", ""]);
  });

  it("gives a result of an earlier session by its full id", async () => {
    expect(await split({ id: "old/call_1" })).toEqual([
      "old/call_1 (bash): 1 line, 24 characters",
      "from an earlier session\n",
    ]);
  });

  it("gives lines, 1-based and inclusive, with their own endings", async () => {
    expect(await split({ id: "call_1", range: { start: 212, end: 8410 } })).toEqual([
      "call_1 (bash): lines 212–8410 of 9000",
      linesOf(NUMBERED).slice(211, 8410).join(""),
    ]);
    expect((await split({ id: "call_2", range: { start: 2, end: 3 } }))[1]).toBe("two\r\n\r\n");
    expect((await split({ id: "call_2", range: { start: 5, end: 5 } }))[1]).toBe("no ending");
  });

  it("gives characters, 0-based and half open, never half of one", async () => {
    expect(await split({ id: "call_2", chars: { start: 16, end: 18 } })).toEqual([
      "call_2 (read): characters 16–18 of 37",
      " 😀",
    ]);
    expect((await split({ id: "call_2", chars: { start: 0, end: 4 } }))[1]).toBe("one\r");
  });

  it("gives parts that, joined, are the result", async () => {
    const whole = KEPT[2]?.content ?? "";
    let joined = "";
    for (let line = 1; line <= 5; line++)
      joined += (await split({ id: "call_2", range: { start: line, end: line } }))[1];
    expect(joined).toBe(whole);
    joined = "";
    for (let at = 0; at < 37; at++)
      joined += (await split({ id: "call_2", chars: { start: at, end: at + 1 } }))[1];
    expect(joined).toBe(whole);
  });

  it("takes a range with one side as open on the other", async () => {
    expect((await split({ id: "call_2", range: { start: 4 } }))[0]).toBe("call_2 (read): lines 4–5 of 5");
    expect((await split({ id: "call_2", range: { end: 2 } }))[1]).toBe("one\r\ntwo\r\n");
    expect((await split({ id: "call_2", chars: { start: 28 } }))[1]).toBe("no ending");
  });

  it("ends with the result where a range begins inside and ends past it, and says so", async () => {
    expect(await split({ id: "call_2", range: { start: 5, end: 50 } })).toEqual([
      "call_2 (read): lines 5–5 of 5, where it ends (50 was asked for)",
      "no ending",
    ]);
    expect((await split({ id: "call_2", chars: { start: 35, end: 99 } }))[1]).toBe("ng");
  });

  it.each([
    [{ range: { start: 6, end: 9 } }, "The lines 6 to 9 are not in the result call_2: it has 5 lines."],
    [{ range: { start: 6 } }, "The line 6 is not in the result call_2: it has 5 lines."],
    [{ range: { start: 0, end: 9 } }, "The lines 0 to 9 are not in the result call_2: it has 5 lines."],
    [
      { chars: { start: 37, end: 40 } },
      "The characters 37 to 40 are not in the result call_2: it has 37 characters.",
    ],
  ])(
    "refuses a range past the end with the real length, and the call it suggests succeeds: %j",
    async (part, words) => {
      const { content, refusal } = expectRefusal(await recall({ id: "call_2", ...part }), "result-range");
      expect(content).toContain(words);
      expect(refusal.facts).toMatchObject({ id: "call_2", total: "range" in part ? 5 : 37 });
      const [suggested] = findSuggestedCalls(content, ["recall"]);
      expect((await split(suggested?.args))[1].endsWith("ing")).toBe(true);
    },
  );

  it("refuses any range of an empty result", async () => {
    const { content } = expectRefusal(
      await recall({ id: "call_5", range: { start: 1, end: 1 } }),
      "result-range",
    );
    expect(content).toContain("it has 0 lines");
    expect(findSuggestedCalls(content, ["recall"])).toEqual([]);
  });

  it("refuses an unknown id, names the latest, and suggests the list", async () => {
    const { content, refusal } = expectRefusal(await recall({ id: "call_99" }), "result-missing");
    expect(refusal.facts).toEqual({
      id: "call_99",
      recent: ["call_5", "call_4", "call_3", "call_2", "call_1"],
    });
    expect(content).toContain('There is no result "call_99"');
    expectSuccess(await recall(findSuggestedCalls(content, ["recall"])[0]?.args));
  });

  it.each([{}, { start: 0, end: 0 }, null, { start: null, end: null }, { start: 0 }])(
    "takes %j for an absent range, as models that fill in everything mean it",
    async (empty) => {
      const whole = await recall({ id: "call_2" });
      expect((await recall({ id: "call_2", range: empty, chars: empty, grep: "" })).content).toBe(
        whole.content,
      );
      const part = await recall({ id: "call_2", range: { start: 2, end: 2 }, chars: empty });
      expect(part.content).toBe("call_2 (read): lines 2–2 of 5\ntwo\r\n");
      expect((await recall({ id: "", range: empty, chars: empty })).content).toMatch(
        /^6 results in this session/,
      );
    },
  );

  it("refuses range and chars together, chars with grep, and ranges that end before they start", async () => {
    const part = { start: 1, end: 2 };
    for (const [args, words] of [
      [{ range: part, chars: part }, "chars stands beside range; give one of the two"],
      [{ chars: part, grep: "x" }, "chars stands beside grep, which goes with range alone"],
      [{ range: { start: 3, end: 2 } }, "range.end 2 lies before the first line, 3"],
      [{ chars: { start: 3, end: 3 } }, "chars.end must be larger than the start, 3"],
    ] as const) {
      const { content } = expectRefusal(await recall({ id: "call_2", ...args }), "input-invalid");
      expect(content).toContain(words);
    }
    expectRefusal(await recall({ id: "call_2", range: { start: -1, end: 2 } }), "input-invalid");
  });

  it("lists recent results, the latest first, one line each", async () => {
    const { content, details } = expectSuccess(await recall({}));
    const lines = content.split("\n");
    expect(lines[0]).toBe("6 results in this session, the latest first");
    expect(lines[1]).toBe("call_5 (bash): 0 lines, 0 characters: ");
    expect(lines[3]).toBe("call_3 (bash, error): 2 lines, 25 characters: exit code 1");
    expect(lines[5]).toBe("call_1 (bash): 9,000 lines, 88,893 characters: line 1");
    expect(lines).toHaveLength(7);
    expect(details).toMatchObject({ kind: "list" });
    expect((await recallFrom([])({})).content).toBe("no results in this session yet");
  });

  it("lists a hundred, and says that there are older ones", async () => {
    const many = Array.from({ length: 130 }, (_, index) => ({
      id: `call_${index}`,
      content: "\u202ea\u0007b",
    }));
    const lines = (await recallFrom(many)({})).content.split("\n");
    expect(lines[0]).toMatch(/^the latest 100 results of this session/);
    expect(lines[1]).toBe("call_129 (bash): 1 line, 4 characters: \\u202ea\\u0007b");
    expect(lines).toHaveLength(101);
  });

  it("shows of a name that is none of a tool only as much as a name may have", async () => {
    const long = recallFrom([{ id: "call_1", tool: "x".repeat(1_000_000), content: "one\n" }]);
    expect((await long({})).content.length).toBeLessThan(500);
    expect((await long({ id: "call_1" })).content.length).toBeLessThan(500);
  });

  it("says that a range without an id was ignored", async () => {
    const { content, notes } = expectSuccess(await recall({ range: { start: 1, end: 2 } }));
    expect(content).toMatch(/\n\[note\] range, chars and grep say nothing without id and were ignored$/);
    expect(notes).toHaveLength(1);
  });

  it("suggests itself under its mounted name", async () => {
    const prefixed = recallFrom(KEPT, "h_");
    const { content } = await prefixed({ id: "call_2", range: { start: 9, end: 12 } });
    expect(findSuggestedCalls(content, ["h_recall"])[0]?.args).toEqual({
      id: "call_2",
      range: { start: 2, end: 5 },
    });
  });

  it("takes ranges as JSON text and numbers as text", async () => {
    expect((await split({ id: "call_2", range: '{"start":"2","end":"2"}' }))[1]).toBe("two\r\n");
  });

  it("is part of the orientation floor, and asks for no access", () => {
    expect(recallTool.alwaysLoaded).toBe(true);
    expect(recallTool.annotations.readOnlyHint).toBe(true);
    expect(recallTool.access({ id: "call_1" })).toEqual({ paths: [], runs: [], connects: [] });
  });
});
