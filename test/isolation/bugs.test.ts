/**
 * Owns every reported case with every tool in the worker. Leaves the cases to test/bugs/.
 * Rule: the same calls, the same answers. A long run: each case has a worker of its own.
 */
import { readdirSync } from "node:fs";
import { describe, it, vi } from "vitest";

const folder = new URL("../bugs/", import.meta.url);

if (process.env.HAFT_LONG === "1") {
  vi.setConfig({ testTimeout: 120_000 });
  process.env.HAFT_TEST_ISOLATION = "worker";
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".test.ts")))
    await import(new URL(file, folder).href);
} else {
  describe("every reported case", () => {
    it.skip("answers alike in the worker (HAFT_LONG=1)", () => {});
  });
}
