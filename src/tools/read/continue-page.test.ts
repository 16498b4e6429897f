import { describe, expect, it } from "vitest";
import { linesBeforeNul } from "./continue-page.ts";

describe("the lines before a NUL", () => {
  it("are counted in bytes of one unit and of two", () => {
    const utf8 = { encoding: "utf-8", bomBytes: 0 } as const;
    expect(linesBeforeNul(Buffer.from("a\nb\nc\0d\n"), utf8)).toBe(2);
    expect(linesBeforeNul(Buffer.from("\0a\n"), utf8)).toBe(0);
    expect(linesBeforeNul(Buffer.from("a\nb\n"), utf8)).toBeUndefined();
    const utf16 = { encoding: "utf-16le", bomBytes: 2 } as const;
    expect(linesBeforeNul(Buffer.from("a\nb\nc\0d\n", "utf16le"), utf16)).toBe(2);
    expect(linesBeforeNul(Buffer.from("a\nb\n", "utf16le"), utf16)).toBeUndefined();
  });
});
