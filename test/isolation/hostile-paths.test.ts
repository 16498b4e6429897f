/**
 * Owns the table of hostile paths with every tool in the worker. Leaves the table to test/hostile-paths/.
 * Rule: not one row is other than without a worker.
 */
import { vi } from "vitest";

// Each row starts a worker of its own.
vi.setConfig({ testTimeout: 120_000 });
process.env.HAFT_TEST_ISOLATION = "worker";
await import("../hostile-paths/hostile-paths.test.ts");
await import("../hostile-paths/special-paths.test.ts");
