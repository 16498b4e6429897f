/**
 * Owns the list of checks that are no tests: format, lint, types, sizes, exports, docs, packaging.
 * Leaves each to its program. Rule: a check prints what is wrong only where something is.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repository } from "./prepare.mjs";

const bin = (name) => join(repository, "node_modules", ".bin", name);
const script = (name, ...args) => [process.execPath, join(import.meta.dirname, name), ...args];

/** Quick enough for every `npm test`; all but the last read the tree, so a build must stand before them. */
export const cheapChecks = [
  { name: "format and lint", command: [bin("biome"), "ci", "--colors=off", "--error-on-warnings", "."] },
  { name: "types", command: [bin("tsc"), "-p", "tsconfig.json"] },
  { name: "sizes", command: script("check-sizes.mjs") },
  { name: "unused files, exports and packages", command: [bin("knip")] },
  { name: "generated docs", command: script("generate-docs.mjs", "--check") },
  { name: "package contents", command: [bin("publint"), "--strict"] },
];

export const allChecks = [
  ...cheapChecks,
  { name: "package types", command: [bin("attw"), "--pack", ".", "--profile", "esm-only"] },
  { name: "layers", command: [bin("vitest"), "run", "test/layers.test.ts"] },
];

/** Runs all of them whatever the first say, and gives the counts. */
export function runChecks(checks) {
  let failed = 0;
  for (const { name, command } of checks) {
    const [program, ...args] = command;
    const done = spawnSync(program, args, {
      cwd: repository,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
      shell: process.platform === "win32",
    });
    const passed = done.status === 0;
    if (!passed) failed += 1;
    process.stdout.write(`${passed ? "ok    " : "FAILED"} ${name}\n`);
    if (!passed)
      process.stdout.write(`${done.stdout ?? ""}${done.stderr ?? ""}${done.error?.message ?? ""}\n`);
  }
  return { passed: checks.length - failed, failed };
}
