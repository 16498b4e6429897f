/**
 * Owns sessions and rules with every tool in the worker. Leaves them to their own tests.
 * Rule: the same calls, the same answers, the same entries in the ledger.
 */
import { vi } from "vitest";

// Each row starts a worker of its own.
vi.setConfig({ testTimeout: 120_000 });
process.env.HAFT_TEST_ISOLATION = "worker";
await import("../session/calls.test.ts");
await import("../session/window.test.ts");
await import("../session/ledger.test.ts");
await import("../../src/permission/withhold.test.ts");
