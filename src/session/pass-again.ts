/**
 * Owns a host's wrapper that passes a call on more than once: each time a tool runs is a call of its own.
 * Leaves wrappers to the host. Rule: the first time has the call's own id, each later one an id of its own, and all
 * are in the ledger.
 */
import type { Wrapper } from "../toolset/dispatch.ts";
import type { CallIds } from "./call-ids.ts";
import { endRecord, type Recording } from "./record-calls.ts";

export function countPasses(of: { readonly ids: CallIds; readonly recording: Recording }): Wrapper {
  const { ids, recording } = of;
  const { records } = recording;
  return (next) => async (call, options) => {
    const first = records.get(call);
    if (!first.hasPassed) {
      first.hasPassed = true;
      return next(call, options);
    }
    const id = ids.give(undefined);
    const again = records.open({ id, call: { ...call, id }, turn: first.turn });
    again.hasPassed = true;
    try {
      return await records.within(again, () =>
        endRecord(recording, again, { act: () => next(again.call, options), options, leaves: false }),
      );
    } finally {
      records.close(again);
      // What it showed and changed counts with the call that leaves.
      first.given.push(...again.given);
      first.decision = again.decision ?? first.decision;
    }
  };
}
