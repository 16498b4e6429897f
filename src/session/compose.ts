/**
 * Owns the way of a call through a session, as one visible list.
 * Leaves each station to its file, the gate and the runner to the toolset. Rule: nothing reaches a tool but through
 * this list; the gate stands again behind every station that may pass on a call of its own making.
 */
import type { Permission } from "../permission/permission.ts";
import type { Gate, Stations, Wrapper } from "../toolset/dispatch.ts";
import type { Mounted } from "../toolset/mounted.ts";
import { guardWrappers } from "./host-wrappers.ts";
import { countPasses } from "./pass-again.ts";
import { type Reception, receiveCalls } from "./receive-call.ts";
import { type Recording, recordEnd, recordStart } from "./record-calls.ts";
import { runInside } from "./run-inside.ts";
import { retakeTurns, takeTurns } from "./take-turn.ts";

export interface Way {
  readonly mounted: Mounted;
  readonly gate: Gate;
  readonly reception: Reception;
  readonly recording: Recording;
  readonly permission: Permission;
  /** The host's own, outermost first. */
  readonly use: readonly Wrapper[];
}

export function composeSession(way: Way): Stations {
  const { mounted, gate, reception, recording } = way;
  const turns = { mounted, gate, records: recording.records };
  return {
    around: [
      // id and record in, result out; events
      receiveCalls(reception),
      // the ledger's second entry, and the window that the request carries
      recordEnd(recording),
      // the schedule
      takeTurns(turns),
      // … the gate: arguments …
    ],
    between: [
      // the host's own, which may hang
      ...guardWrappers(way.use),
      // a wrapper that passed its call on twice
      countPasses({ ids: reception.ids, recording }),
      // a wrapper that made the call touch more
      retakeTurns(turns),
      askPermission(way),
      // the ledger's first entry
      recordStart(recording, gate.find),
      // what the tool keeps and shows
      runInside(mounted, recording.records),
      // … the tool …
    ],
  };
}

function askPermission({ mounted, gate, permission, recording, reception }: Way): Wrapper {
  const { records } = recording;
  return permission.station({
    mounted,
    find: gate.find,
    onDecision(call, decision) {
      const record = records.get(call);
      record.prepared = gate.find(call);
      record.decision = decision;
    },
    onAsk(call, { reason, effects, rule, suggestedRule }) {
      reception.tell({
        type: "call-asked",
        id: records.get(call).id,
        name: call.name,
        reason,
        effects,
        ...(rule === undefined ? {} : { rule }),
        ...(suggestedRule === undefined ? {} : { suggestedRule }),
      });
    },
  });
}
