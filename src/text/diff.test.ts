import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DiffUse, type Splice, type UnifiedDiff, unifiedDiff } from "./diff.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-diff-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What the real `patch -p1` makes of `before`. */
function applyPatch(name: string, before: Uint8Array, patch: string): Buffer {
  const file = join(directory, name);
  writeFileSync(file, before);
  if (patch === "") return readFileSync(file);
  const run = spawnSync("patch", ["-p1", "--no-backup-if-mismatch", "--fuzz=0"], {
    cwd: directory,
    input: Buffer.from(patch, "utf8"),
  });
  expect(run.status, `${run.stdout}${run.stderr}\n${JSON.stringify(patch)}`).toBe(0);
  return readFileSync(file);
}

function diffTexts(before: string, after: string, more: Partial<DiffUse> = {}): Promise<UnifiedDiff> {
  return unifiedDiff({ path: "f", before: Buffer.from(before), after: Buffer.from(after), ...more });
}

/** Few different lines, so that random files share many. */
const line = fc.constantFrom(
  "",
  "}",
  "a",
  "b",
  "  x = 1",
  "é ü",
  "日本",
  "😀",
  "-",
  "+",
  "\\ No",
  "@@ -1 +1 @@",
  "--- a",
  "in\rside",
  "\t",
);
const ending = fc.constantFrom("\n", "\n", "\r\n", "\r", "\r\r\n");
const file = fc
  .tuple(
    fc.constantFrom("", "", "", "\ufeff"),
    fc.array(fc.tuple(line, ending), { maxLength: 25 }),
    fc.constantFrom("", "", "end", "\r"),
  )
  .map(([bom, lines, last]) => Buffer.from(bom + lines.map(([text, end]) => text + end).join("") + last));

/** Edits of a file as splices: cut points in it, and what is put between every second pair of them. */
const edited = fc.tuple(file, fc.array(fc.tuple(fc.nat(), file), { maxLength: 8 })).map(([before, cuts]) => {
  const points = cuts.map(([cut]) => cut % (before.length + 1)).sort((a, b) => a - b);
  const splices: Splice[] = [];
  const parts: Buffer[] = [];
  let [at, length] = [0, 0];
  for (let index = 0; index + 1 < points.length; index += 2) {
    const [start, end] = [points[index] as number, points[index + 1] as number];
    // Text files only: a splice never cuts a character.
    if ([start, end].some((point) => ((before[point] ?? 0) & 0xc0) === 0x80)) continue;
    const put = (cuts[index] as [number, Buffer])[1];
    parts.push(before.subarray(at, start), put);
    length += start - at;
    splices.push({ start, end, newStart: length, newEnd: length + put.length });
    length += put.length;
    at = end;
  }
  return { before, after: Buffer.concat([...parts, before.subarray(at)]), splices };
});

