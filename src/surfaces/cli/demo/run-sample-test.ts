/**
 * Owns running the sample's own test with Node, as the person who asked for the repair would.
 * Leaves the sample to sample-workspace.ts. Rule: it proves the repair, so it shares no code with the tools.
 */
import { spawnSync } from "node:child_process";

/** Runs `node --test` in a folder; true where every test passes. */
export function runSampleTest(root: string): boolean {
  // The variables by which a test runner speaks to its children would make this one report to another parent.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  const done = spawnSync(process.execPath, ["--test", "test/basket.test.js"], {
    cwd: root,
    env,
    timeout: 60_000,
  });
  return done.status === 0;
}
