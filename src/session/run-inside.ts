/**
 * Owns the station right around the tool: what it keeps and shows goes to the record of its call.
 * Leaves running to the toolset. Rule: the tool runs in the context of its own call, whatever context a host's
 * wrapper passed it on in.
 */
import type { Ports } from "../contract/context.ts";
import type { ToolOutput } from "../contract/output.ts";
import { refuse } from "../contract/refusal.ts";
import type { LedgerSession } from "../ledger/ledger-session.ts";
import { isInside, showBelow } from "../root/containment.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import { isDefined } from "../toolset/define-tool.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { Mounted } from "../toolset/mounted.ts";
import { renderRefusal } from "../toolset/render-output.ts";
import type { CallRecord, CallRecords } from "./call-records.ts";

export function runInside(mounted: Mounted, records: CallRecords): Wrapper {
  return (next) => async (call, options) => {
    const record = records.get(call);
    const output = await records.within(record, () => next(call, options));
    const told = tellUnkept(mounted, record, output);
    record.given.push({ content: told.content, sights: mounted.seen.sightsOf(told) });
    return told;
  };
}

/** A change that was not made, because nothing could have brought back what it changes, is no internal error. */
function tellUnkept(mounted: Mounted, { prepared, unkept }: CallRecord, output: ToolOutput): ToolOutput {
  if (unkept === undefined || prepared === undefined || !output.isError || output.refusal.code !== "fault")
    return output;
  const { tool, name, notes } = prepared;
  const refusal = refuse("fault", {
    tool: name,
    message: `it was not done, because ${unkept}`,
    cause: output.refusal.facts.cause,
  });
  // Haft's own tools keep before they change anything; what else a host's own has done nobody knows.
  return renderRefusal({ refusal, mounted, notes, ...(isDefined(tool) ? { tool } : {}) });
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
    const path = isInside(of.root, file) ? showBelow(of.root, file) : file;
    try {
      record.oldBytes.push({ path, hash: of.ledger.keepBytes(bytes), bytes: bytes.byteLength });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      record.unkept = `its old bytes could not be kept (${keepOnOneLine(path)}): ${why}`.toWellFormed();
      // Without a code of its own: what has one is taken for the system's word about a path, and the change goes on.
      throw new Error(record.unkept, { cause: error });
    }
  };
}