describe("what patch makes of a diff", () => {
  test("it is the file after, byte for byte, for random pairs of files with every kind of line ending", async () => {
    await fc.assert(
      fc.asyncProperty(file, file, async (before, after) => {
        const { patch } = await unifiedDiff({ path: "f", before, after });
        expect(applyPatch("f", before, patch)).toEqual(after);
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  test("it is the file after for random edits given as splices, and for the same edits found by comparing", async () => {
    await fc.assert(
      fc.asyncProperty(edited, async ({ before, after, splices }) => {
        const spliced = await unifiedDiff({ path: "f", before, after, splices });
        expect(applyPatch("f", before, spliced.patch)).toEqual(after);
        const compared = await unifiedDiff({ path: "f", before, after });
        expect(applyPatch("f", before, compared.patch)).toEqual(after);
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});

describe("the diff itself", () => {
  test("it has headers, hunks with three lines of context, and lines are numbered from 1", async () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const { patch, hunks, shortened } = await diffTexts(before, before.replace("5", "five"), {
      path: "src/a.ts",
    });
    expect(hunks).toBe("@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    expect(patch).toBe(`--- a/src/a.ts\n+++ b/src/a.ts\n${hunks}`);
    expect(shortened).toBe(false);
  });

  test("equal files have an empty diff, with and without splices", async () => {
    expect(await diffTexts("a\n", "a\n")).toEqual({ patch: "", hunks: "", shortened: false });
    const splices = [{ start: 0, end: 1, newStart: 0, newEnd: 1 }];
    expect((await diffTexts("a\n", "a\n", { splices })).patch).toBe("");
  });

  test("changes six lines apart share a hunk, changes seven lines apart do not", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const change = (...at: number[]): string =>
      lines.map((one, index) => (at.includes(index) ? "x\n" : one)).join("");
    expect((await diffTexts(lines.join(""), change(3, 10))).hunks.match(/^@@/gm)).toHaveLength(1);
    expect((await diffTexts(lines.join(""), change(3, 11))).hunks.match(/^@@/gm)).toHaveLength(2);
  });

  test("a file made from nothing, a file emptied, and a missing last newline are told as patch expects", async () => {
    expect((await diffTexts("", "a\nb\n")).hunks).toBe("@@ -0,0 +1,2 @@\n+a\n+b\n");
    expect((await diffTexts("a\nb\n", "")).hunks).toBe("@@ -1,2 +0,0 @@\n-a\n-b\n");
    expect((await diffTexts("a\n", "a")).hunks).toBe("@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
    expect((await diffTexts("a", "b\na")).hunks).toBe(
      "@@ -1 +1,2 @@\n+b\n a\n\\ No newline at end of file\n",
    );
  });

  test("a change of the ending alone is a change, and a lone carriage return ends no line", async () => {
    expect((await diffTexts("a\nb\n", "a\r\nb\n")).hunks).toBe("@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n");
    expect((await diffTexts("a\rb\n", "a\rc\n")).hunks).toBe("@@ -1 +1 @@\n-a\rb\n+a\rc\n");
  });

  test("only the lines inside splices are compared", async () => {
    const before = "one\ntwo\nthree\n";
    const hidden = "ONE\ntwo\nTHREE\n";
    const splices = [{ start: 8, end: 13, newStart: 8, newEnd: 13 }];
    const { hunks } = await diffTexts(before, hidden, { splices });
    expect(hunks).toContain("-three\n+THREE");
    expect(hunks).not.toContain("ONE");
  });

  test("a name that would end the header line is quoted, one with blanks is closed by a tab", async () => {
    const before = Buffer.from("a\n");
    for (const path of ["with blank.txt", 'q"uote\\.txt', "line\nbreak.txt", "é日本.txt"]) {
      const { patch } = await diffTexts("a\n", "b\n", { path });
      expect(applyPatch(path, before, patch).toString()).toBe("b\n");
      expect(patch.split("\n").filter((one) => /^(---|\+\+\+) /.test(one))).toHaveLength(2);
    }
  });

  test("bytes that are not UTF-8 are compared as bytes and shown as decoded", async () => {
    const before = Buffer.from("x\n\xe9\n", "latin1");
    const after = Buffer.from("y\n\xc3\xa9\n", "latin1");
    expect((await unifiedDiff({ path: "f", before, after })).hunks).toBe("@@ -1,2 +1,2 @@\n-x\n-é\n+y\n+é\n");
  });

  test("UTF-16 is compared by characters, whatever bytes are in them", async () => {
    // U+0A0A has two bytes that would be newlines.
    const before = Buffer.from("\ufeffa\u0a0a\nb\n", "utf16le");
    const after = Buffer.from("\ufeffa\u0a0a\nc\n", "utf16le");
    const { hunks } = await unifiedDiff({ path: "f", before, after, encoding: "utf-16le" });
    expect(hunks).toBe("@@ -1,2 +1,2 @@\n \ufeffa\u0a0a\n-b\n+c\n");
  });

  test("a legacy encoding is shown as text", async () => {
    const before = Uint8Array.of(0x93, 0xfa, 0x0a);
    const after = Uint8Array.of(0x96, 0x7b, 0x0a);
    const { hunks } = await unifiedDiff({ path: "f", before, after, encoding: "shift_jis" });
    expect(hunks).toBe("@@ -1 +1 @@\n-日\n+本\n");
  });
});

describe("large and wholly different texts", () => {
  const numbered = (letter: string, step: number, length: number): string[] =>
    Array.from({ length }, (_, index) => `${letter}${(index * step) % 60_013}\n`);

  test("texts without a line in common are one hunk, and nothing shorter exists", async () => {
    const [before, after] = [numbered("x", 31, 6000).join(""), numbered("y", 37, 6000).join("")];
    const { patch, hunks, shortened } = await diffTexts(before, after);
    expect(hunks.match(/^@@/gm)).toHaveLength(1);
    expect(shortened).toBe(false);
    expect(applyPatch("f", Buffer.from(before), patch).toString()).toBe(after);
  });

  test("where the shortest diff would take too long, a longer one is given, says so and is still exact", async () => {
    const before = numbered("x", 31, 6000);
    const after = [...before].sort();
    const { patch, shortened } = await diffTexts(before.join(""), after.join(""));
    expect(shortened).toBe(true);
    expect(applyPatch("f", Buffer.from(before.join("")), patch).toString()).toBe(after.join(""));
  });

  test("lines that occur once keep their place where the search is given up", async () => {
    const noise = (seed: number): string[] =>
      Array.from({ length: 3000 }, (_, index) => `${(index * seed) % 7}\n`);
    const before = [...noise(3), "anchor\n", ...noise(4)];
    const after = [...noise(5).reverse(), "anchor\n", ...noise(2), "0\n"];
    const { patch, hunks, shortened } = await diffTexts(before.join(""), after.join(""));
    expect(shortened).toBe(true);
    expect(hunks).toMatch(/^ anchor$/m);
    expect(applyPatch("f", Buffer.from(before.join("")), patch).toString()).toBe(after.join(""));
  });

  test("one change in a file of 10 MB is found by bytes and numbered right", async () => {
    const before = Array.from(
      { length: 200_000 },
      (_, index) => `line number ${index} of a long file, with text\n`,
    ).join("");
    const at = before.indexOf("line number 150000 ");
    const after = `${before.slice(0, at)}new ${before.slice(at)}`;
    const found = await diffTexts(before, after);
    expect(found.hunks).toMatch(/^@@ -149998,7 \+149998,7 @@\n/);
    const splices = [{ start: at, end: at, newStart: at, newEnd: at + 4 }];
    expect(await diffTexts(before, after, { splices })).toEqual(found);
  });
});
