/**
 * Owns random histories of commitments that could have happened.
 * Leaves what follows from them to the tests. Rule: whatever is drawn goes through the judge, as in life; what it
 * refuses did not happen.
 */
import fc from "fast-check";
import { judgeEvent } from "../../src/commitment/judge-event.ts";
import { applyEvent, type Projection } from "../../src/commitment/project.ts";
import type { CommitmentEvent, CommitmentTerms, Happening } from "../../src/contract/commitment.ts";

export const TERMS: CommitmentTerms = {
  objective: "Ship it",
  evidence: "observed",
  criteria: [
    { id: "c1", statement: "it is there", kind: "file-exists", path: "a.txt", required: true },
    { id: "c2", statement: "it works", kind: "shell", command: "true", required: true },
    { id: "__proto__", statement: "it is said", kind: "statement", required: false },
  ],
  stakes: "normal",
  stallLimit: 3,
  pinned: false,
};

const IDS = ["aaaaaaaa", "bbbbbbbb", "cccccccc"] as const;
const id = fc.constantFrom(...IDS);
const words = fc.constantFrom("x", "Grüße 😀", "two\nlines", "\u202e");
const origin = { agentId: "main", root: "/r" } as const;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constant<Happening>({ kind: "proposed", terms: TERMS, ...origin }),
  { weight: 8, arbitrary: fc.constant<Happening>({ kind: "opened", terms: TERMS, ...origin }) },
  fc.constant<Happening>({ kind: "opened", ...origin }),
  { weight: 6, arbitrary: fc.constant<Happening>({ kind: "episode-started", sessionId: "s1" }) },
  fc.record({
    kind: fc.constant("episode-ended" as const),
    outcome: fc.constantFrom("advanced", "learned", "blocked", "stalled"),
    usd: fc.double({ min: 0, max: 10, noNaN: true }),
  }),
  fc.record({
    kind: fc.constant("suspended" as const),
    on: fc.oneof(
      fc.record({
        kind: fc.constant("question" as const),
        question: fc.constantFrom("q1", "q2"),
        text: words,
      }),
      fc.record({ kind: fc.constant("commitment" as const), id }),
      fc.record({ kind: fc.constant("condition" as const), text: words }),
    ),
  }),
  { weight: 6, arbitrary: fc.constant<Happening>({ kind: "resumed" }) },
  fc.record({ kind: fc.constant("blocked" as const), reason: words }),
  { weight: 6, arbitrary: fc.constant<Happening>({ kind: "unblocked" }) },
  {
    weight: 12,
    arbitrary: fc
      .record({
        criterion: fc.constantFrom("c1", "c2", "__proto__", "c9"),
        result: fc.constantFrom("passed", "passed", "failed", "unknown", "outdated"),
      })
      .map(
        ({ criterion, result }): Happening => ({
          kind: "criterion-evaluated",
          criterion,
          result,
          ...(result === "passed" ? { evidence: { paths: [] } } : { why: "so" }),
        }),
      ),
  },
  fc.record({
    kind: fc.constant("question-answered" as const),
    question: fc.constantFrom("q1", "q2", "q3"),
    answer: words,
  }),
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("superseded" as const), by: id }) },
  fc.record({
    kind: fc.constant("closed" as const),
    verdict: fc.constantFrom("fulfilled", "fulfilled", "partial", "abandoned"),
  }),
);

export const HAPPENINGS = fc.array(fc.record({ id, happening, atMs: fc.integer({ min: 0, max: 2e12 }) }), {
  maxLength: 150,
  size: "max",
});

/** Those of them that could happen, one after another. */
export function happen(
  drawn: readonly { readonly id: string; readonly happening: Happening; readonly atMs: number }[],
): { readonly events: readonly CommitmentEvent[]; readonly projection: Projection } {
  const projection: Projection = new Map();
  const events: CommitmentEvent[] = [];
  for (const one of drawn) {
    const judging = { projection, id: one.id, happening: one.happening, findBroken: () => undefined };
    if (judgeEvent(judging) !== undefined) continue;
    const event = {
      ...one.happening,
      commitment: one.id,
      atMs: one.atMs,
      seq: events.length + 1,
      actor: "test",
    } as CommitmentEvent;
    events.push(event);
    applyEvent(projection, event);
  }
  return { events, projection };
}
