/**
 * Owns every reported case, and every document, with every tool in the worker; HAFT_TEST_CONFINE=prefer or require
 * confines what they start, too. Leaves the cases to test/bugs/ and test/pdf/. Rule: the same calls, the same answers.
 * A long run: each case has a worker of its own. The short one compares answers in same-bytes.test.ts.
 */
import { readdirSync } from "node:fs";
import { describe, it, vi } from "vitest";

if (process.env.HAFT_LONG === "1") {
  vi.setConfig({ testTimeout: 120_000 });
  process.env.HAFT_TEST_ISOLATION = "worker";
  for (const folder of ["../bugs/", "../pdf/"].map((path) => new URL(path, import.meta.url)))
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".test.ts")))
      await import(new URL(file, folder).href);
} else {
  describe("every reported case", () => {
    it.skip("answers alike in the worker (HAFT_LONG=1)", () => {});
  });
}
