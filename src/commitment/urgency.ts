/**
 * Owns how urgent a commitment is, and why.
 * Leaves what holds it to holds.ts. Rule: one table of factors, each with its points and its words, so that the order
 * can be read off; words name points in time and never a length of it, since they are shown as they stand.
 */
import type { Stakes } from "../contract/commitment.ts";
import type { CommitmentView, UrgencyFactor, UrgencyView } from "../contract/commitment-view.ts";
import { countOf } from "../text/search-summary.ts";
import { showInstant } from "./project.ts";

export interface UrgencyFacts {
  readonly pinned: boolean;
  /** ISO 8601. */
  readonly deadline: string | undefined;
  readonly stakes: Stakes;
  /** Others that wait for it. */
  readonly waiters: number;
  /** Somebody answered, and nobody has gone on since. */
  readonly hasNews: boolean;
  readonly lastAtMs: number;
  readonly nowMs: number;
}

interface Rating {
  readonly points: number;
  readonly why: string;
}

const DAY_MS = 86_400_000;

/** The first row whose time has come. */
const DEADLINES: readonly { readonly withinMs: number; readonly points: number; readonly words: string }[] = [
  { withinMs: 0, points: 50, words: "overdue" },
  { withinMs: DAY_MS, points: 40, words: "within a day" },
  { withinMs: 7 * DAY_MS, points: 25, words: "within a week" },
  { withinMs: Number.POSITIVE_INFINITY, points: 5, words: "later than a week" },
];
const STAKES_POINTS: Readonly<Record<Stakes, number>> = { low: 0, normal: 10, high: 20, critical: 40 };
const IDLE: readonly { readonly afterMs: number; readonly points: number; readonly words: string }[] = [
  { afterMs: 7 * DAY_MS, points: 10, words: "more than a week" },
  { afterMs: DAY_MS, points: 5, words: "more than a day" },
];
const WAITER_POINTS = 10;
const MOST_WAITER_POINTS = 30;
const NEWS_POINTS = 15;

const FACTORS: Readonly<Record<UrgencyFactor, (facts: UrgencyFacts) => Rating | undefined>> = {
  pinned: ({ pinned }) => (pinned ? { points: 100, why: "pinned" } : undefined),
  deadline: rateDeadline,
  stakes: ({ stakes }) => ({ points: STAKES_POINTS[stakes], why: `stakes ${stakes}` }),
  waiting: rateWaiting,
  idle({ lastAtMs, nowMs }) {
    const row = IDLE.find(({ afterMs }) => nowMs - lastAtMs > afterMs);
    return row && { points: row.points, why: `idle since ${showInstant(lastAtMs)}, ${row.words}` };
  },
};

function rateDeadline({ deadline, nowMs }: UrgencyFacts): Rating | undefined {
  if (deadline === undefined) return undefined;
  const leftMs = Date.parse(deadline) - nowMs;
  const row = DEADLINES.find(({ withinMs }) => leftMs < withinMs);
  return row && { points: row.points, why: `due ${deadline}, ${row.words}` };
}

function rateWaiting({ waiters, hasNews }: UrgencyFacts): Rating | undefined {
  const others =
    waiters === 0 ? undefined : `${countOf(waiters, "other")} ${waiters === 1 ? "waits" : "wait"} for it`;
  const news = hasNews ? "an answer has come in" : undefined;
  const why = [others, news].filter((words) => words !== undefined).join(", ");
  if (why === "") return undefined;
  return {
    points: Math.min(MOST_WAITER_POINTS, waiters * WAITER_POINTS) + (hasNews ? NEWS_POINTS : 0),
    why,
  };
}

export function rateUrgency(facts: UrgencyFacts): UrgencyView {
  const reasons = (Object.keys(FACTORS) as UrgencyFactor[]).flatMap((factor) => {
    const rating = FACTORS[factor](facts);
    return rating === undefined ? [] : [{ factor, ...rating }];
  });
  return { points: reasons.reduce((sum, { points }) => sum + points, 0), reasons };
}

/** Held ones first, for they need somebody; then by points; of equals the one that is due first, then the older one. Proposals last. */
export function compareUrgency(one: CommitmentView, other: CommitmentView): number {
  return (
    Number(one.phase === "proposed") - Number(other.phase === "proposed") ||
    Number(other.holds.length > 0) - Number(one.holds.length > 0) ||
    other.urgency.points - one.urgency.points ||
    dueAtMs(one) - dueAtMs(other) ||
    0
  );
}

function dueAtMs({ commitment }: CommitmentView): number {
  // Finite, so that two without a deadline are equal.
  return commitment.deadline === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(commitment.deadline);
}
