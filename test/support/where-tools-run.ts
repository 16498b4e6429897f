/**
 * Owns where the tools of a test run: in this process, or in a worker where test/isolation/ says so.
 * Rule: the same tests, the same answers.
 */
export const WHERE: { readonly isolation?: "worker" } =
  process.env.HAFT_TEST_ISOLATION === "worker" ? { isolation: "worker" } : {};
