/**
 * Owns the tests of keeping the ends of a stream. Rule: compared with keeping all of it, chunk by chunk.
 */
import { describe, expect, it } from "vitest";
import { type Capture, openCapture, unfinishedBytes } from "./capture.ts";

const bytes = (text: string) => Buffer.from(text);
const add = (kept: Capture, chunk: Buffer) => kept.add(chunk, chunk.length);
const MAX = 64;

/** Chunks of lengths that are not the bound's. */
function* cut(all: Buffer, sizes: readonly number[]) {
  let turn = 0;
  for (let at = 0; at < all.length; ) {
    const size = sizes[turn++ % sizes.length] ?? 1;
    yield all.subarray(at, at + size);
    at += size;
  }
}

function capture(all: Buffer, sizes: readonly number[], max = MAX) {
  const kept = openCapture(max);
  for (const chunk of cut(all, sizes)) kept.add(chunk, chunk.length);
  return kept;
}

describe("a stream within the bound", () => {
  it("is kept whole", () => {
    const all = bytes("ä\nb".repeat(12));
    expect(capture(all, [5]).peek()).toEqual({
      seen: all.length,
      head: all,
      tail: new Uint8Array(),
      omittedBytes: 0,
      omittedLines: 0,
    });
  });
});

describe("a longer stream", () => {
  const streams: [string, Buffer][] = [
    ["short lines", bytes("y\n".repeat(400))],
    ["numbered lines", bytes(Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join(""))],
    ["one line", bytes("x".repeat(1_000))],
    ["one line of wide characters", bytes(`a${"字".repeat(300)}`)],
    ["emoji", bytes("😀".repeat(100))],
    ["a newline far from the border", bytes(`a\n${"字".repeat(300)}\nb`)],
    ["bytes that are no text", Buffer.from(Array.from({ length: 999 }, (_, at) => (at * 89 + 128) & 255))],
    ["one byte over the bound", bytes("z".repeat(MAX + 1))],
  ];
  it.each(streams)("is what was kept and what was counted: %s", (_, all) => {
    for (const sizes of [[1], [3, 7], [31], [33], [1_000], [MAX / 2]]) {
      const { seen, head, tail, omittedBytes, omittedLines } = capture(all, sizes).peek();
      expect(seen).toBe(all.length);
      expect(head.length + omittedBytes + tail.length).toBe(seen);
      expect(Buffer.compare(head, all.subarray(0, head.length))).toBe(0);
      expect(Buffer.compare(tail, all.subarray(all.length - tail.length))).toBe(0);
      const between = all.subarray(head.length, all.length - tail.length);
      expect(omittedLines).toBe(between.filter((byte) => byte === 10).length);
      expect(head.length).toBeLessThanOrEqual(MAX / 2);
      expect(Math.min(head.length, tail.length)).toBeGreaterThanOrEqual(MAX / 4);
    }
  });

  it("is cut at lines where they fill half of a side, else between characters", () => {
    const lines = capture(bytes("12345678\n".repeat(50)), [10]).peek();
    expect([lines.head.at(-1), bytes("1")[0]]).toEqual([10, lines.tail[0]]);
    for (const lead of ["", "a", "aa", "aaa"]) {
      const { head, tail } = capture(bytes(lead + "😀字".repeat(90)), [9]).peek();
      const decoder = new TextDecoder("utf-8", { fatal: true });
      expect(() => [decoder.decode(head), decoder.decode(tail)]).not.toThrow();
    }
  });
});

describe("taking", () => {
  it("gives what is new, and leaves a character without its rest for the next time", () => {
    const kept = openCapture(MAX);
    add(kept, bytes("a€").subarray(0, 3));
    expect(Buffer.from(kept.take({ isOver: false }).head).toString()).toBe("a");
    expect([kept.seen(), kept.untaken()]).toEqual([3, 2]);
    add(kept, bytes("€").subarray(2));
    expect(Buffer.from(kept.take({ isOver: false }).head).toString()).toBe("€");
    expect(kept.take({ isOver: false }).seen).toBe(0);
  });

  it("gives it as it is once nothing more can come", () => {
    const kept = openCapture(MAX);
    add(kept, bytes("€").subarray(0, 2));
    expect(kept.take({ isOver: true }).head.length).toBe(2);
  });

  it("counts bytes since the last time alone", () => {
    const kept = openCapture(MAX);
    add(kept, bytes("x\n".repeat(100)));
    kept.take({ isOver: false });
    add(kept, bytes("y\n".repeat(100)));
    const { seen, head, omittedLines } = kept.take({ isOver: false });
    expect([seen, head[0], omittedLines]).toEqual([200, bytes("y")[0], 100 - 32]);
  });
});

describe("the latest of a stream", () => {
  it("is its end, across what was kept where", () => {
    for (const length of [10, 40, 70, 500]) {
      const all = Buffer.from(Array.from({ length }, (_, at) => at & 255));
      const kept = capture(all, [7]);
      for (const most of [1, 5, 30]) {
        expect(Buffer.compare(kept.latest(0, most), all.subarray(-Math.min(most, length)))).toBe(0);
      }
      expect(Buffer.compare(kept.latest(length - 3, 30), all.subarray(-3))).toBe(0);
      expect(kept.latest(length, 30).length).toBe(0);
    }
  });
});

describe("a character without its rest", () => {
  it("is counted by the bytes that are there", () => {
    for (const character of ["ä", "字", "😀"]) {
      const all = bytes(character);
      for (let length = 1; length < all.length; length++)
        expect(unfinishedBytes(Buffer.concat([bytes("x"), all.subarray(0, length)]))).toBe(length);
      expect(unfinishedBytes(all)).toBe(0);
    }
    expect(unfinishedBytes(Buffer.from([0x80, 0x80, 0x80, 0x80]))).toBe(0);
    expect(unfinishedBytes(Buffer.from([0xff]))).toBe(0);
    expect(unfinishedBytes(Buffer.alloc(0))).toBe(0);
  });
});
