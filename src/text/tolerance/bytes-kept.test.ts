import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../replace.ts";

const words = fc.constantFrom("alpha", "beta(1)", "“gamma”", "de\u0301lta", "x – y", "if a < b:", "}", "");
const indents = fc.constantFrom("", "  ", "    ", "\t", "\t\t");
const tails = fc.constantFrom("", " ", "\t", "  ");
const line = fc.tuple(indents, words, tails).map((parts) => parts.join(""));
const endings = fc.constantFrom("\n", "\r\n");

/** Ways in which a model distorts what it read. */
const DISTORTIONS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/[ \t]+$/gm, ""),
  (text) => text.replace(/^(?=.)/gm, "  "),
  (text) => text.replaceAll("\t", "    "),
  (text) => text.replace(/[“”]/g, '"').replaceAll("–", "-"),
  (text) => text.normalize("NFC"),
  (text) => text.replaceAll("<", "&lt;"),
  (text) => text.replaceAll("\n", "\\n"),
  (text) => text.replace(/\n$/, ""),
  (text) => `${text}\n`,
  (text) =>
    text
      .split("\n")
      .map((each, index) => `${index + 7}\t${each}`)
      .join("\n"),
];

describe("an edit that landed by tolerance", () => {
  it("left every byte alone outside the lines that it was about, and changed what was asked", () => {
    let landed = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, endings), { minLength: 3, maxLength: 12 }),
        fc.nat(),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(...DISTORTIONS),
        (lines, at, count, distort) => {
          const start = at % lines.length;
          const about = lines.slice(start, start + count);
          const sent = distort(about.map(([text]) => `${text}\n`).join(""));
          const fresh = distort(
            about.map(([text], index) => `${index === 0 ? `${text}NEW` : text}\n`).join(""),
          );
          const bytes = Buffer.from(lines.map((each) => each.join("")).join(""));
          const file = { bytes, encoding: "utf-8", bomBytes: 0, asciiOnly: false, strict: false } as const;
          const edited = applyEdits(file, [{ oldText: sent, newText: fresh, replaceAll: false }]);
          if ("kind" in edited || edited.landed[0]?.rule === "exact") return;
          landed++;
          const after = edited.after.toString().split("\n");
          const before = bytes.toString().split("\n");
          const changed = after.filter((text) => text.includes("NEW"));
          expect(changed).toHaveLength(1);
          const where = after.findIndex((text) => text.includes("NEW"));
          expect(after.slice(0, where)).toEqual(before.slice(0, where));
          expect(after.slice(where + 1)).toEqual(before.slice(where + 1));
          expect(after[where]?.replace("NEW", "").trimEnd()).toBe(before[where]?.trimEnd());
        },
      ),
      { numRuns: 4_000 },
    );
    expect(landed).toBeGreaterThan(200);
  });
});
