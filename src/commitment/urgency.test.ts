import { describe, expect, it } from "vitest";
import type { CommitmentView, HoldKind } from "../contract/commitment-view.ts";
import { listHolds } from "./holds.ts";
import type { CommitmentState } from "./project.ts";
import { compareUrgency, rateUrgency, type UrgencyFacts } from "./urgency.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
const FACTS: UrgencyFacts = {
  pinned: false,
  deadline: undefined,
  stakes: "normal",
  waiters: 0,
  hasNews: false,
  lastAtMs: NOW,
  nowMs: NOW,
};

/** What differs from a plain one, the points, and the reasons. */
const ROWS: readonly (readonly [Partial<UrgencyFacts>, number, readonly string[]])[] = [
  [{}, 10, ["stakes normal (10)"]],
  [{ stakes: "low" }, 0, ["stakes low (0)"]],
  [{ stakes: "high" }, 20, ["stakes high (20)"]],
  [{ stakes: "critical" }, 40, ["stakes critical (40)"]],
  [{ pinned: true }, 110, ["pinned (100)", "stakes normal (10)"]],
  [{ deadline: at(-1) }, 60, [`due ${at(-1)}, overdue (50)`, "stakes normal (10)"]],
  [{ deadline: at(1) }, 50, [`due ${at(1)}, within a day (40)`, "stakes normal (10)"]],
  [{ deadline: at(25) }, 35, [`due ${at(25)}, within a week (25)`, "stakes normal (10)"]],
  [{ deadline: at(24 * 8) }, 15, [`due ${at(24 * 8)}, later than a week (5)`, "stakes normal (10)"]],
  [{ waiters: 1 }, 20, ["stakes normal (10)", "1 other waits for it (10)"]],
  [{ waiters: 2 }, 30, ["stakes normal (10)", "2 others wait for it (20)"]],
  [{ waiters: 9 }, 40, ["stakes normal (10)", "9 others wait for it (30)"]],
  [{ hasNews: true }, 25, ["stakes normal (10)", "an answer has come in (15)"]],
  [
    { hasNews: true, waiters: 1 },
    35,
    ["stakes normal (10)", "1 other waits for it, an answer has come in (25)"],
  ],
  [
    { lastAtMs: NOW - 25 * 3_600_000 },
    15,
    ["stakes normal (10)", "idle since 2026-06-14T11:00:00Z, more than a day (5)"],
  ],
  [
    { lastAtMs: NOW - 8 * 86_400_000 },
    20,
    ["stakes normal (10)", "idle since 2026-06-07T12:00:00Z, more than a week (10)"],
  ],
  // A clock that is ahead is no idleness.
  [{ lastAtMs: NOW + 86_400_000 }, 10, ["stakes normal (10)"]],
];

describe("urgency", () => {
  it.each(ROWS)("of %j is %i, and says why", (differs, points, reasons) => {
    const rated = rateUrgency({ ...FACTS, ...differs });
    expect(rated.points).toBe(points);
    expect(rated.reasons.map((one) => `${one.why} (${one.points})`)).toEqual(reasons);
  });

  const view = (of: { points?: number; held?: boolean; phase?: string; deadline?: string }) =>
    ({
      phase: of.phase ?? "active",
      holds: of.held ? [{ kind: "blocked", why: "so" }] : [],
      urgency: { points: of.points ?? 0, reasons: [] },
      commitment: of.deadline === undefined ? {} : { deadline: of.deadline },
    }) as unknown as CommitmentView;

  it("puts held ones first, then by points, then by deadline; proposals last; equals stay as they are", () => {
    const held = view({ held: true, points: 1 });
    const high = view({ points: 50 });
    const soon = view({ points: 20, deadline: at(1) });
    const late = view({ points: 20, deadline: at(2) });
    const never = view({ points: 20 });
    const again = view({ points: 20 });
    const proposed = view({ phase: "proposed", points: 200 });
    expect([proposed, never, again, late, soon, high, held].sort(compareUrgency)).toEqual([
      held,
      high,
      soon,
      late,
      never,
      again,
      proposed,
    ]);
  });
});

const STATE = {
  commitment: { stallLimit: 3, budget: { episodes: 5, usd: 1 }, objective: "o", deadline: at(1) },
  phase: "active",
  episodes: { ended: 0, isRunning: false, withoutProgress: 0, usd: 0, last: undefined },
} as unknown as CommitmentState;

/** What a state has, which reasons hold it, and words that must be told. */
const HOLDS: readonly (readonly [string, Partial<CommitmentState>, readonly HoldKind[], string])[] = [
  ["nothing", {}, [], ""],
  [
    "a question",
    { waitsFor: { kind: "question", question: "q1", text: "Which?" } },
    ["question"],
    "waits on a person to answer q1: Which?",
  ],
  [
    "a day to come",
    { waitsFor: { kind: "schedule", until: at(5) } },
    ["suspended"],
    `suspended until ${at(5)}`,
  ],
  ["a day that came", { waitsFor: { kind: "schedule", until: at(-5) } }, ["suspended"], "which has come"],
  ["a condition", { waitsFor: { kind: "condition", text: "rain" } }, ["suspended"], "until this holds: rain"],
  ["another", { waitsFor: { kind: "commitment", id: "x" } }, ["suspended"], "waits for the commitment <x>"],
  [
    "what runs outside",
    { waitsFor: { kind: "operation", text: "deploy" } },
    ["suspended"],
    "outside: deploy",
  ],
  ["a block", { blockedBy: "no key" }, ["blocked"], "blocked: no key"],
  [
    "three stalls",
    { episodes: { ...STATE.episodes, withoutProgress: 3 } },
    ["stalled"],
    "3 episodes without progress",
  ],
  ["two stalls", { episodes: { ...STATE.episodes, withoutProgress: 2 } }, [], ""],
  ["its last episode", { episodes: { ...STATE.episodes, ended: 5 } }, ["budget"], "5 of 5 episodes"],
  ["its last cent", { episodes: { ...STATE.episodes, usd: 0.1 + 0.2 + 0.7 } }, ["budget"], "1 of 1 USD"],
  [
    "its deadline behind it",
    { commitment: { ...STATE.commitment, deadline: at(-1) } },
    ["expired"],
    `overdue: it was due ${at(-1)}`,
  ],
  [
    "everything",
    {
      waitsFor: { kind: "question", question: "q1", text: "Which?" },
      blockedBy: "no key",
      commitment: { ...STATE.commitment, deadline: at(-1) },
      episodes: { ...STATE.episodes, withoutProgress: 3, ended: 9 },
    },
    ["question", "blocked", "stalled", "budget", "expired"],
    "q1",
  ],
  ["been closed", { phase: "closed", blockedBy: "no key" }, [], ""],
  ["not been accepted", { phase: "proposed", blockedBy: "no key" }, [], ""],
];

describe("what holds a commitment", () => {
  it.each(HOLDS)("that has %s", (_about, differs, kinds, words) => {
    const holds = listHolds({ state: { ...STATE, ...differs }, nowMs: NOW, tell: (id) => `<${id}>` });
    expect(holds.map(({ kind }) => kind)).toEqual(kinds);
    expect(holds[0]?.why ?? "").toContain(words);
  });
});
