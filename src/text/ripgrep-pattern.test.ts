/**
 * Owns the tests of how patterns are printed for ripgrep. That they match wherever ours do is tested with ripgrep
 * itself, in test/properties/search-engines.test.ts.
 */
import { describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { compilePattern, type PatternRequest } from "./regex-pattern.ts";
import { printForRipgrep } from "./ripgrep-pattern.ts";

function print(pattern: string, options: Partial<PatternRequest> = {}): string | undefined {
  const compiled = compilePattern({
    pattern,
    literal: false,
    ignoreCase: false,
    multiline: false,
    ...options,
  });
  if (isRefusal(compiled)) throw new Error(compiled.code);
  return printForRipgrep(compiled);
}

describe("a pattern printed for ripgrep", () => {
  it("keeps its texts and its shape", () => {
    expect(print("foo_1")).toBe("foo_1");
    expect(print("(foo|bar)+x{2,3}y*?")).toBe("(?:(?:foo|bar))+x{2,3}y*");
    expect(print("a-b", { literal: true })).toBe("a\\x{2d}b");
    expect(print("é")).toBe("\\x{e9}");
    expect(print("foo", { ignoreCase: true })).toBe("[Ff][Oo][Oo]");
  });

  it("takes all beyond ASCII where only tables of Unicode could tell", () => {
    expect(print("\\w")).toBe("[0-9A-Z_a-z\\x{80}-\\x{d7ff}\\x{e000}-\\x{10ffff}]");
    expect(print("[^a]")).toBe("[\\x{1}-\\x{9}\\x{b}-\\x{60}b-\\x{d7ff}\\x{e000}-\\x{10ffff}]");
  });

  it("keeps a word boundary only beside a letter of ASCII, where tables do not matter", () => {
    expect(print("\\bfoo\\b")).toBe("(?-u:\\b)foo(?-u:\\b)");
    expect(print("\\b(foo|bar)\\b")).toBe("(?-u:\\b)(?:foo|bar)(?-u:\\b)");
    expect(print("\\bété\\b")).toBe("\\x{e9}t\\x{e9}");
    expect(print("\\b\\w+\\b")).not.toContain("\\b");
    expect(print("foo\\B")).toBe("foo");
  });

  it("lets a carriage return stand before the end of a line, and drops an end that is none of the pattern", () => {
    expect(print("foo$")).toBe("foo(?:\\r?(?m:$))");
    expect(print("^foo")).toBe("(?m:^)foo");
    expect(print("(a$)*b")).toBe("(?:a)*b");
  });

  it("never asks for a line break or a NUL, which ripgrep would refuse", () => {
    expect(print("[\\x00-\\x02]")).toBe("[\\x{1}-\\x{2}]");
    expect(print("a\\x00")).toBe("a\\x{10FFFF}");
  });

  it("across lines asks for the texts without which nothing matches, or for nothing", () => {
    expect(print("foo\\n\\s*barbar")).toBe("barbar");
    expect(print("ab\\nlonger")).toBe("longer");
    expect(print("\\d\\n\\d")).toBeUndefined();
    expect(print("\\n")).toBeUndefined();
  });

  it("is nothing where everything would match", () => {
    expect(print("\\B")).toBeUndefined();
    expect(print("x*")).toBeUndefined();
    expect(print("(?:a|)")).toBeUndefined();
    expect(print("^")).toBeUndefined();
  });
});
