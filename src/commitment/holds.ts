/**
 * Owns why a commitment does not go on by itself.
 * Leaves how urgent it is to urgency.ts. Rule: one table, in the order in which reasons are told; each says what it
 * waits for, in words that name it.
 */
import type { Wait } from "../contract/commitment.ts";
import type { HoldKind, HoldView } from "../contract/commitment-view.ts";
import { countOf } from "../text/search-summary.ts";
import type { CommitmentState } from "./project.ts";

export interface HoldFacts {
  readonly state: CommitmentState;
  readonly nowMs: number;
  /** How another commitment is told: its short id and what became of it. */
  readonly tell: (id: string) => string;
}

const HOLDS: Readonly<Record<HoldKind, (facts: HoldFacts) => string | undefined>> = {
  question({ state: { waitsFor } }) {
    return waitsFor?.kind === "question"
      ? `waits on a person to answer ${waitsFor.question}: ${waitsFor.text}`
      : undefined;
  },
  suspended({ state: { waitsFor }, tell, nowMs }) {
    return waitsFor === undefined || waitsFor.kind === "question"
      ? undefined
      : tellWait(waitsFor, { tell, nowMs });
  },
  blocked: ({ state: { blockedBy } }) => (blockedBy === undefined ? undefined : `blocked: ${blockedBy}`),
  stalled({ state: { episodes, commitment } }) {
    return episodes.withoutProgress >= commitment.stallLimit
      ? `stalled: ${countOf(episodes.withoutProgress, "episode")} without progress, at most ${commitment.stallLimit}`
      : undefined;
  },
  budget: tellBudget,
  expired({ state: { commitment }, nowMs }) {
    return commitment.deadline !== undefined && Date.parse(commitment.deadline) < nowMs
      ? `overdue: it was due ${commitment.deadline}`
      : undefined;
  },
};

function tellWait(
  waitsFor: Exclude<Wait, { kind: "question" }>,
  { tell, nowMs }: Pick<HoldFacts, "tell" | "nowMs">,
): string {
  switch (waitsFor.kind) {
    case "schedule":
      return Date.parse(waitsFor.until) <= nowMs
        ? `was suspended until ${waitsFor.until}, which has come`
        : `suspended until ${waitsFor.until}`;
    case "condition":
      return `suspended until this holds: ${waitsFor.text}`;
    case "commitment":
      return `waits for the commitment ${tell(waitsFor.id)}`;
    case "operation":
      return `waits for what runs outside: ${waitsFor.text}`;
  }
}

function tellBudget({ state: { episodes, commitment } }: HoldFacts): string | undefined {
  const { episodes: most, usd } = commitment.budget ?? {};
  const told = [
    most !== undefined && episodes.ended >= most
      ? `${episodes.ended} of ${countOf(most, "episode")}`
      : undefined,
    usd !== undefined && episodes.usd >= usd ? `${showUsd(episodes.usd)} of ${showUsd(usd)} USD` : undefined,
  ].filter((part) => part !== undefined);
  return told.length === 0 ? undefined : `over budget: ${told.join(", ")}`;
}

/** Sums of fractions are not exact. */
export function showUsd(usd: number): string {
  return String(Math.round(usd * 1e6) / 1e6);
}

export function listHolds(facts: HoldFacts): readonly HoldView[] {
  if (facts.state.phase === "closed" || facts.state.phase === "proposed") return [];
  return (Object.keys(HOLDS) as HoldKind[]).flatMap((kind) => {
    const why = HOLDS[kind](facts);
    return why === undefined ? [] : [{ kind, why }];
  });
}
