/**
 * Owns the promises of every tool, kept in the worker. Leaves the promises to test/promises/.
 * Rule: the same calls, the same answers.
 */
import { vi } from "vitest";

// Each row starts a worker of its own.
vi.setConfig({ testTimeout: 120_000 });
process.env.HAFT_TEST_ISOLATION = "worker";
await import("../promises/promises.test.ts");
