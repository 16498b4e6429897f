/**
 * Owns what follows from events: the state of each commitment.
 * Leaves whether an event may be appended to judge-event.ts, and views to show-commitment.ts. Rule: total. Any events
 * give a state, the same events the same one; what the table of transitions refuses, what belongs to no commitment and
 * what a later version wrote are passed over, so that no log can make reading fail.
 */
import type {
  CheckResult,
  Commitment,
  CommitmentEvent,
  CommitmentTerms,
  EpisodeOutcome,
  Evidence,
  Happening,
  Phase,
  Verdict,
  Wait,
} from "../contract/commitment.ts";
import { findNextPhase, findTrigger } from "./transitions.ts";

export interface Evaluation {
  readonly result: CheckResult;
  readonly why: string | undefined;
  readonly evidence: Evidence | undefined;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly answer: string | undefined;
}

export interface Closing {
  readonly verdict: Verdict;
  readonly why: string | undefined;
  readonly atMs: number;
  readonly actor: string;
  readonly by: string | undefined;
}

export interface Episodes {
  readonly ended: number;
  readonly isRunning: boolean;
  /** In a row, up to now. */
  readonly withoutProgress: number;
  readonly usd: number;
  readonly last: { readonly outcome: EpisodeOutcome; readonly summary?: string } | undefined;
}

export interface CommitmentState {
  readonly commitment: Commitment;
  readonly agentId: string;
  readonly root: string;
  readonly phase: Phase;
  /** The latest of each criterion. */
  readonly evaluations: Readonly<Record<string, Evaluation>>;
  readonly questions: readonly Question[];
  readonly waitsFor: Wait | undefined;
  readonly blockedBy: string | undefined;
  readonly episodes: Episodes;
  readonly closing: Closing | undefined;
  /** An answer that no episode has taken up yet. */
  readonly hasNews: boolean;
  /** When something last happened to it. */
  readonly lastAtMs: number;
  /** The number of its first event, and of its last one. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export type Projection = Map<string, CommitmentState>;

export function project(events: Iterable<CommitmentEvent>): Projection {
  const projection: Projection = new Map();
  for (const event of events) applyEvent(projection, event);
  return projection;
}

/** Takes one more event into account. The state of its commitment is changed in place, its parts never are. */
export function applyEvent(projection: Projection, event: CommitmentEvent): void {
  const before = projection.get(event.commitment);
  if (before !== undefined) {
    advance(before, event);
    return;
  }
  const begun = begin(event);
  if (begun !== undefined) projection.set(event.commitment, begun);
}

function begin(event: CommitmentEvent): CommitmentState | undefined {
  if ((event.kind !== "proposed" && event.kind !== "opened") || event.terms === undefined) return undefined;
  const isOpen = event.kind === "opened";
  return {
    commitment: makeCommitment(event.commitment, event.terms, isOpen ? event.atMs : undefined),
    agentId: event.agentId,
    root: event.root,
    phase: isOpen ? "active" : "proposed",
    evaluations: {},
    questions: [],
    waitsFor: undefined,
    blockedBy: undefined,
    episodes: { ended: 0, isRunning: false, withoutProgress: 0, usd: 0, last: undefined },
    closing: undefined,
    hasNews: false,
    lastAtMs: event.atMs,
    firstSeq: event.seq,
    lastSeq: event.seq,
  };
}

function makeCommitment(id: string, terms: CommitmentTerms, openedAtMs: number | undefined): Commitment {
  return { id, ...terms, ...(openedAtMs === undefined ? {} : { opened: showInstant(openedAtMs) }) };
}

/** ISO 8601 in UTC, to the second. */
export function showInstant(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().replace(/\.\d{3}Z$/, "Z");
}

type Changing = { -readonly [K in keyof CommitmentState]: CommitmentState[K] };

function advance(state: Changing, event: CommitmentEvent): void {
  const trigger = findTrigger(event, findAwaited(state));
  const phase = findNextPhase(state.phase, trigger);
  if (phase === undefined) return;
  Object.assign(state, changesOf(state, event));
  state.phase = phase;
  // Clocks of processes differ; time never runs backwards here.
  state.lastAtMs = Math.max(state.lastAtMs, event.atMs);
  state.lastSeq = event.seq;
}

/** The question that it is suspended on. */
export function findAwaited(state: CommitmentState): string | undefined {
  return state.waitsFor?.kind === "question" ? state.waitsFor.question : undefined;
}

type Changes = Partial<CommitmentState>;
type Change<K extends Happening["kind"]> = (
  state: CommitmentState,
  event: Extract<CommitmentEvent, { kind: K }>,
) => Changes;

const CHANGES: { readonly [K in Happening["kind"]]: Change<K> } = {
  proposed: () => ({}),
  opened: ({ commitment }, { atMs }) => ({ commitment: { ...commitment, opened: showInstant(atMs) } }),
  "episode-started": ({ episodes }) => ({ hasNews: false, episodes: { ...episodes, isRunning: true } }),
  "episode-ended": ({ episodes }, event) => ({ episodes: endEpisode(episodes, event) }),
  suspended: ({ questions }, { on }) => ({
    waitsFor: on,
    ...(on.kind === "question"
      ? { questions: [...questions, { id: on.question, text: on.text, answer: undefined }] }
      : {}),
  }),
  resumed: () => ({ waitsFor: undefined }),
  blocked: (_, { reason }) => ({ blockedBy: reason }),
  unblocked: () => ({ blockedBy: undefined }),
  "criterion-evaluated": ({ evaluations }, { criterion, result, why, evidence }) => ({
    // What a pass rested on stays to be seen once it is outdated.
    evaluations: {
      ...evaluations,
      [criterion]: {
        result,
        why,
        evidence: evidence ?? (result === "outdated" ? getOwn(evaluations, criterion)?.evidence : undefined),
      },
    },
  }),
  "question-answered": (state, { question, answer }) => ({
    hasNews: true,
    waitsFor: findAwaited(state) === question ? undefined : state.waitsFor,
    questions: state.questions.map((one) => (one.id === question ? { ...one, answer } : one)),
  }),
  superseded: (_, { by, why, atMs, actor }) => ({
    closing: { verdict: "superseded", why, atMs, actor, by },
  }),
  closed: (_, { verdict, why, atMs, actor }) => ({ closing: { verdict, why, atMs, actor, by: undefined } }),
};

function changesOf(state: CommitmentState, event: CommitmentEvent): Changes {
  const change = CHANGES[event.kind] as Change<Happening["kind"]>;
  return change(state, event);
}

function endEpisode(
  episodes: Episodes,
  { outcome, summary, usd = 0 }: Extract<Happening, { kind: "episode-ended" }>,
): Episodes {
  const isProgress = outcome === "advanced" || outcome === "learned";
  return {
    ended: episodes.ended + 1,
    isRunning: false,
    withoutProgress: isProgress ? 0 : episodes.withoutProgress + 1,
    usd: episodes.usd + usd,
    last: summary === undefined ? { outcome } : { outcome, summary },
  };
}

/** A criterion may be named `__proto__`. */
export function getOwn<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
