import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearestName, nearestNames } from "./edit-distance.ts";

describe("the distance of two names", () => {
  test.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "abd", 1],
    ["abc", "ab", 1],
    ["abc", "abcd", 1],
    ["abcd", "abdc", 1],
    ["kitten", "sitting", 3],
    ["😀a", "a", 1],
  ])("from %j to %j is %i", (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  test("it is the same both ways, and 0 only for equal names", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe("the nearest name", () => {
  const tools = ["read", "list", "glob", "grep", "edit", "write", "delete", "move"];
  test.each([
    ["raed", "read"],
    ["Read", "read"],
    ["lst", "list"],
    ["gerp", "grep"],
    ["wriet", "write"],
    ["read_file", "read"],
    ["zzz", undefined],
    ["", undefined],
    ["bash", undefined],
  ])("to %j is %j", (name, nearest) => {
    expect(nearestName(name, tools)).toBe(nearest);
  });

  test("the way words are joined counts for nothing", () => {
    expect(nearestName("oldText", ["new_text", "old_text"])).toBe("old_text");
    expect(nearestName("replace-all", ["old_text", "replace_all"])).toBe("replace_all");
  });

  test("of equally near names the first in byte order is taken, whatever the order of the candidates", () => {
    expect(nearestName("fooX", ["foob", "fooa", "fooc"])).toBe("fooa");
    expect(nearestName("fooX", ["fooc", "foob", "fooa"])).toBe("fooa");
    expect(nearestNames("fooX", ["fooc", "foob", "fooa"], 2)).toEqual(["fooa", "foob"]);
  });

  test("very long names cost nothing and match nothing", () => {
    const long = "a".repeat(1_000_000);
    expect(nearestName(long, ["a", long])).toBeUndefined();
    expect(nearestName("a", [long])).toBeUndefined();
  });
});
