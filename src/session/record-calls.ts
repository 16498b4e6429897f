/**
 * Owns the stations that write to the ledger: before the tool runs, and when the call has ended, whatever became of it.
 * Leaves what an entry is to the ledger. Rule: a call that cannot be recorded is not run; and what throws inside, a
 * host's wrapper for one, is a result here, so that it is recorded like any other.
 */
import type { Call, CallOptions } from "../contract/call.ts";
import type { Note, ToolOutput } from "../contract/output.ts";
import { refuse } from "../contract/refusal.ts";
import type { Patience } from "../ledger/wait-for-ledger.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { Mounted, PreparedCall } from "../toolset/mounted.ts";
import { renderRefusal } from "../toolset/render-output.ts";
import { refuseFault } from "../toolset/run.ts";
import type { CallRecord, CallRecords } from "./call-records.ts";
import type { EntryRecorder } from "./entry-recorder.ts";
import type { Carrier } from "./plan-carry.ts";
import type { FindRecalled, RecalledCall } from "./recalled-paths.ts";

export interface Recording {
  readonly mounted: Mounted;
  readonly records: CallRecords;
  readonly recorder: EntryRecorder;
  readonly carrier: Carrier;
  /** What a recall would show. */
  readonly recalled: FindRecalled;
  /** Whether what is recorded stays. */
  readonly isInPlace: () => boolean;
}

/** How long a cancelled call still waits to be recorded where another process holds the ledger. */
const GRACE_MS = 500;

/** The station right before the tool: the call begins. */
export function recordStart(recording: Recording, find: (call: Call) => PreparedCall | undefined): Wrapper {
  const { mounted, records } = recording;
  return (next) => async (call, options) => {
    const record = records.get(call);
    record.prepared = find(call);
    try {
      await enterStart(recording, record, { signal: options?.signal });
    } catch (error) {
      // It was cancelled while another process held the ledger.
      if (options?.signal?.aborted === true) throw error;
      record.entry = "failed";
      return refuseUnrecorded(mounted, call, error);
    }
    return next(call, options);
  };
}

/** The station around the gate: the call has ended, refused or denied ones too. */
export function recordEnd(recording: Recording): Wrapper {
  return (next) => async (call, options) => {
    const record = recording.records.get(call);
    const output = await endRecord(recording, record, {
      act: () => next(call, options),
      options,
      leaves: true,
    });
    const { windowed, notice } = record.plan ?? {};
    if (record.plan !== undefined) recording.mounted.seen.commit(record.plan.sights);
    if (notice === undefined)
      return windowed === undefined ? { ...output } : { ...output, content: windowed.text };
    const note: Note = { code: "repeated", text: notice, audience: "host" };
    return { ...output, content: notice, notes: [...output.notes, note] };
  };
}

/** Runs a call to its output and records that. What is thrown becomes a result. */
export async function endRecord(
  recording: Recording,
  record: CallRecord,
  passing: {
    readonly act: () => Promise<ToolOutput>;
    readonly options: CallOptions | undefined;
    /** Whether this is what the session answers with, and not only what a host's wrapper gets. */
    readonly leaves: boolean;
  },
): Promise<ToolOutput> {
  const { act, options, leaves } = passing;
  const { mounted, carrier } = recording;
  let output: ToolOutput;
  try {
    output = checkOutput(await act());
  } catch (error) {
    const name = String(record.call.name);
    output =
      options?.signal?.aborted === true
        ? renderRefusal({ refusal: refuse("call-cancelled", { tool: name }), mounted })
        : refuseFault(mounted, { name, error });
  }
  if (leaves) record.plan = carrier.plan(record, output);
  try {
    if (record.entry === "failed") return output;
    const patience = { signal: options?.signal, graceMs: GRACE_MS };
    if (record.entry === "none") await enterStart(recording, record, patience);
    await enterEnd({ recording, record, output }, patience);
    return leaves && !isStaying(recording) ? { ...output, notes: [...output.notes, LOST] } : output;
  } catch (error) {
    if (leaves) record.plan = carrier.withoutRecall(record.plan, output);
    return { ...output, notes: [...output.notes, noteUnrecorded(recording, record, error)] };
  }
}

