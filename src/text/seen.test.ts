import { describe, expect, it } from "vitest";
import { coverageOf, seeRange, seeWhole, shiftSeen } from "./seen.ts";

const bytes = (text: string) => Buffer.from(text);
const part = (text: string, start: number, end: number) =>
  seeRange(bytes(text).subarray(start, end), { start, endsFile: end === text.length });

describe("what was seen of a file", () => {
  it("covers it when several ranges together hold every byte", () => {
    const ranges = [part("abcdef", 3, 6), part("abcdef", 0, 3)];
    expect(coverageOf(ranges, bytes("abcdef")).known).toBe(true);
  });

  it("names the bytes that were never shown", () => {
    const coverage = coverageOf([part("abcdef", 0, 2)], bytes("abcdef"));
    expect(coverage).toMatchObject({ known: false, unseen: [{ start: 2, end: 6 }], isChanged: false });
  });

  it("is spoiled only where the bytes differ now", () => {
    const coverage = coverageOf([part("abcdef", 0, 3), part("abcdef", 3, 6)], bytes("abcdeX"));
    expect(coverage).toMatchObject({ known: false, unseen: [{ start: 3, end: 6 }], isChanged: true });
    expect(coverage.valid).toHaveLength(1);
  });

  it("calls bytes that were added behind the end a change, not a part that was skipped", () => {
    const coverage = coverageOf([seeWhole(bytes("abc"))], bytes("abcdef"));
    expect(coverage).toMatchObject({ known: false, unseen: [{ start: 3, end: 6 }], isChanged: true });
  });

  it("does not call the rest of a file that was read in part a change", () => {
    expect(coverageOf([part("abcdef", 0, 3)], bytes("abcdef")).isChanged).toBe(false);
  });

  it("is a change when the file became shorter", () => {
    const truncated = coverageOf([part("abcdef", 0, 3), part("abcdef", 3, 6)], bytes("abc"));
    expect(truncated).toMatchObject({ known: false, isChanged: true });
  });

  it("is known again once it was read as it is now, whatever was shown before", () => {
    const before = [part("abcdef", 0, 3), part("abcdef", 3, 6)];
    for (const now of ["abc", "abcdefgh", "xbcdef", ""]) {
      expect(coverageOf([...before, seeWhole(bytes(now))], bytes(now))).toMatchObject({
        known: true,
        isChanged: false,
      });
    }
  });

  it("holds an empty file to be known, for nothing in it can be lost", () => {
    expect(coverageOf([], bytes("")).known).toBe(true);
  });

  it("moves with an edit, and the new text counts as seen", () => {
    const before = "abcdefgh";
    const after = "abXYZdefgh";
    const splices = [{ start: 2, end: 3, newStart: 2, newEnd: 5 }];
    const shifted = shiftSeen([part(before, 0, 4), part(before, 6, 8)], splices, bytes(after));
    const coverage = coverageOf(shifted, bytes(after));
    expect(coverage).toMatchObject({ unseen: [{ start: 6, end: 8 }], isChanged: false });
  });

  it("keeps knowing where the file had ended when an edit comes before an unseen addition", () => {
    const read = [seeWhole(bytes("v1\n"))];
    const onDisk = bytes("v1\nuser\n");
    const after = bytes("v2\nuser\n");
    const splices = [{ start: 1, end: 2, newStart: 1, newEnd: 2 }];
    const shifted = shiftSeen(coverageOf(read, onDisk).valid, splices, after);
    expect(coverageOf(shifted, after)).toMatchObject({ isChanged: true, unseen: [{ start: 3, end: 8 }] });
  });
});
