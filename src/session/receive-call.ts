/**
 * Owns the two ends of a call: its id, its record and its turn when it arrives, its result when it leaves.
 * Leaves everything between to the other stations. Rule: the place in the order is taken at once, before anything is
 * waited for, so that calls that are made one after another stand in that order.
 */
import type { Call, CallOptions } from "../contract/call.ts";
import type { Mode } from "../contract/decision.ts";
import type { ToolOutput } from "../contract/output.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { CallIds } from "./call-ids.ts";
import type { CallRecord, CallRecords } from "./call-records.ts";
import type { CallResult } from "./session.ts";
import type { Tell } from "./session-events.ts";
import type { Turns } from "./turns.ts";

export interface Reception {
  readonly ids: CallIds;
  readonly records: CallRecords;
  readonly turns: Turns;
  readonly tell: Tell;
  readonly mode: Mode;
}

export function receiveCalls(reception: Reception): Wrapper {
  const { ids, records, turns, tell, mode } = reception;
  return (next) => async (call, options) => {
    const id = ids.give(call.id);
    const received: Call = { ...call, id };
    const record = records.open({ id, call: received, turn: turns.take(records.current()?.turn) });
    const name = showName(call.name);
    try {
      tell({ type: "call-started", id, name, args: call.args });
      const passed = { ...options, ...tellProgress({ id, name }, options, tell) };
      const output = await records.within(record, () => next(received, passed));
      const result = finishResult(output, { id, mode, record });
      tell({ type: "call-ended", id, name, result, durationMs: Date.now() - record.startedAtMs });
      return result;
    } finally {
      record.turn.end();
      records.close(record);
    }
  };
}

function tellProgress(
  of: { id: string; name: string },
  options: CallOptions | undefined,
  tell: Tell,
): Pick<CallOptions, "onProgress"> {
  return {
    onProgress(text) {
      tell({ type: "call-progress", ...of, text });
      options?.onProgress?.(text);
    },
  };
}

/** What a call of a session gives, from an output that has been through it; also for one that never got in. */
export function finishResult(
  output: ToolOutput,
  { id, mode, record }: { id: string; mode: Mode; record?: CallRecord },
): CallResult {
  const windowed = record?.plan?.windowed;
  return {
    ...output,
    id,
    ...(windowed?.omitted === undefined
      ? {}
      : { window: { totalChars: windowed.totalChars, omitted: windowed.omitted } }),
    decision: record?.decision ?? { outcome: "none", mode },
  };
}

function showName(name: unknown): string {
  return String(name).toWellFormed().slice(0, 100).toWellFormed();
}
