import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findNearestRegion, makeVisible } from "./nearest-region.ts";

function find(text: string, asked: string): ReturnType<typeof findNearestRegion> {
  return findNearestRegion({ lines: text.split(/\r?\n/), asked });
}

describe("the nearest region", () => {
  test("trailing blanks are shown as dots and named", () => {
    expect(find("keep  \npick me  \nnext\nend\t\n", "pick me\nnext")).toEqual({
      lines: { start: 2, end: 3 },
      rows: [
        { line: 2, actual: "pick me··", asked: "pick me" },
        { line: 3, actual: "next" },
      ],
      differences: ["trailing blanks"],
    });
  });

  test.each([
    ["foo\u00a0bar\n", "foo bar", "foo<U+00A0>bar", "foo bar", ["U+00A0 for a space"]],
    ["a\n\tif x:\nb\n", "    if x:", "<TAB>if x:", "····if x:", ["tabs for spaces"]],
    ["a\n    if x:\nb\n", "\tif x:", "····if x:", "<TAB>if x:", ["spaces for tabs"]],
    ["p   q\n", "p q", "p···q", "p q", ["the number of blanks in a row"]],
    [
      "cafe\u0301 = 1\n",
      "caf\u00e9 = 1",
      "cafe<U+0301> = 1",
      "caf<U+00E9> = 1",
      ["Unicode normalisation (NFD for NFC)"],
    ],
    [
      "caf\u00e9 = 1\n",
      "cafe\u0301 = 1",
      "caf<U+00E9> = 1",
      "cafe<U+0301> = 1",
      ["Unicode normalisation (NFC for NFD)"],
    ],
    ["it’s\n", "it's", "it<U+2019>s", "it's", ["U+2019 for '"]],
    ["it's\n", "it’s", "it's", "it<U+2019>s", ["' for U+2019"]],
    ["a – b\n", "a - b", "a <U+2013> b", "a - b", ["U+2013 for -"]],
    ["zero\u200bwidth\n", "zerowidth", "zero<U+200B>width", "zerowidth", ["U+200B for nothing"]],
    ["    foo();\n", "  foo();", "····foo();", "··foo();", ["indentation"]],
  ])("%j against %j makes the difference visible", (text, asked, actual, shown, differences) => {
    const region = find(text, asked);
    const row = region?.rows.find((one) => one.asked !== undefined);
    expect(row).toMatchObject({ actual, asked: shown });
    expect(region?.differences).toEqual(differences);
  });

  test("curly quotes are found where the asked text is a part of the line", () => {
    const region = find("a = “x” ; b = “y”\n", 'b = "y"');
    expect(region?.lines).toEqual({ start: 1, end: 1 });
    expect(region?.rows[0]?.actual).toContain("b = <U+201C>y<U+201D>");
    expect(region?.differences).toEqual(['U+201C for "', 'U+201D for "']);
  });

  test("a difference that can be seen is shown as it is, without marks", () => {
    const region = find("function a() {\n\treturn “one”;\n}\n", "function a() {\n\treturn “two”;\n}");
    expect(region?.rows[1]).toEqual({
      line: 2,
      actual: "\treturn “one”;",
      asked: "\treturn “two”;",
    });
    expect(region?.differences).toEqual([]);
  });

  test("a line that the asked text leaves out, and one that the file has not, keep the others side by side", () => {
    const file = "x\nfunction b() {\n  const x = 2;\n  return x;\n}\n";
    const missing = find(file, "function b() {\n  return x;\n}");
    expect(missing?.lines).toEqual({ start: 2, end: 5 });
    expect(missing?.rows.filter((row) => row.asked !== undefined)).toEqual([
      { line: 3, actual: "  const x = 2;", asked: "(not in the asked text)" },
    ]);
    const extra = find(
      "x\nfunction b() {\n  return x;\n}\n",
      "function b() {\n  const y = 1;\n  return x;\n}",
    );
    expect(extra?.rows.filter((row) => row.asked !== undefined)).toEqual([
      { line: 2, actual: "function b() {", asked: "function b() {\n  const y = 1;" },
    ]);
  });

  test("of many like places the one with the rare word is taken", () => {
    const block = (name: string): string => `function ${name}() {\n  return compute(1, 2);\n}\n\n`;
    const text = Array.from({ length: 300 }, (_, index) => block(`name${index}`)).join("");
    const region = find(text, "function name217() {\n  return compute(1, 3);\n}");
    expect(region?.lines).toEqual({ start: 217 * 4 + 1, end: 217 * 4 + 3 });
    expect(region?.rows.filter((row) => row.asked !== undefined)).toHaveLength(1);
  });

  test("a slip in the only word is found", () => {
    const text = `${"z\n".repeat(40)}  connect\n${"y\n".repeat(40)}`;
    expect(find(text, "connetc")?.lines).toEqual({ start: 41, end: 41 });
  });

  test("a file in which nothing is alike has no region, unless it is so short that all of it is near", () => {
    expect(find("abc def\n".repeat(100), "qqqq zzzz")).toBeUndefined();
    expect(find("a\nb\nc\n", "zzz")).toMatchObject({ rows: [{ line: 1, actual: "a", asked: "zzz" }] });
    expect(find("", "zzz")).toMatchObject({ lines: { start: 1, end: 1 } });
    expect(find("a\n", " \n")).toBeUndefined();
  });

  test("a file of nothing but common lines still has a region", () => {
    const region = find("  return value;\n}\n".repeat(25_000), "return  value");
    expect(region?.rows[0]).toMatchObject({ actual: "··return value;" });
  });
});

