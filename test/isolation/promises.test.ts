/**
 * Owns the promises of every tool, kept in the worker. Leaves the promises to test/promises/.
 * Rule: the same calls, the same answers.
 */
process.env.HAFT_TEST_ISOLATION = "worker";
await import("../promises/promises.test.ts");
