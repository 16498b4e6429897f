import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounded, rebuild, type Windowed, window } from "./window.ts";

const CALL = { id: "call_7", recall: "recall" };
const lengthOf = (text: string): number => [...text].length;
const GAP =
  /^\[result (lines|characters) (\d+)–(\d+) omitted, ([\d,]+) characters; recall (\{.*\}) returns them\]$/;

/** What was left out, taken from the result by the words of the gap's line alone: no code of the window's is used. */
function readGap(text: string): { before: string; missing: (whole: string) => string; after: string } {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => GAP.test(line));
  const [, kind, start, end, characters] = GAP.exec(lines[at] ?? "") ?? expect.fail("no line tells of a gap");
  const args: unknown = JSON.parse(GAP.exec(lines[at] ?? "")?.[5] ?? "");
  const range = { start: Number(start), end: Number(end) };
  expect(args).toEqual({ id: "call_7", [kind === "lines" ? "range" : "chars"]: range });
  const head = lines.slice(0, at).join("\n");
  const before = kind === "lines" ? `${head}\n` : [...`${head}\n`].slice(0, range.start).join("");
  const missing = (whole: string) => {
    const part =
      kind === "lines"
        ? whole.split(/(?<=\n)/).slice(range.start - 1, range.end)
        : [...whole].slice(range.start, range.end);
    expect(lengthOf(part.join(""))).toBe(Number(characters?.replaceAll(",", "")));
    return part.join("");
  };
  return { before, missing, after: lines.slice(at + 1).join("\n") };
}

function expectRebuilt(whole: string): Windowed {
  const made = window(whole, CALL);
  expect(made.text.isWellFormed()).toBe(true);
  expect(Buffer.from(made.text).toString() === made.text).toBe(true);
  expect(made.totalChars).toBe(lengthOf(whole));
  if (made.omitted === undefined) {
    expect(made.text === whole).toBe(true);
    return made;
  }
  const { before, missing, after } = readGap(made.text);
  expect(before + missing(whole) + after === whole).toBe(true);
  expect(rebuild(made, missing(whole)) === whole).toBe(true);
  expect(lengthOf(before)).toBeLessThanOrEqual(12_000);
  expect(lengthOf(before)).toBeGreaterThanOrEqual(6_000);
  expect(lengthOf(after)).toBeLessThanOrEqual(18_000);
  expect(lengthOf(after)).toBeGreaterThanOrEqual(9_000);
  return made;
}