describe("what is shown is bounded", () => {
  test("at most 20 rows, those that differ among them", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index} has a word of its own: w${index}`);
    const asked = lines.slice(10, 80).map((line, index) => (index === 60 ? `${line}!` : line));
    const region = findNearestRegion({ lines, asked: asked.join("\n") });
    expect(region?.lines).toEqual({ start: 11, end: 80 });
    expect(region?.rows).toHaveLength(20);
    expect(region?.rows.find((row) => row.asked !== undefined)?.line).toBe(71);
  });

  test("a very long line is a window around the place, well-formed, cut between characters", () => {
    for (let shift = 0; shift < 4; shift++) {
      const line = `${"a".repeat(shift)}${"😀".repeat(50_000)}stats(alpha, beta)${"😀".repeat(50_000)}`;
      const region = findNearestRegion({ lines: [line], asked: "stats(alpha,  beta)" });
      const row = region?.rows[0];
      expect(row?.actual).toContain("stats(alpha, beta)");
      expect(row?.actual.length).toBeLessThan(260);
      expect(row?.actual).toMatch(/^….*…$/u);
      expect(row?.actual).not.toMatch(/[\ud800-\udfff]/u);
    }
  });

  test("whatever is asked of whatever file, rows are well-formed, bounded, in order and inside the file", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "",
        "}",
        "  return x;",
        "\tfoo(1);",
        "a\u00a0b",
        "e\u0301",
        "😀 smile",
        "x".repeat(3000),
      ),
      fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, " ")),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.array(line, { maxLength: 40 }),
        fc.boolean(),
        (lines, other, own) => {
          const asked = (
            own ? lines.slice(3, 30).map((text, index) => (index === 5 ? ` ${text}` : text)) : other
          ).join("\n");
          const region = findNearestRegion({ lines, asked });
          if (region === undefined) return;
          const numbers = region.rows.map((row) => row.line);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          expect(region.rows.length).toBeLessThanOrEqual(20);
          expect(region.rows.length).toBeGreaterThan(0);
          for (const row of region.rows) {
            expect(row.line).toBeGreaterThanOrEqual(region.lines.start);
            expect(row.line).toBeLessThanOrEqual(region.lines.end);
            expect(`${row.actual}${row.asked}`).not.toMatch(/[\ud800-\udfff]/u);
            expect(row.actual.length).toBeLessThan(260);
            expect(row.asked?.length ?? 0).toBeLessThan(1100);
          }
          expect(region.lines.end).toBeLessThanOrEqual(lines.length);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("50,000 lines are searched without hanging, alike or not", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) =>
      index % 5 ? `  call(${index % 700}, value);` : "}",
    );
    const asked = lines.slice(40_000, 40_150).map((line) => line.replace("call", "calls"));
    expect(findNearestRegion({ lines, asked: asked.join("\n") })?.rows.length).toBe(20);
    expect(findNearestRegion({ lines, asked: "qqqq".repeat(100_000) })).toBeUndefined();
  });
});

describe("making text visible", () => {
  test("tabs, odd blanks, trailing blanks and controls are shown, ordinary text is left as it is", () => {
    expect(makeVisible("a\u00a0b\tc  \t")).toBe("a<U+00A0>b<TAB>c··<TAB>");
    expect(makeVisible("bell\x07 \ufeff cr\r")).toBe("bell<U+0007> <U+FEFF> cr<CR>");
    expect(makeVisible("plain text, é 日本 😀")).toBe("plain text, é 日本 😀");
  });
});