function noteUnrecorded({ recorder }: Recording, { id }: CallRecord, error: unknown): Note {
  const what = recorder.owes(id)
    ? "this result could not be recorded yet, and no call begins before it is"
    : "this result could not be recorded and cannot be recalled";
  const text = `${what}: ${tellError(error)}`;
  return { code: "other", text, audience: "host" };
}

const LOST: Note = {
  code: "other",
  text: "the ledger's file was removed or exchanged while it was open: nothing of this session stays when it closes",
  audience: "host",
};

function isStaying({ isInPlace }: Recording): boolean {
  try {
    return isInPlace();
  } catch {
    // A folder above it that may not be entered any more.
    return false;
  }
}

async function enterStart(
  { recorder, recalled }: Recording,
  record: CallRecord,
  patience: Patience,
): Promise<void> {
  const { id, call, prepared, decision, startedAtMs } = record;
  const entry = {
    callId: id,
    name: prepared?.name ?? String(call.name),
    sent: showSent(call.args),
    ...(prepared === undefined
      ? {}
      : { args: prepared.input, access: describeAccess(prepared, recalled(prepared)) }),
    ...(decision === undefined ? {} : { decision }),
    atMs: startedAtMs,
  };
  await recorder.started(entry, patience);
  record.entry = "started";
}

async function enterEnd(
  of: { readonly recording: Recording; readonly record: CallRecord; readonly output: ToolOutput },
  patience: Patience,
): Promise<void> {
  const { recording, record, output } = of;
  const { id, plan, oldBytes, startedAtMs } = record;
  const atMs = Date.now();
  const { windowed, notice } = plan ?? {};
  const entry = {
    callId: id,
    output,
    ...(windowed?.omitted === undefined && notice === undefined
      ? {}
      : { window: { totalChars: windowed?.totalChars, omitted: windowed?.omitted, notice } }),
    sights: plan?.sights ?? [],
    oldBytes,
    atMs,
    durationMs: atMs - startedAtMs,
  };
  await recording.recorder.ended(entry, patience);
}

/** What it touches, as the paths really are. */
function describeAccess({ access, places }: PreparedCall, recalled: RecalledCall | undefined) {
  const paths = access.paths.map(({ argument, effect }) => ({
    argument,
    effect,
    path: places.get(argument)?.shown,
  }));
  // What a recall shows was read there, and stays so when the recall is recalled.
  const read = [...(recalled?.asked ?? []), ...(recalled?.shown ?? [])];
  return {
    paths: [...paths, ...read.map((path) => ({ argument: "id", effect: "reads", path }))],
    runs: access.runs,
    connects: access.connects,
  };
}

function showSent(args: unknown): string {
  if (typeof args === "string") return args;
  try {
    return JSON.stringify(args) ?? "";
  } catch {
    // A cycle, or a getter of the host that throws: the gate has refused it, and says why.
    return "";
  }
}

/** A host's wrapper answers with an output, or the call is a fault. */
function checkOutput(output: ToolOutput): ToolOutput {
  const given = output as Partial<ToolOutput> | null | undefined;
  if (typeof given !== "object" || given === null || typeof given.content !== "string")
    throw new TypeError("a wrapper of the host gave no output");
  if (output.content.isWellFormed() && Array.isArray(given.notes) && Array.isArray(given.images))
    return output;
  return {
    ...output,
    content: output.content.toWellFormed(),
    notes: given.notes ?? [],
    images: given.images ?? [],
  };
}

function refuseUnrecorded(mounted: Mounted, call: Call, error: unknown): ToolOutput {
  const message = `it was not run, because the ledger could not take it up: ${tellError(error)}`;
  const refusal = refuse("fault", { tool: String(call.name), message, cause: error });
  return renderRefusal({ refusal, mounted });
}

function tellError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).toWellFormed();
}
