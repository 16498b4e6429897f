/**
 * Owns that a block begins where a cut list goes on. Leaves the calls that are suggested to the tools. Rule: paths alone, no tree.
 */
import { describe, expect, it } from "vitest";
import { findNextBlock } from "./next-block.ts";

describe("where a list goes on", () => {
  it.each([
    ["src/a/z.ts", "src/b/c/d.ts", { folder: "src/b" }],
    ["a.ts", "b/c.ts", { folder: "b" }],
    ["f0499", "f0500", { folder: "", prefix: "f05" }],
    ["src/ab.ts", "src/abc.ts", { folder: "src", prefix: "abc" }],
    ["a/ab", "a/abc", { folder: "a", prefix: "abc" }],
    ["a/b/c.ts", "a/d.ts", { folder: "a", prefix: "d" }],
    ["x", "x/y", { folder: "x" }],
    ["a/😀", "a/😁b", { folder: "a", prefix: "😁" }],
  ])("behind %s with %s", (last, next, block) => {
    expect(findNextBlock(last, next)).toEqual(block);
  });

  it("is nothing that a pattern would take otherwise", () => {
    expect(findNextBlock("app/a", "app/[id]")).toBeUndefined();
  });
});
