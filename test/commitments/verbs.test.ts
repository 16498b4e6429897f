/**
 * What hosts may do with commitments, what is refused, and that nothing was appended then.
 */
import { describe, expect, it } from "vitest";
import type { Commitments } from "../../src/commitment/commitments.ts";
import { VERDICTS } from "../../src/contract/commitment.ts";
import type { RefusalCode } from "../../src/contract/refusal.ts";
import { makeRoot } from "../session/session-fixture.ts";
import { openPromising, refusalOf, SAID, termsOf } from "./fixture.ts";

const ID = "c0ffee00";

async function openOne(of: Parameters<typeof termsOf>[0] = {}) {
  const promising = await openPromising(makeRoot({ "report.md": "final\n" }));
  await promising.commitments.open(termsOf({ id: ID, ...of }));
  return promising;
}

/** What comes before, what is then refused, with which code and which words. */
const REFUSED: readonly (readonly [
  string,
  (c: Commitments) => Promise<unknown>,
  (c: Commitments) => Promise<unknown>,
  RefusalCode,
  string,
])[] = [
  [
    "an unknown criterion",
    async () => {},
    (c) => c.assert(ID, { criterion: "c9", words: "x" }),
    "commitment-criterion",
    'no criterion "c9"',
  ],
  [
    "an answer to a question never asked",
    async () => {},
    (c) => c.answer(ID, { question: "q7", answer: "x" }),
    "commitment-question",
    'never asked a question "q7"',
  ],
  [
    "an answer where nothing was asked",
    async () => {},
    (c) => c.answer(ID, { answer: "x" }),
    "commitment-question",
    "No question of it waits",
  ],
  [
    "a second answer",
    async (c) => {
      await c.suspend(ID, { kind: "question", text: "Which?" });
      await c.answer(ID, { answer: "this" });
    },
    (c) => c.answer(ID, { question: "q1", answer: "that" }),
    "commitment-question",
    '"q1" of the commitment c0ffee00 is answered already',
  ],
  [
    "a question asked twice under one id",
    async (c) => {
      await c.suspend(ID, { kind: "question", text: "Which?", question: "q1" });
      await c.resume(ID);
    },
    (c) => c.suspend(ID, { kind: "question", text: "Which?", question: "q1" }),
    "commitment-invalid",
    "q1 has been asked already",
  ],
  [
    "resuming what is not suspended",
    async () => {},
    (c) => c.resume(ID),
    "commitment-transition",
    "it is active",
  ],
  [
    "unblocking what is not blocked",
    async () => {},
    (c) => c.unblock(ID),
    "commitment-transition",
    "it is active",
  ],
  [
    "blocking what is suspended",
    (c) => c.suspend(ID, { kind: "condition", text: "rain" }),
    (c) => c.block(ID, "x"),
    "commitment-transition",
    "it is suspended",
  ],
  [
    "suspending what is blocked",
    (c) => c.block(ID, "x"),
    (c) => c.suspend(ID, { kind: "condition", text: "rain" }),
    "commitment-transition",
    "it is blocked",
  ],
  [
    "suspending what is satisfying",
    (c) => c.evaluate(ID),
    (c) => c.suspend(ID, { kind: "condition", text: "rain" }),
    "commitment-transition",
    "only what fails or goes out of date makes it active again",
  ],
  [
    "an episode in an episode",
    (c) => c.startEpisode(ID),
    (c) => c.startEpisode(ID),
    "commitment-transition",
    "an episode of it is running",
  ],
  [
    "an end without an episode",
    async () => {},
    (c) => c.endEpisode(ID, { outcome: "advanced" }),
    "commitment-transition",
    "no episode of it is running",
  ],
  [
    "an outcome that is none",
    (c) => c.startEpisode(ID),
    (c) => c.endEpisode(ID, { outcome: "won" as never }),
    "commitment-invalid",
    "outcome must be one of advanced",
  ],
  [
    "costs below nothing",
    (c) => c.startEpisode(ID),
    (c) => c.endEpisode(ID, { outcome: "advanced", usd: -1 }),
    "commitment-invalid",
    "usd must be a number",
  ],
  ["accepting what is open", async () => {}, (c) => c.accept(ID), "commitment-transition", "it is active"],
  [
    "opening an id twice",
    async () => {},
    (c) => c.open(termsOf({ id: ID })),
    "commitment-exists",
    "is there already",
  ],
  [
    "proposing an id that is open",
    async () => {},
    (c) => c.propose(termsOf({ id: ID })),
    "commitment-exists",
    "is there already",
  ],
  [
    "waiting for itself",
    async () => {},
    (c) => c.suspend(ID, { kind: "commitment", id: ID }),
    "commitment-invalid",
    "waits for this one itself",
  ],
  [
    "waiting for what is not there",
    async () => {},
    (c) => c.suspend(ID, { kind: "commitment", id: "deadbeef" }),
    "commitment-unknown",
    "deadbeef",
  ],
  [
    "waiting in a circle",
    async (c) => {
      await c.open(termsOf({ id: "deadbeef" }));
      await c.suspend("deadbeef", { kind: "commitment", id: ID });
    },
    (c) => c.suspend(ID, { kind: "commitment", id: "deadbeef" }),
    "commitment-invalid",
    "deadbeef waits for this one itself",
  ],
  [
    "waiting for what is closed",
    async (c) => {
      await c.open(termsOf({ id: "deadbeef" }));
      await c.close("deadbeef", { verdict: "failed" });
    },
    (c) => c.suspend(ID, { kind: "commitment", id: "deadbeef" }),
    "commitment-invalid",
    "deadbeef is closed",
  ],
  [
    "waiting until no time",
    async () => {},
    (c) => c.suspend(ID, { kind: "schedule", until: "soon" }),
    "commitment-invalid",
    "on.until must be a day",
  ],
  [
    "waiting for no kind of thing",
    async () => {},
    (c) => c.suspend(ID, { kind: "mood" } as never),
    "commitment-invalid",
    "on.kind must be question",
  ],
  [
    "being superseded by itself",
    async () => {},
    (c) => c.supersede(ID, { by: ID }),
    "commitment-invalid",
    "is the commitment itself",
  ],
  [
    "being superseded by nothing",
    async () => {},
    (c) => c.supersede(ID, { by: "deadbeef" }),
    "commitment-unknown",
    "deadbeef",
  ],
  [
    "a verdict that is none",
    async () => {},
    (c) => c.close(ID, { verdict: "won" as never }),
    "commitment-invalid",
    "verdict must be one of fulfilled",
  ],
  [
    "fulfilled without a check",
    async () => {},
    (c) => c.close(ID, { verdict: "fulfilled" }),
    "commitment-unproven",
    "c1 was never checked",
  ],
  [
    "a block without a reason",
    async () => {},
    (c) => c.block(ID, "  "),
    "commitment-invalid",
    "reason must be a text",
  ],
  [
    "a novel for an answer",
    (c) => c.suspend(ID, { kind: "question", text: "?" }),
    (c) => c.answer(ID, { answer: "x".repeat(4_001) }),
    "commitment-invalid",
    "at most 4000",
  ],
  ["half a character", async () => {}, (c) => c.block(ID, "\ud83d"), "commitment-invalid", "well-formed"],
  ["an id that nothing begins with", async () => {}, (c) => c.resume("zzzz"), "commitment-unknown", '"zzzz"'],
];

