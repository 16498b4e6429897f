import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HAPPENINGS, happen, TERMS } from "../../test/commitments/histories.ts";
import type { CommitmentEvent } from "../contract/commitment.ts";
import { findLacks } from "./closure.ts";
import { project } from "./project.ts";
import { listProofs } from "./proof.ts";

const shown = (events: readonly CommitmentEvent[]) => JSON.stringify([...project(events)]);

describe("the states that follow from events", () => {
  it("are there after any prefix of any valid history, and the same each time", () => {
    let longest = 0;
    fc.assert(
      fc.property(HAPPENINGS, (drawn) => {
        const { events, projection } = happen(drawn);
        longest = Math.max(longest, events.length);
        for (let end = 0; end <= events.length; end++) {
          const prefix = events.slice(0, end);
          expect(shown(prefix)).toBe(shown(prefix));
          // Of each commitment that was begun there is a state, of others none.
          expect([...project(prefix).keys()].sort()).toEqual(
            [...new Set(prefix.map((one) => one.commitment))].sort(),
          );
        }
        // One after another, or all at once.
        expect(shown(events)).toBe(JSON.stringify([...projection]));
      }),
      { numRuns: 300 },
    );
    expect(longest).toBeGreaterThan(30);
  });

  it("depend on the order of the log and not on anybody's clock", () => {
    fc.assert(
      fc.property(HAPPENINGS, fc.integer({ min: 0, max: 2e12 }), (drawn, atMs) => {
        const { events } = happen(drawn);
        const still = events.map((event) => ({ ...event, atMs }));
        const phases = (list: readonly CommitmentEvent[]) =>
          [...project(list)].map(([id, { phase, evaluations, questions, episodes }]) => [
            id,
            phase,
            evaluations,
            questions,
            episodes,
          ]);
        expect(phases(still)).toEqual(phases(events));
      }),
    );
  });

  it("are the same however the events of different commitments came to stand between each other", () => {
    fc.assert(
      fc.property(HAPPENINGS, (drawn) => {
        // What one commitment says of another is judged when it happens, and changes only the one.
        const { events } = happen(drawn);
        const sorted = [...events].sort((a, b) =>
          a.commitment < b.commitment ? -1 : a.commitment > b.commitment ? 1 : 0,
        );
        const byId = (list: readonly CommitmentEvent[]) => Object.fromEntries(project(list));
        expect(byId(sorted)).toEqual(byId(events));
      }),
    );
  });

  it("never leave a closed commitment, and never close one as fulfilled without proof", () => {
    fc.assert(
      fc.property(HAPPENINGS, (drawn) => {
        const { events } = happen(drawn);
        for (const [at, event] of events.entries()) {
          const before = project(events.slice(0, at)).get(event.commitment);
          expect(before?.phase).not.toBe("closed");
          if (event.kind !== "closed" || event.verdict !== "fulfilled") continue;
          expect(before).toBeDefined();
          if (before === undefined) continue;
          expect(
            findLacks(
              TERMS.evidence,
              listProofs(before, () => undefined),
            ),
          ).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("come of anything at all that stands in a log", () => {
    const anything = fc.record({
      kind: fc.constantFrom(
        "closed",
        "resumed",
        "criterion-evaluated",
        "from a later version",
        "question-answered",
      ),
      commitment: fc.constantFrom("aaaaaaaa", "zzzzzzzz"),
      atMs: fc.oneof(fc.integer(), fc.constant(Number.NaN), fc.constant(1e300)),
      seq: fc.nat(),
      actor: fc.string(),
      criterion: fc.string(),
      result: fc.constantFrom("passed", "else"),
      question: fc.string(),
      verdict: fc.string(),
    });
    const begin = {
      kind: "opened",
      terms: TERMS,
      agentId: "main",
      root: "/r",
      commitment: "aaaaaaaa",
      atMs: Number.NaN,
      seq: 0,
      actor: "test",
    };
    fc.assert(
      fc.property(fc.array(anything), (events) => {
        const all = [begin, ...events] as unknown as CommitmentEvent[];
        expect(project(all).get("aaaaaaaa")?.commitment.objective).toBe("Ship it");
        expect(project(all).has("zzzzzzzz")).toBe(false);
      }),
    );
  });
});
