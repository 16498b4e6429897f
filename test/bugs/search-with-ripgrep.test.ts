/**
 * Owns running the tests of grep and glob once more, with ripgrep for an engine.
 * Leaves the cases to them: beside their files they run with the built-in engine and an empty PATH.
 * Rule: that ripgrep really ran is asserted at each call.
 */
import { afterAll, describe, expect } from "vitest";
import { findRipgrepNow } from "../../src/process/programs.ts";
import { searchEngine } from "../search-fixture.ts";

const ripgrep = findRipgrepNow("/nowhere");
if (ripgrep === undefined) {
  describe.skip("with ripgrep: skipped, because none is found", () => {});
} else {
  searchEngine.option = "always";
  await import("../../src/tools/grep/grep.test.ts");
  await import("../../src/tools/glob/glob.test.ts");
  afterAll(() => {
    expect(searchEngine.ran.ripgrep).toBeGreaterThan(0);
  });
}
