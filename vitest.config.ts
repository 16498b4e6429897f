import { defineConfig } from "vitest/config";

// Tests share two cores with the processes they start, so the guards are generous: they catch hangs,
// never slowness. Speed is measured in bench/.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // What runs in a process of its own, the worker first of all, runs as built.
    globalSetup: ["scripts/build-dist.mjs"],
    pool: "forks",
    // Many tests wait for processes of their own: a file a core keeps both busy.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