describe("window", () => {
  it.each(["x", "😀", "字", "\n"])(
    "passes 29,999 and 30,000 characters of %j whole, and cuts 30,001",
    (one) => {
      for (const count of [0, 1, 29_999, 30_000]) {
        const whole = one.repeat(count);
        const made = window(whole, CALL);
        expect(made).toEqual({ ...made, text: whole, omitted: undefined, totalChars: count });
        expect(bounded(whole)).toBe(whole);
      }
      expect(window(one.repeat(30_001), CALL).omitted).toMatchObject({ characters: 1 });
      expectRebuilt(one.repeat(30_001));
    },
  );

  it("leaves out whole lines, and names them", () => {
    const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index + 1}`);
    const { text, omitted } = expectRebuilt(`${lines.join("\n")}\n`);
    const shown = text.split("\n");
    const at = shown.findIndex((line) => line.startsWith("[result"));
    expect(shown[at - 1]).toBe(`line ${at}`);
    expect(omitted).toMatchObject({ kind: "lines", start: at + 1 });
    expect(shown[at]).toMatch(
      /^\[result lines 1311–7200 omitted, 58,900 characters; recall \{"id":"call_7","range":\{"start":1311,"end":7200\}\} returns them\]$/,
    );
    expect(shown[at + 1]).toBe(`line ${(omitted?.end ?? 0) + 1}`);
  });

  it("cuts inside a line at the budget where whole lines would fill less than half of a side", () => {
    const whole = `${"a".repeat(5_998)}\n${"b".repeat(100_000)}\n${"c".repeat(8_998)}\n`;
    const { text, omitted } = expectRebuilt(whole);
    expect(omitted).toEqual({ kind: "chars", start: 12_000, end: 96_999, characters: 84_999 });
    expect(text).toContain(
      '\n[result characters 12000–96999 omitted, 84,999 characters; recall {"id":"call_7","chars":{"start":12000,"end":96999}} returns them]\n',
    );
  });

  it("takes line borders where whole lines fill exactly half of a side", () => {
    const whole = `${"a".repeat(5_999)}\n${"b".repeat(100_000)}\n${"c".repeat(8_999)}\n`;
    expect(expectRebuilt(whole).omitted).toEqual({ kind: "lines", start: 2, end: 2, characters: 100_001 });
  });

  it("names characters where only one of the borders is inside a line", () => {
    const long = "b".repeat(100_000);
    const some = "short line\n".repeat(3_000);
    expect(expectRebuilt(some + long).omitted?.kind).toBe("chars");
    expect(expectRebuilt(`${long}\n${some}`).omitted?.kind).toBe("chars");
  });

  it("never cuts between the two characters of a line ending", () => {
    for (const before of [11_997, 11_998, 11_999, 12_000]) {
      const whole = `${"a".repeat(before)}\r\n${"b".repeat(50_000)}`;
      const { headLength } = expectRebuilt(whole);
      expect(headLength).toBe(before < 11_999 ? before + 2 : before);
    }
    for (const after of [17_998, 17_999, 18_000]) {
      const whole = `${"b".repeat(50_000)}\r\n${"a".repeat(after)}`;
      const { tailLength } = expectRebuilt(whole);
      expect(tailLength).toBe(after);
    }
    expectRebuilt("one line of the kind that Windows writes\r\n".repeat(5_000));
  });

  it("counts a lone carriage return as no line ending", () => {
    expect(expectRebuilt("word\r".repeat(20_000)).omitted?.kind).toBe("chars");
  });

  it.each([0, 1])("never cuts an emoji, %i letters before 20,000 of them (O01)", (letters) => {
    expectRebuilt("a".repeat(letters) + "😀".repeat(20_000));
    expectRebuilt("a".repeat(letters) + "😀".repeat(40_000));
    expectRebuilt("a".repeat(letters) + "😀\n".repeat(40_000));
    expect(bounded("a".repeat(letters) + "😀".repeat(40_000)).isWellFormed()).toBe(true);
  });

  it("keeps emoji whole at every place of both borders", () => {
    for (let shift = 0; shift < 4; shift++)
      for (const filler of ["a", "字", "😀", "a😀", "\r\n", "e\u0301"]) {
        const side = filler.repeat(Math.ceil(11_998 / lengthOf(filler)));
        expectRebuilt(`${side}${"a".repeat(shift)}${"😀".repeat(40_000)}${"b".repeat(shift)}${side}`);
      }
  });

  it("replaces half a character, which no provider takes", () => {
    expect(window("a\ud83d", CALL).text).toBe("a\ufffd");
    expect(window(`${"x".repeat(11_999)}\ud83d${"y".repeat(40_000)}\ude00`, CALL).text.isWellFormed()).toBe(
      true,
    );
  });

  it("keeps the id one JSON string on the one line, whatever is in it", () => {
    for (const id of ['a"b', "a\nb", "a\\", "a\u2028b", "a\u202eb", "]"]) {
      const line = window("x".repeat(40_000), { id, recall: "h_recall" }).text.split("\n")[1] ?? "";
      const args = /; h_recall (\{.*\}) returns them\]$/.exec(line)?.[1] ?? "";
      expect(JSON.parse(args)).toEqual({ id, chars: { start: 12_000, end: 22_000 } });
      expect(line).not.toMatch(/[\u2028\u202e]/);
    }
  });

  it("suggests no call where recall is not mounted, as bounded never does", () => {
    const whole = "some line\n".repeat(6_000);
    const { text } = window(whole, { id: "call_7", recall: undefined });
    expect(text).toMatch(/\n\[result lines 1201–4200 omitted, 30,000 characters\]\n/);
    expect(bounded(whole)).toBe(text);
  });

  it("is not led astray by a result that holds the line of another gap", () => {
    const inner = window("x\n".repeat(40_000), { id: "call_1", recall: "recall" }).text;
    const whole = inner + inner;
    const made = window(whole, CALL);
    const { headLength, tailLength } = made;
    expect(rebuild(made, whole.slice(headLength, whole.length - tailLength)) === whole).toBe(true);
  });

  it("windows one line of 5,000,000 characters, and a text of 100 MB", () => {
    expectRebuilt("x".repeat(5_000_000));
    expect(window("😀".repeat(5_000_000), CALL)).toMatchObject({
      totalChars: 5_000_000,
      omitted: { kind: "chars", start: 12_000, end: 4_982_000, characters: 4_970_000 },
    });
    const huge = window("a line of thirty-two characters\n".repeat(3_200_000), CALL);
    expect(huge.omitted).toEqual({ kind: "lines", start: 376, end: 3_199_438, characters: 102_370_016 });
    expect(huge.totalChars).toBe(102_400_000);
  }, 60_000);

  it("leaves out one stretch alone, by which the result is rebuilt, whatever the lines", () => {
    const piece = fc.constantFrom("a", "word ", "😀", "字\n", "\r\n", "\n", "\r", "e\u0301", "x".repeat(900));
    const block = fc.tuple(
      fc.array(piece, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9_000 }),
    );
    const result = fc
      .array(block, { minLength: 1, maxLength: 6 })
      .map((blocks) =>
        blocks.map(([pieces, times]) => pieces.join("").repeat(times).slice(0, 200_000)).join(""),
      );
    fc.assert(
      fc.property(result, (whole) => {
        expectRebuilt(whole.toWellFormed());
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
