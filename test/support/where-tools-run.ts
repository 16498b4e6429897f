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

/** A long run makes all rows everywhere; the short one leaves comparing them to test/isolation/same-bytes.test.ts. */
export const IS_SHORT = isolation === "worker" && process.env.HAFT_LONG !== "1";
const SHARE = 16;

/**
 * The rows of a table that are worth their time: all of them in this process; in a worker, where each starts one of its
 * own, one in sixteen, and all with HAFT_LONG=1.
 */
export function chooseRows<Row>(rows: readonly Row[]): readonly Row[] {
  return IS_SHORT ? rows.filter((_, index) => index % SHARE === 0) : rows;
}

const RECORDS = "a confined command finds .haft read-only, but for its scratch folder";

/** Commands of cases that cannot do the same where they are confined, each with the reason. Nothing else is left out. */
const OTHERWISE_CONFINED: Readonly<Record<string, string>> = {
  "git clean -fdxq": RECORDS,
  "rm -rf .haft": RECORDS,
};

/** Whether a command of a case does here what it does where nothing is confined. */
export function doesAsEver(command: string): boolean {
  return WHERE.confine === undefined || OTHERWISE_CONFINED[command] === undefined;
}
