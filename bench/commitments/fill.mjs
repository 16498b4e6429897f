/**
 * Owns a ledger with many commitments, each with a life of its own.
 * Leaves measuring to run.mjs. Rule: written through the verbs' own events, so that the rows are those of real use.
 */

const CRITERIA = [
  { id: "c1", statement: "the report is there", kind: "file-exists", required: true, path: "report.md" },
  { id: "c2", statement: "the tests pass", kind: "shell", required: true, command: "npm test" },
  { id: "c3", statement: "somebody has read it", kind: "attestation", required: false, by: "Ada" },
];
const SEEN = {
  path: "report.md",
  real: "report.md",
  kind: "file",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  bytes: 4,
};

/** Twenty events: a start, seven episodes with a check in each third, a question in the middle, and for half of them the end. */
function lifeOf(number, root) {
  const terms = {
    objective: `Keep promise number ${number}, which somebody wrote down in a sentence of some length`,
    evidence: "observed",
    criteria: CRITERIA,
    deadline: `2027-0${1 + (number % 9)}-15T12:00:00Z`,
    stakes: ["low", "normal", "high", "critical"][number % 4],
    stallLimit: 3,
    pinned: number % 50 === 0,
  };
  const episode = (outcome) => [
    { kind: "episode-started", sessionId: `2026-11-30-00000000${number % 10}` },
    {
      kind: "episode-ended",
      outcome,
      summary: `worked on part ${number} and wrote down what came of it`,
      usd: 0.12,
    },
  ];
  const check = (criterion, result, rest) => ({ kind: "criterion-evaluated", criterion, result, ...rest });
  return [
    { kind: "opened", terms, agentId: "main", root },
    ...episode("learned"),
    ...episode("advanced"),
    check("c1", "failed", { why: "there is no report.md" }),
    { kind: "suspended", on: { kind: "question", question: "q1", text: "Which region is it for?" } },
    { kind: "question-answered", question: "q1", answer: "Europe, and later the rest" },
    ...episode("advanced"),
    check("c1", "passed", { evidence: { paths: [SEEN] } }),
    check("c2", "failed", { why: "exit code 1, call 2026-11-30-1f3a/call_7" }),
    ...episode(number % 7 === 0 ? "stalled" : "advanced"),
    ...episode(number % 7 === 0 ? "stalled" : "learned"),
    check("c1", "passed", { evidence: { paths: [SEEN] } }),
    check("c2", "passed", { evidence: { paths: [SEEN], call: "2026-11-30-1f3a/call_9" } }),
    { kind: "episode-started", sessionId: "2026-11-30-000000009" },
    number % 2 === 0
      ? { kind: "closed", verdict: "partial", why: "as far as it went" }
      : { kind: "episode-ended", outcome: "advanced", summary: "a little more of it", usd: 0.02 },
  ];
}

/** Events of all commitments, mixed as they come in over time. */
export function fillLog(log, { count, root }) {
  const lives = Array.from({ length: count }, (_, number) => ({
    id: `${number.toString(16).padStart(4, "0")}c0ffee`.padEnd(32, "0"),
    events: lifeOf(number, root),
  }));
  const longest = Math.max(...lives.map(({ events }) => events.length));
  let total = 0;
  for (let at = 0; at < longest; at++)
    log.append(() =>
      lives.flatMap(({ id, events }) => {
        const event = events[at];
        if (event === undefined) return [];
        total += 1;
        const { kind, ...rest } = event;
        const atMs = Date.UTC(2026, 10, 1) + at * 3_600_000;
        return [{ commitment: id, kind, atMs, body: JSON.stringify({ ...rest, actor: "session s1" }) }];
      }),
    );
  return total;
}
