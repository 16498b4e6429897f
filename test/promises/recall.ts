/** Owns the calls by which `recall` is held to its promises, and the results that they recall. Leaves the promises to promises.test.ts. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

const LONG = Array.from({ length: 4_000 }, (_, index) => `line ${index + 1} of a build\n`).join("");

export const recallPromises: Registration = {
  tool: "recall",
  calls: [
    { about: "the list", args: {}, gives: "success" },
    { about: "a whole result", args: { id: "call_1" }, gives: "success" },
    { about: "a result that failed", args: { id: "call_3" }, gives: "success" },
    { about: "an empty result", args: { id: "call_4" }, gives: "success" },
    { about: "an earlier session's", args: { id: "older/call_1" }, gives: "success" },
    { about: "lines", args: { id: "call_2", range: { start: 100, end: 3_900 } }, gives: "success" },
    { about: "characters", args: { id: "call_5", chars: { start: 3, end: 9_000 } }, gives: "success" },
    { about: "matching lines", args: { id: "call_2", grep: "line 1.*9 " }, gives: "success" },
    {
      about: "matching lines of a range",
      args: { id: "call_2", range: { start: 90, end: 200 }, grep: "9" },
      gives: "success",
    },
    { about: "a match in a long line", args: { id: "call_5", grep: "needle" }, gives: "success" },
    {
      about: "empty ranges",
      args: { id: "call_1", range: {}, chars: { start: 0, end: 0 } },
      gives: "success",
    },
    { about: "a range without an id", args: { range: { start: 1, end: 2 } }, gives: "success" },
    { about: "an unknown id", args: { id: "call_77" }, gives: "refusal" },
    {
      about: "lines past the end",
      args: { id: "call_2", range: { start: 4_003, end: 4_100 } },
      gives: "refusal",
    },
    {
      about: "characters past the end",
      args: { id: "call_1", chars: { start: 900, end: 910 } },
      gives: "refusal",
    },
    {
      about: "lines and characters",
      args: { id: "call_1", range: { start: 1, end: 1 }, chars: { start: 1, end: 2 } },
      gives: "refusal",
    },
    { about: "look-ahead", args: { id: "call_1", grep: "a(?=b)" }, gives: "refusal" },
  ],
  values: [
    "call_1",
    "call_2",
    "call_5",
    "older/call_1",
    "nope",
    "",
    "(a+)+$",
    "[",
    { start: 1, end: 3 },
    { start: 5 },
    { end: 2 },
    { start: 9_999, end: 99_999 },
    { start: 0, end: 0 },
    '{"start":2,"end":"4"}',
    {},
    null,
    7,
  ],
  results: [
    { id: "older/call_1", tool: "read", content: "a.txt: 1 line\n1\tfrom before\n" },
    { id: "call_1", tool: "read", content: "hello.txt: 2 lines\n1\thello\n2\tworld\n" },
    { id: "call_2", tool: "bash", content: `exit code 0\n[stdout]\n${LONG}`.slice(0, -1) },
    { id: "call_3", tool: "bash", isError: true, content: "exit code 3\n(no output)" },
    { id: "call_4", tool: "fetch", content: "" },
    { id: "call_5", tool: "fetch", content: `${"😀".repeat(9_000)}needle${"字".repeat(9_000)}\r\nshort\r\n` },
  ],
};
