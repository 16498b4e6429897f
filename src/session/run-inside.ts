/**
 * Owns the station right around the tool: what it keeps and shows goes to the record of its call.
 * Leaves running to the toolset. Rule: the tool runs in the context of its own call, whatever context a host's
 * wrapper passed it on in.
 */
import type { Ports } from "../contract/context.ts";
import type { LedgerSession } from "../ledger/ledger-session.ts";
import { isInside, showBelow } from "../root/containment.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { Mounted } from "../toolset/mounted.ts";
import type { CallRecords } from "./call-records.ts";

export function runInside(mounted: Mounted, records: CallRecords): Wrapper {
  return (next) => async (call, options) => {
    const record = records.get(call);
    const output = await records.within(record, () => next(call, options));
    record.given.push({ content: output.content, sights: mounted.seen.sightsOf(output) });
    return output;
  };
}

/** Keeps old bytes for the call in which they are about to change. What cannot be kept is not changed: it throws. */
export function keepOldBytes(of: {
  readonly root: string;
  readonly records: CallRecords;
  readonly ledger: LedgerSession;
}): NonNullable<Ports["keepOldBytes"]> {
  return (file, bytes) => {
    const record = of.records.current();
    if (record === undefined) return;
    const hash = of.ledger.keepBytes(bytes);
    const path = isInside(of.root, file) ? showBelow(of.root, file) : file;
    record.oldBytes.push({ path, hash, bytes: bytes.byteLength });
  };
}
