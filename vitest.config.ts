import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests share two cores with the processes they start, so the guards are generous: they catch hangs,
// never slowness. Speed is measured in bench/.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // What runs in a process of its own, the worker first of all, runs as built.
    globalSetup: ["scripts/build-dist.mjs"],
    pool: "forks",
    // Half of a test's time is waiting for processes of its own: two files a core keep it busy.
    maxWorkers: 2 * availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
