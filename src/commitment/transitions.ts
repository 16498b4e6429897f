/**
 * Owns which event may happen in which phase, and the phase that follows.
 * Leaves everything else that an event must keep to judge-event.ts. Rule: one table; what has no cell is refused.
 */
import type { EventKind, Happening, Phase } from "../contract/commitment.ts";

/** Events as the table knows them: an evaluation by its result, an answer by whether the commitment waits for it. */
export type Trigger =
  | Exclude<EventKind, "criterion-evaluated" | "question-answered">
  | "criterion-passed"
  | "criterion-failed"
  | "criterion-unknown"
  | "criterion-outdated"
  | "awaited-answer"
  | "other-answer";

type Row = Readonly<Partial<Record<Phase | "none", Phase>>>;

/** What happens while nobody works on it, or to what is known of it, leaves the phase. */
const STAYS_OPEN: Row = {
  active: "active",
  suspended: "suspended",
  blocked: "blocked",
  satisfying: "satisfying",
};
const FALLS_BACK: Row = { ...STAYS_OPEN, satisfying: "active" };
const CLOSES: Row = {
  proposed: "closed",
  active: "closed",
  suspended: "closed",
  blocked: "closed",
  satisfying: "closed",
};

export const TRANSITIONS: Readonly<Record<Trigger, Row>> = {
  proposed: { none: "proposed" },
  opened: { none: "active", proposed: "active" },
  "episode-started": { active: "active", satisfying: "satisfying" },
  "episode-ended": STAYS_OPEN,
  suspended: { active: "suspended" },
  resumed: { suspended: "active" },
  blocked: { active: "blocked" },
  unblocked: { blocked: "active" },
  "criterion-passed": { ...STAYS_OPEN, active: "satisfying" },
  "criterion-failed": FALLS_BACK,
  "criterion-outdated": FALLS_BACK,
  "criterion-unknown": STAYS_OPEN,
  "awaited-answer": { suspended: "active" },
  "other-answer": STAYS_OPEN,
  superseded: CLOSES,
  closed: CLOSES,
};

/** Undefined where it may not happen. */
export function findNextPhase(phase: Phase | "none", trigger: Trigger): Phase | undefined {
  // A later version may know more events.
  return Object.hasOwn(TRANSITIONS, trigger) ? TRANSITIONS[trigger][phase] : undefined;
}

export function findTrigger(happening: Happening, awaited: string | undefined): Trigger {
  if (happening.kind === "criterion-evaluated") return `criterion-${happening.result}`;
  if (happening.kind === "question-answered")
    return happening.question === awaited ? "awaited-answer" : "other-answer";
  return happening.kind;
}

/** What may happen in a phase, in the words of events. */
export function listPossible(phase: Phase): readonly string[] {
  const triggers = Object.keys(TRANSITIONS) as Trigger[];
  const possible = triggers.filter((trigger) => findNextPhase(phase, trigger) !== undefined);
  return [...new Set(possible.map(nameEvent))];
}

function nameEvent(trigger: Trigger): EventKind {
  if (trigger === "awaited-answer" || trigger === "other-answer") return "question-answered";
  switch (trigger) {
    case "criterion-passed":
    case "criterion-failed":
    case "criterion-unknown":
    case "criterion-outdated":
      return "criterion-evaluated";
    default:
      return trigger;
  }
}
