/**
 * Owns where the tools of a test run: in this process, or in a worker where test/isolation/ says so; and what confines
 * what they start, where test/confine/ says so.
 * Rule: the same tests, the same answers.
 */
const { HAFT_TEST_ISOLATION: isolation, HAFT_TEST_CONFINE: confine } = process.env;

export const WHERE: { readonly isolation?: "worker"; readonly confine?: "prefer" | "require" } = {
  ...(isolation === "worker" ? { isolation } : {}),
  ...(confine === "prefer" || confine === "require" ? { confine } : {}),
};

const SHARE = process.env.HAFT_LONG === "1" ? 1 : 4;

/**
 * The rows of a table that are worth their time: all of them in this process; in a worker, where each starts one of its
 * own, one in four, and all with HAFT_LONG=1.
 */
export function chooseRows<Row>(rows: readonly Row[]): readonly Row[] {
  return WHERE.isolation === undefined ? rows : rows.filter((_, index) => index % SHARE === 0);
}
