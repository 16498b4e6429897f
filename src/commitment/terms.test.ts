import { describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { readInstant, readTerms } from "./terms.ts";

const CRITERION = { statement: "it is there", kind: "file-exists", path: "a.txt" };
const GOOD = { objective: "Ship it", criteria: [CRITERION] };

describe("what a host says of a commitment", () => {
  it("is completed, so that no later default changes it", () => {
    expect(readTerms(GOOD)).toEqual({
      id: undefined,
      terms: {
        objective: "Ship it",
        evidence: "observed",
        criteria: [{ ...CRITERION, id: "c1", required: true }],
        stakes: "normal",
        stallLimit: 3,
        pinned: false,
      },
    });
  });

  it.each([
    ["nothing", undefined, ["commitment"]],
    ["a text", "Ship it", ["commitment"]],
    ["no objective", { criteria: [CRITERION] }, ["objective"]],
    ["an empty objective", { ...GOOD, objective: " \n" }, ["objective"]],
    ["a novel", { ...GOOD, objective: "x".repeat(4_001) }, ["objective"]],
    ["half a character", { ...GOOD, objective: "\ud83d" }, ["objective"]],
    ["no criteria", { objective: "Ship it" }, ["criteria"]],
    ["none of them", { ...GOOD, criteria: [] }, ["criteria"]],
    ["none that is required", { ...GOOD, criteria: [{ ...CRITERION, required: false }] }, ["criteria"]],
    ["too many", { ...GOOD, criteria: Array.from({ length: 101 }, () => CRITERION) }, ["criteria"]],
    ["a kind that is none", { ...GOOD, criteria: [{ ...CRITERION, kind: "feeling" }] }, ["criteria[0].kind"]],
    [
      "a file without a path",
      { ...GOOD, criteria: [{ statement: "s", kind: "file-exists" }] },
      ["criteria[0].path"],
    ],
    [
      "an id twice",
      {
        ...GOOD,
        criteria: [
          { ...CRITERION, id: "a" },
          { ...CRITERION, id: "a" },
        ],
      },
      ["criteria[1].id"],
    ],
    [
      "an id that hides another",
      { ...GOOD, criteria: [CRITERION, { ...CRITERION, id: "c1" }] },
      ["criteria[1].id"],
    ],
    ["a hostile id", { ...GOOD, criteria: [{ ...CRITERION, id: "../a" }] }, ["criteria[0].id"]],
    [
      "an id that is a prototype",
      { ...GOOD, criteria: [{ ...CRITERION, id: "__proto__" }] },
      ["criteria[0].id"],
    ],
    [
      "text and pattern",
      { ...GOOD, criteria: [{ statement: "s", kind: "file-contains", path: "a", text: "x", pattern: "y" }] },
      ["criteria[0]"],
    ],
    [
      "a pattern of no linear time",
      { ...GOOD, criteria: [{ statement: "s", kind: "file-contains", path: "a", pattern: "a(?=b)" }] },
      ["criteria[0].pattern"],
    ],
    [
      "a pattern that does not parse",
      { ...GOOD, criteria: [{ statement: "s", kind: "file-contains", path: "a", pattern: "f(" }] },
      ["criteria[0].pattern"],
    ],
    [
      "an empty command",
      { ...GOOD, criteria: [{ statement: "s", kind: "shell", command: " " }] },
      ["criteria[0].command"],
    ],
    [
      "an option of no kind",
      { ...GOOD, criteria: [{ ...CRITERION, command: "x" }] },
      ["criteria[0].command"],
    ],
    ["a word that is not known", { ...GOOD, dead_line: "2026-10-31" }, ["dead_line"]],
    ["a deadline in words", { ...GOOD, deadline: "tomorrow" }, ["deadline"]],
    ["a deadline without a zone", { ...GOOD, deadline: "2026-10-31T12:00:00" }, ["deadline"]],
    ["a day that is none", { ...GOOD, deadline: "2026-02-30" }, ["deadline"]],
    ["stakes that are none", { ...GOOD, stakes: "huge" }, ["stakes"]],
    ["evidence that is none", { ...GOOD, evidence: "believed" }, ["evidence"]],
    ["a budget of nothing", { ...GOOD, budget: { episodes: 0, usd: -1 } }, ["budget.episodes", "budget.usd"]],
    ["an id too short", { ...GOOD, id: "abc" }, ["id"]],
    ["an id with a slash", { ...GOOD, id: "../../../etc" }, ["id"]],
    ["several at once", { objective: "", criteria: [], pinned: "yes" }, ["objective", "criteria", "pinned"]],
  ])("is refused where it is %s, by its place", (_about, input, places) => {
    const read = readTerms(input);
    if (!isRefusal(read) || read.code !== "commitment-invalid") return expect.fail("taken");
    expect(read.facts.problems.map(({ path }) => path)).toEqual(places);
    for (const { message } of read.facts.problems) {
      expect(message).toMatch(/^[a-z]/);
      expect(message).not.toMatch(/^(invalid|too )/i);
    }
    return undefined;
  });

  it("may be any text, in any script", () => {
    const objective = "Prüfe 契約 🧾 \u202e und \0 zwei\nZeilen";
    expect(readTerms({ ...GOOD, objective })).toMatchObject({ terms: { objective } });
  });
});

describe("a point in time", () => {
  it.each([
    ["2026-10-31", "2026-10-31T23:59:59Z"],
    ["2026-10-31T17:00Z", "2026-10-31T17:00:00Z"],
    ["2026-10-31T17:00:00.5+02:00", "2026-10-31T15:00:00Z"],
    ["2026-13-01", undefined],
    ["2026-10-31 17:00", undefined],
    ["0", undefined],
    ["", undefined],
  ])("given as %j is kept as %j", (given, kept) => {
    expect(readInstant(given)).toBe(kept);
  });
});
