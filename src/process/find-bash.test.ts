/**
 * Owns the tests of finding bash. Rule: real files in a folder of the test.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findBash } from "./find-bash.ts";

let around = "";
let root = "";
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-bash-")));
  root = join(around, "root");
  mkdirSync(root);
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

function plant(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "bash"), "#!/bin/sh\n", { mode: 0o755 });
  return join(folder, "bash");
}

it("is the first on PATH, by its real path", () => {
  const real = plant(join(around, "real"));
  mkdirSync(join(around, "links"));
  symlinkSync(real, join(around, "links", "bash"));
  expect(findBash({ root, path: [join(around, "none"), join(around, "links")].join(delimiter) })).toBe(real);
});

it("is never one that lies in the root, by whatever way", () => {
  const planted = plant(join(root, "bin"));
  mkdirSync(join(around, "links"));
  symlinkSync(planted, join(around, "links", "bash"));
  const path = [join(root, "bin"), join(around, "links"), "bin", "."].join(delimiter);
  expect(findBash({ root, path })).not.toContain(around);
});

it.skipIf(process.platform === "win32")("is the system's where PATH has none", () => {
  expect(findBash({ root, path: undefined })).toMatch(/\/bash$/);
});