describe("a verb", () => {
  it.each(REFUSED)("refuses %s, and appends nothing", async (_about, before, act, code, words) => {
    const { commitments } = await openOne();
    await before(commitments);
    const history = await commitments.history(ID);
    const error = await act(commitments).then(
      () => expect.fail("it was not refused"),
      (reason: Error) => reason,
    );
    await refusalOf(Promise.reject(error), code);
    expect(error.message).toContain(words);
    expect(await commitments.history(ID)).toEqual(history);
  });

  it("refuses every event on a closed commitment, and says that a new one is the way", async () => {
    const { commitments } = await openOne();
    await commitments.open(termsOf({ id: "deadbeef" }));
    await commitments.suspend(ID, { kind: "question", text: "Which?" });
    await commitments.close(ID, { verdict: "abandoned" });
    const acts: ((c: Commitments) => Promise<unknown>)[] = [
      (c) => c.accept(ID),
      (c) => c.startEpisode(ID),
      (c) => c.endEpisode(ID, { outcome: "advanced" }),
      (c) => c.suspend(ID, { kind: "condition", text: "x" }),
      (c) => c.resume(ID),
      (c) => c.block(ID, "x"),
      (c) => c.unblock(ID),
      (c) => c.answer(ID, { question: "q1", answer: "x" }),
      (c) => c.evaluate(ID),
      (c) => c.supersede(ID, { by: "deadbeef" }),
      ...VERDICTS.map((verdict) => (c: Commitments) => c.close(ID, { verdict })),
    ];
    for (const act of acts) {
      const { facts } = await refusalOf(act(commitments), "commitment-transition");
      expect(facts).toMatchObject({ phase: "closed", possible: [] });
    }
    expect(await commitments.history(ID)).toHaveLength(3);
  });

  it("takes every other verdict from every phase, and fulfilled from none without proof", async () => {
    const { commitments } = await openPromising(makeRoot());
    const phases: Record<string, (id: string) => Promise<unknown>> = {
      active: async () => {},
      suspended: (id) => commitments.suspend(id, { kind: "condition", text: "x" }),
      blocked: (id) => commitments.block(id, "x"),
      satisfying: (id) => commitments.assert(id, { criterion: "c1", words: "x" }),
    };
    for (const [phase, enter] of Object.entries(phases))
      for (const verdict of VERDICTS) {
        const { shortId, ...opened } = await commitments.open(termsOf({ criteria: [SAID] }));
        expect(opened.phase).toBe("active");
        await enter(shortId);
        if (verdict === "fulfilled")
          await refusalOf(commitments.close(shortId, { verdict }), "commitment-unproven");
        else
          expect((await commitments.close(shortId, { verdict })).closing, phase).toMatchObject({ verdict });
      }
    const proposed = await commitments.propose(termsOf());
    expect((await commitments.close(proposed.shortId, { verdict: "abandoned" })).phase).toBe("closed");
  });

  it("counts a proposal for nothing until it is accepted", async () => {
    const { commitments, look } = await openPromising(makeRoot({ "report.md": "x" }));
    const { shortId, ...view } = await commitments.propose(termsOf({ deadline: "2020-01-01", pinned: true }));
    expect(view).toMatchObject({ phase: "proposed", holds: [] });
    expect(view.commitment.opened).toBeUndefined();
    expect(await look()).toContain(
      "0 commitments open, 1 proposed, 0 closed\n\nproposed, and counting for nothing",
    );
    await refusalOf(commitments.evaluate(shortId), "commitment-transition");
    await refusalOf(commitments.startEpisode(shortId), "commitment-transition");
    const accepted = await commitments.accept(shortId);
    expect(accepted).toMatchObject({ phase: "active", holds: [{ kind: "expired" }] });
    expect(accepted.commitment.opened).toMatch(/^\d{4}-/);
    expect((await commitments.evaluate(shortId)).view.phase).toBe("satisfying");
  });

  it("finds a commitment by the beginning of its id, and lists candidates where several begin so", async () => {
    const { commitments, look } = await openOne();
    await commitments.open(termsOf({ id: "c0ffee99", objective: "Another" }));
    expect((await commitments.block("c0ffee9", "x")).shortId).toBe("c0ffee99");
    const { facts } = await refusalOf(commitments.block("c0f", "x"), "commitment-ambiguous");
    expect(facts.candidates).toEqual([
      { id: "c0ffee00", objective: "Ship the report" },
      { id: "c0ffee99", objective: "Another" },
    ]);
    expect(await look({ id: "c0f" })).toBe(
      '"c0f" is the beginning of 2 ids. They are c0ffee00 (Ship the report), c0ffee99 (Another). The first: commitments {"id":"c0ffee00"}',
    );
    expect(await look({ id: "c0ffee01" })).toContain("The nearest are c0ffee00.");
  });

  it("holds a commitment as stalled, over budget and overdue, each by its own count", async () => {
    const { commitments, look } = await openOne({ stallLimit: 2, budget: { episodes: 3, usd: 1 } });
    const episode = async (outcome: "advanced" | "learned" | "blocked" | "stalled", usd?: number) => {
      await commitments.startEpisode(ID);
      return commitments.endEpisode(ID, { outcome, ...(usd === undefined ? {} : { usd }) });
    };
    expect((await episode("stalled")).holds).toEqual([]);
    expect((await episode("blocked")).holds).toMatchObject([{ kind: "stalled" }]);
    const after = await episode("learned", 0.25);
    expect(after.holds).toEqual([{ kind: "budget", why: "over budget: 3 of 3 episodes" }]);
    expect(await look()).toContain("1 commitment open (1 over budget)");
    expect(await look({ id: ID })).toContain("3 episodes of 3 ended, 0.25 USD; the last learned");
  });

  it("asks for the question that is meant where two are open", async () => {
    const { commitments } = await openOne();
    await commitments.suspend(ID, { kind: "question", text: "First?" });
    await commitments.resume(ID);
    await commitments.suspend(ID, { kind: "question", text: "Second?" });
    await commitments.resume(ID);
    const { facts } = await refusalOf(commitments.answer(ID, { answer: "x" }), "commitment-question");
    expect(facts.open).toEqual(["q1", "q2"]);
    await commitments.answer(ID, { question: "q2", answer: "b" });
    const view = await commitments.answer(ID, { answer: "a" });
    expect(view.questions.map(({ answer }) => answer)).toEqual(["a", "b"]);
    expect(view.urgency.reasons.map(({ why }) => why)).toContain("an answer has come in");
  });
});
