/**
 * Owns the list of commitments as text. Leaves their order to whoever made the list.
 * Rule: counts first; then what is held, since it needs somebody; then what can go on; each with what it still needs.
 */
import type { CommitmentList, CommitmentView, HoldKind } from "../../contract/commitment-view.ts";
import { countOf, formatCount } from "../../text/search-summary.ts";
import {
  LISTED,
  say,
  tellClosing,
  tellCriterion,
  tellHolds,
  tellProven,
  tellUrgency,
} from "./render-words.ts";

/** How holds are counted in the first line, in this order. */
const HOLD_WORDS: Readonly<Record<HoldKind, (count: number) => string>> = {
  question: (count) => `${formatCount(count)} ${count === 1 ? "waits" : "wait"} on a person`,
  suspended: (count) => `${formatCount(count)} suspended`,
  blocked: (count) => `${formatCount(count)} blocked`,
  stalled: (count) => `${formatCount(count)} stalled`,
  budget: (count) => `${formatCount(count)} over budget`,
  expired: (count) => `${formatCount(count)} overdue`,
};

/** `more` is the call that lists the closed ones too. */
export function renderList(list: CommitmentList, more?: string): string {
  const { open, closed } = list;
  const proposed = open.filter(({ phase }) => phase === "proposed");
  const accepted = open.filter(({ phase }) => phase !== "proposed");
  const held = accepted.filter(({ holds }) => holds.length > 0);
  const free = accepted.filter(({ holds }) => holds.length === 0);
  return [
    renderHead(list, { accepted, proposed }, more),
    ...renderSection("held, each by what is told below it:", held.map(renderOpen)),
    ...renderSection("open, the most urgent first:", free.map(renderOpen)),
    ...renderSection("proposed, and counting for nothing until accepted:", proposed.map(renderProposed)),
    ...renderSection("closed, the latest first:", closed.map(renderClosed)),
  ].join("\n");
}

function renderHead(
  { closedTotal }: CommitmentList,
  {
    accepted,
    proposed,
  }: { readonly accepted: readonly CommitmentView[]; readonly proposed: readonly unknown[] },
  more: string | undefined,
): string {
  const kinds = Object.keys(HOLD_WORDS) as HoldKind[];
  const holds = kinds.flatMap((kind) => {
    const count = accepted.filter((view) => view.holds.some((hold) => hold.kind === kind)).length;
    return count === 0 ? [] : [HOLD_WORDS[kind](count)];
  });
  const parts = [
    `${countOf(accepted.length, "commitment")} open${holds.length === 0 ? "" : ` (${holds.join(", ")})`}`,
    ...(proposed.length === 0 ? [] : [`${formatCount(proposed.length)} proposed`]),
    `${formatCount(closedTotal)} closed${more === undefined ? "" : `: ${more} lists them`}`,
  ];
  return parts.join(", ");
}

function renderSection(title: string, blocks: readonly (readonly string[])[]): string[] {
  return blocks.length === 0 ? [] : ["", title, ...blocks.flat()];
}

function renderTitle({ shortId, commitment }: CommitmentView): string {
  return `${shortId} ${say(commitment.objective, LISTED)}`;
}

function renderOpen(view: CommitmentView): string[] {
  // What counts already is one line of its page; what is missing is what there is to do.
  const missing = view.criteria.filter(({ needs }) => needs !== undefined);
  return [
    renderTitle(view),
    ...[
      ...tellHolds(view, LISTED),
      tellUrgency(view),
      tellProven(view),
      ...missing.map((one) => tellCriterion(one, LISTED)),
    ].map((line) => `  ${line}`),
  ];
}

function renderProposed(view: CommitmentView): string[] {
  return [renderTitle(view), ...view.criteria.map((one) => `  ${tellCriterion(one, LISTED)}`)];
}

function renderClosed(view: CommitmentView): string[] {
  return [
    `${renderTitle(view)}`,
    `  ${tellClosing(view, LISTED)}`,
    ...view.criteria.map((one) => `  ${tellCriterion(one, LISTED)}`),
  ];
}
