/**
 * Owns the tests of insisting on ripgrep. Rule: the option alone decides whether mounting looks for it.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { OptionsError } from "../contract/errors.ts";
import { findRipgrepNow } from "../process/programs.ts";
import { givePrograms } from "./give-programs.ts";

vi.mock("../process/programs.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("../process/programs.ts")>()),
  findRipgrepNow: vi.fn(),
}));

const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-insist-")));
writeFileSync(join(root, "a.txt"), "a\n");
afterEach(() => vi.mocked(findRipgrepNow).mockReset());
afterAll(() => rmSync(root, { recursive: true }));

describe("the option ripgrep", () => {
  it("throws at mounting where it is always and there is none", () => {
    vi.mocked(findRipgrepNow).mockReturnValue(undefined);
    expect(() => givePrograms("always", root)).toThrow(OptionsError);
    expect(() => givePrograms("always", root)).toThrow("option ripgrep: expected");
  });

  it("uses what was found then", async () => {
    vi.mocked(findRipgrepNow).mockReturnValue("/somewhere/rg");
    expect(await givePrograms("always", root).findRipgrep()).toBe("/somewhere/rg");
  });

  it.each(["auto", "never"] as const)("looks for nothing at mounting where it is %s", (option) => {
    givePrograms(option, root);
    expect(findRipgrepNow).not.toHaveBeenCalled();
  });
});
