/**
 * Owns the way between the log's rows and the states that follow from them.
 * Leaves judging to judge-event.ts and keeping rows to the ledger. Rule: states are made from rows alone and brought up
 * to date before anything is decided; what was decided and not written is not in them.
 */
import type { CommitmentEvent, CommitmentLog, CommitmentRow, Happening } from "../contract/commitment.ts";
import { applyEvent, type Projection } from "./project.ts";

export interface NewEvent {
  readonly id: string;
  readonly happening: Happening;
}

export interface EventStore {
  /** Everything that is in the log now. */
  refresh(): Projection;
  /** In one transaction: what `decide` gives is appended, judged against all that stands before it. What it throws leaves the log as it was. */
  append(decide: (projection: Projection) => readonly NewEvent[]): void;
  /** Of one commitment, in order. */
  history(id: string): readonly CommitmentEvent[];
}

export function openEventStore(
  log: CommitmentLog,
  { actor, now }: { readonly actor: string; readonly now: () => number },
): EventStore {
  const projection: Projection = new Map();
  let lastSeq = 0;
  function take(rows: readonly CommitmentRow[]): void {
    for (const event of readRows(rows)) takeEvent(projection, event);
    lastSeq = rows.at(-1)?.seq ?? lastSeq;
  }
  const refresh = () => {
    for (const rows of eachBatch(log, lastSeq)) take(rows);
    return projection;
  };
  return {
    refresh,
    append(decide) {
      const rows = log.append(() => decide(refresh()).map((event) => makeRow(event, actor, now())));
      take(rows);
    },
    history: (id) =>
      [...eachBatch(log, 0)].flatMap((rows) => readRows(rows.filter(({ commitment }) => commitment === id))),
  };
}

/** Read so, thousands of rows are gone again before the next are made. */
const BATCH = 500;

function* eachBatch(log: CommitmentLog, after: number): Generator<readonly CommitmentRow[]> {
  for (let afterSeq = after; ; ) {
    const rows = log.read(afterSeq, BATCH);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
  }
}

function makeRow({ id, happening }: NewEvent, actor: string, atMs: number): Omit<CommitmentRow, "seq"> {
  const { kind, ...rest } = happening;
  return { commitment: id, kind, atMs, body: JSON.stringify({ ...rest, actor }) };
}

/** What a row says was checked when it was written, by some version: one that makes no sense to this one is left out. */
function takeEvent(projection: Projection, event: CommitmentEvent): void {
  try {
    applyEvent(projection, event);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Rows that this version cannot read are left out. */
function readRows(rows: readonly CommitmentRow[]): readonly CommitmentEvent[] {
  const bodies = readBodies(rows);
  return rows.flatMap((row, at) => readRow(row, bodies[at]) ?? []);
}

/** At once: parsing thousands of bodies one by one takes nearly twice as long. */
function readBodies(rows: readonly CommitmentRow[]): readonly unknown[] {
  try {
    const bodies = JSON.parse(`[${rows.map(({ body }) => body).join(",")}]`) as unknown[];
    if (bodies.length === rows.length) return bodies;
  } catch {
    // One of them is no JSON: the others are read all the same.
  }
  return rows.map(readBody);
}

function readBody({ body }: CommitmentRow): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function readRow({ seq, commitment, kind, atMs }: CommitmentRow, body: unknown): CommitmentEvent | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  // Written into what was just parsed: a copy of each event costs as much as reading it.
  return Object.assign(body, { kind, seq, commitment, atMs }) as CommitmentEvent;
}
