import { describe, expect, it } from "vitest";
import { PHASES, type Phase } from "../contract/commitment.ts";
import { findNextPhase, listPossible, TRANSITIONS, type Trigger } from "./transitions.ts";

/** Every cell, written out: a column for each phase before, `-` where it is refused. */
const TABLE = `
                    | none     | proposed | active     | suspended | blocked | satisfying | closed
proposed            | proposed | -        | -          | -         | -       | -          | -
opened              | active   | active   | -          | -         | -       | -          | -
episode-started     | -        | -        | active     | -         | -       | satisfying | -
episode-ended       | -        | -        | active     | suspended | blocked | satisfying | -
suspended           | -        | -        | suspended  | -         | -       | -          | -
resumed             | -        | -        | -          | active    | -       | -          | -
blocked             | -        | -        | blocked    | -         | -       | -          | -
unblocked           | -        | -        | -          | -         | active  | -          | -
criterion-passed    | -        | -        | satisfying | suspended | blocked | satisfying | -
criterion-failed    | -        | -        | active     | suspended | blocked | active     | -
criterion-outdated  | -        | -        | active     | suspended | blocked | active     | -
criterion-unknown   | -        | -        | active     | suspended | blocked | satisfying | -
awaited-answer      | -        | -        | -          | active    | -       | -          | -
other-answer        | -        | -        | active     | suspended | blocked | satisfying | -
superseded          | -        | closed   | closed     | closed    | closed  | closed     | -
closed              | -        | closed   | closed     | closed    | closed  | closed     | -
`;

const [head = [], ...rows] = TABLE.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));
const cells = rows.flatMap(([trigger = "", ...after]) =>
  after.map((cell, at) => [trigger as Trigger, (head[at + 1] ?? "") as Phase | "none", cell] as const),
);

describe("the table of transitions", () => {
  it("has every event and every phase", () => {
    expect(rows.map(([trigger]) => trigger)).toEqual(Object.keys(TRANSITIONS));
    expect(head.slice(1)).toEqual(["none", ...PHASES]);
    expect(cells).toHaveLength(16 * 7);
  });

  it.each(cells)("%s in the phase %s leads to %s", (trigger, phase, after) => {
    expect(findNextPhase(phase, trigger) ?? "-").toBe(after);
  });

  it("moves between no other pairs of phases than the specification names", () => {
    const moves = new Set(
      cells
        .filter(([, phase, after]) => after !== "-" && after !== phase)
        .map(([, phase, after]) => `${phase} → ${after}`),
    );
    expect([...moves].sort()).toEqual(
      [
        "none → proposed",
        "none → active",
        "proposed → active",
        "active → suspended",
        "suspended → active",
        "active → blocked",
        "blocked → active",
        "active → satisfying",
        "satisfying → active",
        ...["proposed", "active", "suspended", "blocked", "satisfying"].map((phase) => `${phase} → closed`),
      ].sort(),
    );
  });

  it("names what may happen in a phase, and nothing once it is closed", () => {
    expect(listPossible("closed")).toEqual([]);
    expect(listPossible("proposed")).toEqual(["opened", "superseded", "closed"]);
    expect(listPossible("blocked")).toEqual([
      "episode-ended",
      "unblocked",
      "criterion-evaluated",
      "question-answered",
      "superseded",
      "closed",
    ]);
  });
});
