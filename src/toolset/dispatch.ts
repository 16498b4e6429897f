/**
 * Owns the order in which a call passes its stations, and the net under all of them.
 * Leaves each station to its own file. Rule: every station is a wrapper, so the order is the one list below; a
 * session puts its own between the gate and the runner.
 */
import type { Call, CallOptions, Dispatch } from "../contract/call.ts";
import type { ToolOutput } from "../contract/output.ts";
import { isRefusal, refuse } from "../contract/refusal.ts";
import type { Mounted, PreparedCall } from "./mounted.ts";
import { onAbort } from "./on-abort.ts";
import { prepareCall } from "./prepare.ts";
import { renderRefusal } from "./render-output.ts";
import { refuseFault, runCall } from "./run.ts";
import { clipText } from "./show-value.ts";

/** What every wrapper looks like. */
export type Wrapper = (next: Dispatch) => Dispatch;

/** What a session adds: stations around the gate, outermost first, and stations between the gate and the runner. */
export interface Stations {
  readonly around: readonly Wrapper[];
  /** Each may pass on the call that it got, or one of its own making, which goes through the gate again. */
  readonly between: readonly Wrapper[];
}

/** The gate, for the stations around it. */
export interface Gate {
  /** What it made of a call that has passed it. */
  readonly find: (call: Call) => PreparedCall | undefined;
  /** The call as one that has passed: for a station that had to prepare it and that has not waited since. */
  readonly admit: (call: Call, prepared: PreparedCall) => Call;
}

export type MakeStations = (mounted: Mounted, gate: Gate) => Stations;

/** The whole way of a call, as one list. */
export function composeDispatch(mounted: Mounted, makeStations?: MakeStations): Dispatch {
  const gate = openGate();
  const station = makeGate(mounted, gate);
  const { around, between } = makeStations?.(mounted, gate) ?? NO_STATIONS;
  const stations: Wrapper[] = [...around, station];
  for (const wrapper of between) stations.push(wrapper, station);
  return stations.reduceRight<Dispatch>((next, wrapper) => wrapper(next), makeRunner(mounted, gate));
}

const NO_STATIONS: Stations = { around: [], between: [] };

/** Which calls have passed, and as what. Keyed by the very object, so that a call that a wrapper makes anew has not. */
function openGate(): Gate {
  const passed = new WeakMap<Call, PreparedCall>();
  return {
    find: (call) => passed.get(call),
    admit(call, prepared) {
      // Frozen: a wrapper that changes arguments in place would send them past the gate unchecked.
      const admitted = Object.freeze({ ...call, name: prepared.name, args: freezeDeep(prepared.input) });
      passed.set(admitted, prepared);
      return admitted;
    },
  };
}

/** The gate as a station. A call that has passed it already goes on as it is. */
function makeGate(mounted: Mounted, gate: Gate): Wrapper {
  return (next) => async (call, options) => {
    if (gate.find(call) !== undefined) return next(call, options);
    if (options?.signal?.aborted === true) return refuseCancelled(mounted, call);
    const ready = await prepareCall(mounted, call);
    if (isRefusal(ready))
      return renderRefusal({ refusal: ready, mounted, tool: findTool(mounted, call.name) });
    return next(gate.admit(call, ready), options);
  };
}

function makeRunner(mounted: Mounted, gate: Gate): Dispatch {
  return async (call, options) => {
    const ready = gate.find(call);
    if (ready === undefined) throw new Error("a call reached the runner without passing the gate");
    return runCall(mounted, ready, options ?? {});
  };
}

function refuseCancelled(mounted: Mounted, call: Call): ToolOutput {
  const tool = findTool(mounted, call.name);
  const refusal = refuse("call-cancelled", { tool: String(call.name) });
  return renderRefusal({ refusal, mounted, tool });
}

function findTool({ names, tools }: Mounted, name: string) {
  const bare = names.bare(name);
  return bare === undefined ? undefined : tools.get(bare);
}

export interface OneCall {
  readonly mounted: Mounted;
  readonly dispatch: Dispatch;
  readonly call: Call;
  readonly options: CallOptions | undefined;
  /** Aborted when the toolset closes. */
  readonly closing: AbortSignal;
}

/** Makes one call with a signal of its own, and counts what it shows as seen once it leaves. Never rejects. */
export async function makeCall({ mounted, dispatch, call, options, closing }: OneCall): Promise<ToolOutput> {
  const child = new AbortController();
  const abort = () => child.abort(new DOMException("The call was cancelled", "AbortError"));
  const ends: (() => void)[] = [];
  try {
    const parents = [closing, options?.signal].filter((signal) => signal instanceof AbortSignal);
    if (parents.some((parent) => parent.aborted)) abort();
    for (const parent of parents) ends.push(onAbort(parent, abort));
    const onProgress = options?.onProgress;
    const output = await dispatch(call, {
      signal: child.signal,
      ...(typeof onProgress === "function" ? { onProgress } : {}),
    });
    mounted.seen.commit(mounted.seen.sightsOf(output));
    return output;
  } catch (error) {
    return refuseFault(mounted, { name: showName(call.name), tool: findTool(mounted, call.name), error });
  } finally {
    for (const end of ends) end();
  }
}

function showName(name: unknown): string {
  return typeof name === "string" ? clipText(name.toWellFormed(), 100) : "the call";
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freezeDeep(inner);
  return Object.freeze(value);
}
