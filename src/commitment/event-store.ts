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
  function take(rows: readonly CommitmentRow[]): Projection {
    for (const row of rows) {
      const event = readRow(row);
      if (event !== undefined) applyEvent(projection, event);
      lastSeq = row.seq;
    }
    return projection;
  }
  const refresh = () => take(log.read(lastSeq));
  return {
    refresh,
    append(decide) {
      const rows = log.append(() => decide(refresh()).map((event) => makeRow(event, actor, now())));
      take(rows);
    },
    history: (id) =>
      log
        .read(0)
        .filter((row) => row.commitment === id)
        .flatMap((row) => readRow(row) ?? []),
  };
}

function makeRow({ id, happening }: NewEvent, actor: string, atMs: number): Omit<CommitmentRow, "seq"> {
  const { kind, ...rest } = happening;
  return { commitment: id, kind, atMs, body: JSON.stringify({ ...rest, actor }) };
}

/** Undefined for a row that this version cannot read. */
function readRow({ seq, commitment, kind, atMs, body }: CommitmentRow): CommitmentEvent | undefined {
  try {
    return { ...JSON.parse(body), kind, seq, commitment, atMs } as CommitmentEvent;
  } catch {
    return undefined;
  }
}
