/**
 * Owns one commitment as text, whole. Leaves lists to render-list.ts.
 * Rule: the first line says which it is and where it stands; nothing is cut.
 */
import type { CommitmentView } from "../../contract/commitment-view.ts";
import { countOf } from "../../text/search-summary.ts";
import {
  say,
  tellClosing,
  tellCriterion,
  tellHolds,
  tellProven,
  tellUrgency,
  SHOWN_WHOLE as WHOLE,
} from "./render-words.ts";

export function renderCommitment(view: CommitmentView): string {
  const { shortId, phase, commitment, criteria, lacking } = view;
  const counts = `${countOf(criteria.length, "criterion", "criteria")}, ${countOf(lacking.length, "thing")} missing`;
  const isClosed = phase === "closed";
  return [
    `${shortId}: ${isClosed ? `closed as ${view.closing?.verdict}` : `${phase}, ${counts}`}`,
    say(commitment.objective, WHOLE),
    ...(isClosed
      ? [tellClosing(view, WHOLE)]
      : [...tellHolds(view, WHOLE), tellUrgency(view), tellProven(view)]),
    ...criteria.map((one) => tellCriterion(one, WHOLE)),
    ...tellQuestions(view),
    ...tellEpisodes(view),
    tellTerms(view),
  ].join("\n");
}

function tellQuestions({ questions }: CommitmentView): string[] {
  return questions.map(({ id, text, answer }) =>
    say(`question ${id}: ${text} ${answer === undefined ? "(not answered)" : `Answer: ${answer}`}`, WHOLE),
  );
}

function tellEpisodes({ episodes, commitment }: CommitmentView): string[] {
  const { ended, isRunning, last, usd } = episodes;
  if (ended === 0 && !isRunning) return [];
  const latest =
    last === undefined
      ? ""
      : `; the last ${last.outcome}${last.summary === undefined ? "" : `: ${say(last.summary, WHOLE)}`}`;
  const budget = commitment.budget?.episodes === undefined ? "" : ` of ${commitment.budget.episodes}`;
  const spent = usd === 0 ? "" : `, ${Math.round(usd * 1e6) / 1e6} USD`;
  return [
    `${countOf(ended, "episode")}${budget} ended${spent}${isRunning ? ", one is running" : ""}${latest}`,
  ];
}

function tellTerms({ commitment, agentId }: CommitmentView): string {
  const { id, opened, deadline, stakes, stallLimit } = commitment;
  return [
    `id ${id}`,
    `agent ${agentId}`,
    ...(opened === undefined ? [] : [`opened ${opened}`]),
    ...(deadline === undefined ? [] : [`due ${deadline}`]),
    `stakes ${stakes}`,
    `held after ${countOf(stallLimit, "episode")} without progress`,
  ].join(", ");
}
