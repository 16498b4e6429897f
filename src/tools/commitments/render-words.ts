/**
 * Owns the lines about one commitment that the list and the page of it share.
 * Leaves their order to those. Rule: one line each, whatever stands in an objective, an answer or a name.
 */
import type { CommitmentView, CriterionView } from "../../contract/commitment-view.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { clipMiddle, formatCount } from "../../text/search-summary.ts";

/** Characters of a text in a list: a line or two. */
const IN_LIST = 200;
/** As many as there may be. */
const WHOLE = Number.MAX_SAFE_INTEGER;

export interface Wording {
  /** Cuts long texts in their middle: only in lists. */
  readonly longest: number;
}
export const LISTED: Wording = { longest: IN_LIST };
export const SHOWN_WHOLE: Wording = { longest: WHOLE };

export function say(text: string, { longest }: Wording): string {
  return keepOnOneLine(text.length <= longest ? text : clipMiddle(text, longest));
}

export function tellHolds({ holds }: CommitmentView, wording: Wording): string[] {
  return holds.map(({ why }) => say(why, wording));
}

/** `urgency 65: due 2026-10-31T23:59:59Z, within a day (40); stakes high (20); …`. */
export function tellUrgency({ urgency }: CommitmentView): string {
  const reasons = urgency.reasons.map(({ why, points }) => `${why} (${points})`);
  return `urgency ${urgency.points}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}`;
}

/** `1 of 2 required criteria proven; observed or better is asked for`. */
export function tellProven({ criteria, commitment, lacking }: CommitmentView): string {
  const required = criteria.filter(({ criterion }) => criterion.required);
  const proven = required.filter(({ needs }) => needs === undefined);
  const counts = `${formatCount(proven.length)} of ${formatCount(required.length)} required criteria proven`;
  const end = lacking.length === 0 ? "; it can close as fulfilled" : "";
  return `${counts}, with evidence that is ${commitment.evidence} or better${end}`;
}

/** `c1 failed (exit code 1): the tests pass; needs exit code 0 of npm test`. */
export function tellCriterion(view: CriterionView, wording: Wording): string {
  const { criterion, state, why, needs } = view;
  const because = why === undefined ? tellEvidence(view, wording) : why;
  const optional = criterion.required ? "" : ", optional";
  const head = `${criterion.id} ${state}${because === "" ? "" : ` (${say(because, wording)})`}${optional}`;
  const end = needs === undefined ? "" : `; needs ${say(needs, wording)}`;
  return `${head}: ${say(criterion.statement, wording)}${end}`;
}

/** What a pass rests on: `observed: report.txt, call s1/call_7`. */
function tellEvidence({ state, strength, evidence }: CriterionView, { longest }: Wording): string {
  if (state !== "passed") return "";
  const paths = evidence?.paths.map(({ path }) => path) ?? [];
  const some = longest === WHOLE ? paths : paths.slice(0, 3);
  const more = paths.length - some.length;
  const parts = [
    ...some,
    ...(more > 0 ? [`${formatCount(more)} more`] : []),
    ...(evidence?.call === undefined ? [] : [`call ${evidence.call}`]),
    ...(evidence?.by === undefined ? [] : [`by ${evidence.by}`]),
    ...(evidence?.words === undefined ? [] : [evidence.words]),
  ];
  return parts.length === 0 ? strength : `${strength}: ${parts.join(", ")}`;
}

/** `fulfilled 2026-10-31T12:00:00Z by a person: shipped`. */
export function tellClosing({ closing }: CommitmentView, wording: Wording): string {
  if (closing === undefined) return "";
  const { verdict, at, actor, why, by } = closing;
  const successor = by === undefined ? "" : ` by ${by}`;
  return `${verdict}${successor}, ${at}, by ${say(actor, wording)}${why === undefined ? "" : `: ${say(why, wording)}`}`;
}
