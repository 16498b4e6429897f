/**
 * Owns `npm test`: everything that must hold, from a clean clone, ending in one line of counts.
 * Leaves each check to checks.mjs and each test to vitest. Rule: the last line is `N passed, N failed` with
 * `, N skipped` where any were, and the exit code is 0 only where something ran and nothing failed.
 *
 * `npm test -- PATH…` runs the tests below those paths alone. HAFT_LONG=1 makes the long runs longer.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cheapChecks, runChecks } from "./checks.mjs";
import { ensureOfficialTools } from "./official-tools.mjs";
import { build, installPackages, runMain, runTool } from "./prepare.mjs";
import { ensurePrograms } from "./system-programs.mjs";

/** Runs vitest and counts by its own JSON report; a file that could not even be loaded is a failure of its own. */
function runVitest(paths) {
  const folder = mkdtempSync(join(tmpdir(), "haft-report-"));
  const report = join(folder, "report.json");
  try {
    const code = runTool("vitest", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...paths,
    ]);
    return countReport(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countReport(report, code) {
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    const found = JSON.parse(readFileSync(report, "utf8"));
    const unloaded = found.testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
    );
    counts = {
      passed: found.numPassedTests,
      failed: found.numFailedTests + unloaded.length,
      skipped: found.numPendingTests + found.numTodoTests,
    };
  } catch {
    process.stdout.write("vitest left no report\n");
  }
  // An unhandled error fails the run without failing a test: it must be seen in the counts too.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

runMain(() => {
  const paths = process.argv.slice(2);
  ensurePrograms();
  installPackages();
  ensureOfficialTools();
  build();
  const checks = paths.length > 0 ? { passed: 0, failed: 0 } : runChecks(cheapChecks);
  const tests = runVitest(paths);
  const passed = checks.passed + tests.passed;
  const failed = checks.failed + tests.failed;
  process.stdout.write(
    `\n${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ""}\n`,
  );
  return failed === 0 && passed > 0 ? 0 : 1;
});
