/**
 * Owns the calls by which `bash` is held to its promises. Leaves the promises to promises.test.ts.
 * Rule: one of each kind of answer; no command here changes the tree, for how far a cancelled one came is its own affair.
 */
import type { PromisedCall, Registration } from "./registration.ts";

/** Commands have a folder for temporary files below the root, made with the first of them. */
const FIRST = [{ name: "bash", args: { command: "true" } }];

const CALLS: readonly PromisedCall[] = [
  {
    about: "both streams, redrawn",
    args: { command: "printf 'a\\r\\033[1mb\\0'; echo b >&2" },
    gives: "success",
  },
  {
    about: "more than its cap, in a folder",
    args: { cmd: "cat ../emoji.txt; cd deep", workdir: "src", timeout: 5 },
    gives: "success",
    options: { limits: { bashMax: 1_000 } },
  },
  { about: "a pipeline that failed early", args: { command: "grep zz hello.txt | sort" }, gives: "success" },
  { about: "a failure", args: { command: "cat latin.txt program.bin; exit 3" }, gives: "refusal" },
  { about: "a time that is over", args: { command: "echo a; sleep 60", timeout_ms: 300 }, gives: "refusal" },
  { about: "a syntax error", args: { command: "touch ran\nif" }, gives: "refusal" },
  { about: "a missing folder", args: { command: "touch ran", cwd: "scr" }, gives: "refusal" },
];

export const bashPromises: Registration = {
  tool: "bash",
  calls: CALLS.map((call) => ({ ...call, after: FIRST })),
  values: ["src", ".", "..", "hello.txt", "nothing", 0, 1, 5_000, "5", 1e12, -1, true, false, null, ""],
  // Random words are not given to a shell.
  fixed: {
    command: [
      "true",
      "echo a",
      "false",
      "cat hello.txt",
      "if",
      "exit 3",
      "printf '\\033[1ma\\0'",
      "",
      null,
      5,
    ],
  },
};
