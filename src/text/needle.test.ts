import { describe, expect, it } from "vitest";
import { makeNeedle } from "./needle.ts";

describe("a needle", () => {
  it("is found where the text stands, whichever byte of it is rarest", () => {
    for (const text of [
      "q",
      "zq",
      "return",
      "zqx_never",
      "never_zqx",
      "printk_rate",
      "über_ß",
      "    x = qq;;",
      "aaaaaaaaab",
    ]) {
      const length = Buffer.byteLength(text);
      const held = Buffer.from(`${text.slice(1)}--${text}${text}\n${text.slice(0, -1)} ${text}`);
      const needle = makeNeedle(text);
      expect(needle.length).toBe(length);
      for (let from = 0; from <= held.length; from++) {
        expect([text, from, needle.find(held, from)]).toEqual([text, from, held.indexOf(text, from)]);
      }
    }
  });

  it("is not found where the text is cut off at the end, or only begins", () => {
    const needle = makeNeedle("some_zqx_text");
    expect(needle.find(Buffer.from("some_zqx_tex"), 0)).toBe(-1);
    expect(needle.find(Buffer.from("zqx_text"), 0)).toBe(-1);
    expect(needle.find(Buffer.alloc(0), 0)).toBe(-1);
  });

  it("is found behind thousands of places that look like it, in little time", () => {
    const held = Buffer.from(`${"zqxzqxzqx_".repeat(100_000)}zqxzqxzqx_here`);
    const needle = makeNeedle("zqxzqxzqx_here");
    const begun = performance.now();
    expect(needle.find(held, 0)).toBe(held.length - 14);
    expect(needle.find(held, held.length - 13)).toBe(-1);
    // A generous guard: comparing at each of these places takes a hundred times as long.
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
