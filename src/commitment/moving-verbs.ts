/**
 * Owns the verbs that move a commitment on: episodes, waiting, blocking, answering, closing.
 * Leaves whether one may be done to judge-event.ts. Rule: what a host says is checked before the log is asked.
 */
import { EPISODE_OUTCOMES, VERDICTS } from "../contract/commitment.ts";
import { refuse } from "../contract/refusal.ts";
import type { Commitments } from "./commitments.ts";
import type { Kernel } from "./kernel.ts";
import { type CommitmentState, findAwaited } from "./project.ts";
import { raise, refuseInput, requireText } from "./refuse-verb.ts";
import { readInstant } from "./terms.ts";
import { readWait } from "./wait-input.ts";

type MovingVerbs = Pick<
  Commitments,
  | "startEpisode"
  | "endEpisode"
  | "suspend"
  | "resume"
  | "block"
  | "unblock"
  | "answer"
  | "supersede"
  | "close"
>;

export function movingVerbs({ act, get, request: { sessionId } }: Kernel): MovingVerbs {
  const because = (why: string | undefined) => (why === undefined ? {} : { why: requireText("why", why) });
  return {
    startEpisode: async (id) =>
      act(id, () => ({ kind: "episode-started", ...(sessionId === undefined ? {} : { sessionId }) })),
    async endEpisode(id, { outcome, summary, usd }) {
      if (!EPISODE_OUTCOMES.includes(outcome))
        throw refuseInput("outcome", `must be one of ${EPISODE_OUTCOMES.join(", ")}`);
      if (usd !== undefined && !(Number.isFinite(usd) && usd >= 0))
        throw refuseInput("usd", "must be a number, 0 or more");
      return act(id, () => ({
        kind: "episode-ended",
        outcome,
        ...(summary === undefined ? {} : { summary: requireText("summary", summary) }),
        ...(usd === undefined ? {} : { usd }),
      }));
    },
    async suspend(id, on) {
      const wait = readWait(on, { readInstant, findId: (asked) => get(asked).commitment.id });
      return act(id, (state) => ({ kind: "suspended", on: wait(state) }));
    },
    resume: async (id, why) => act(id, () => ({ kind: "resumed", ...because(why) })),
    block: async (id, reason) => act(id, () => ({ kind: "blocked", reason: requireText("reason", reason) })),
    unblock: async (id, why) => act(id, () => ({ kind: "unblocked", ...because(why) })),
    async answer(id, { question, answer }) {
      const words = requireText("answer", answer);
      return act(id, (state) => ({
        kind: "question-answered",
        question: question ?? findOpenQuestion(state),
        answer: words,
      }));
    },
    async supersede(id, { by, why }) {
      const successor = get(by).commitment.id;
      return act(id, () => ({ kind: "superseded", by: successor, ...because(why) }));
    },
    async close(id, { verdict, why }) {
      if (!VERDICTS.includes(verdict)) throw refuseInput("verdict", `must be one of ${VERDICTS.join(", ")}`);
      return act(id, () => ({ kind: "closed", verdict, ...because(why) }));
    },
  };
}

/** The one that it waits on, else the only open one. */
function findOpenQuestion(state: CommitmentState): string {
  const open = state.questions.filter(({ answer }) => answer === undefined).map(({ id }) => id);
  const [first] = open;
  const awaited = findAwaited(state);
  if (awaited !== undefined) return awaited;
  if (first !== undefined && open.length === 1) return first;
  throw raise(
    refuse("commitment-question", { id: state.commitment.id, question: "", isAnswered: false, open }),
  );
}
