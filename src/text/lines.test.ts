import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countLines, countNewlines, lineOfOffset, splitLines } from "./lines.ts";

function countNaively(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < Math.min(end, bytes.length); at++) if (bytes[at] === 0x0a) count++;
  return count;
}

/** Bytes near 0x0A, where a trick with carries would go wrong, and all others. */
const bytes = fc
  .array(fc.oneof(fc.constantFrom(0x0a, 0x0b, 0x09, 0x8a, 0x0d, 0x00, 0x80, 0xff), fc.nat(255)), {
    maxLength: 400,
  })
  .map((list) => Uint8Array.from(list));

describe("counting newlines", () => {
  test("it agrees with a naive loop for random bytes, ranges and alignments", () => {
    fc.assert(
      fc.property(bytes, fc.nat(410), fc.nat(410), fc.nat(7), (data, from, to, shift) => {
        const start = Math.min(from, to);
        const end = Math.max(from, to);
        const shifted = new Uint8Array(data.length + shift).subarray(shift);
        shifted.set(data);
        expect(countNewlines(shifted, start, end)).toBe(countNaively(data, start, end));
      }),
      { numRuns: 2000 },
    );
  });

  test("it counts every byte of a long run of newlines, where the lanes fill up", () => {
    for (const length of [1019, 1020, 1021, 4096, 100_003]) {
      expect(countNewlines(new Uint8Array(length).fill(0x0a))).toBe(length);
    }
  });

  test("it finds none in a long run of any other byte", () => {
    for (let byte = 0; byte < 256; byte++) {
      expect(countNewlines(new Uint8Array(300).fill(byte))).toBe(byte === 0x0a ? 300 : 0);
    }
  });

  test("a range outside the bytes counts what is there", () => {
    const data = Buffer.from("a\nb\n");
    expect(countNewlines(data, 0, 1000)).toBe(2);
    expect(countNewlines(data, 4, 1000)).toBe(0);
    expect(countNewlines(data, 9, 3)).toBe(0);
  });
});

describe("counting lines", () => {
  test.each([
    ["", 0],
    ["\n", 1],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb\rc", 1],
    ["\n\n\n", 3],
  ])("%j has %i lines", (text, lines) => {
    expect(countLines(Buffer.from(text))).toBe(lines);
    expect(splitLines(text)).toHaveLength(lines);
  });

  test("an offset is on the line that its newline ends", () => {
    const data = Buffer.from("ab\ncd\n");
    expect([0, 1, 2, 3, 5, 6].map((offset) => lineOfOffset(data, offset))).toEqual([1, 1, 1, 2, 2, 3]);
  });
});

describe("splitting lines", () => {
  test("each line keeps its own ending, and a lone carriage return is part of its line", () => {
    expect(splitLines("a\r\nb\nc\rd\r\r\ne")).toEqual([
      { text: "a", ending: "\r\n" },
      { text: "b", ending: "\n" },
      { text: "c\rd\r", ending: "\r\n" },
      { text: "e", ending: "" },
    ]);
  });

  test("joined again, the lines are the text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "é", "\r", "\n", "\r\n", " ")), (parts) => {
        const text = parts.join("");
        expect(
          splitLines(text)
            .map((line) => line.text + line.ending)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});
