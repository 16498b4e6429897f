/**
 * Owns one call of a tool in the worker, from the host's side: what is sent, the locks, what becomes of a lost worker.
 * Leaves the protocol to worker/, checking what comes back to isolate-result.ts.
 * Rule: locks and what the session knows stay here, so that they hold whatever becomes of the worker. A worker that
 * cannot be had, is lost or says what it must not is a refusal with words; the tool is never run here instead.
 */
import { AsyncResource } from "node:async_hooks";
import type { ToolContext } from "../contract/context.ts";
import { WorkerError } from "../contract/errors.ts";
import type { Note, ToolResult } from "../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import { withLocks } from "../root/lock.ts";
import { sweepAround } from "../root/sweep.ts";
import { CATALOG } from "../tools/catalog.ts";
import type { ToolCall, ToolRequest, ToolSetup } from "../worker/run-tool.ts";
import { listOffers, servePorts } from "../worker/run-tool-ports.ts";
import type { IsolatedCall, IsolationRequest } from "./isolate.ts";
import { readPreview, readToolResult } from "./isolate-result.ts";
import type { Mounted, PreparedCall } from "./mounted.ts";

type Act = (input: unknown, context: ToolContext) => Promise<unknown>;

export async function runIsolated(
  request: IsolationRequest,
  call: IsolatedCall,
): Promise<ToolResult<unknown>> {
  const { tool, input } = call.prepared;
  if (!isOfCatalog(tool)) return (tool.run as Act)(input, call.context) as Promise<ToolResult<unknown>>;
  const act = () => ask(request, call, { operation: "run", read: readToolResult });
  const paths = writtenPlaces(call.prepared).map(({ real }) => real);
  try {
    // The tool takes the same locks there; these hold between the workers of several toolsets, too.
    const result = paths.length === 0 ? act() : withLocks({ paths, signal: call.context.signal }, act);
    return await sayOpen(await result, request);
  } catch (error) {
    return refuseLost(error, call);
  }
}

/** The model can do nothing about it: a note for the host, on the first result. */
async function sayOpen(
  result: ToolResult<unknown>,
  { takeOpen }: IsolationRequest,
): Promise<ToolResult<unknown>> {
  const why = isRefusal(result) ? undefined : await takeOpen();
  if (why === undefined || isRefusal(result)) return result;
  const note: Note = { code: "other", text: `tools are not confined: ${why}`, audience: "host" };
  return { ...result, notes: [...(result.notes ?? []), note] };
}

export async function previewIsolated(
  request: IsolationRequest,
  call: IsolatedCall,
): Promise<string | Refusal | undefined> {
  const { tool, input } = call.prepared;
  if (tool.preview === undefined) return undefined;
  if (!isOfCatalog(tool))
    return (tool.preview as Act)(input, call.context) as Promise<string | Refusal | undefined>;
  return ask(request, call, { operation: "preview", read: readPreview });
}

/** Not by its name: a host's own tool may be called as one of ours is. */
function isOfCatalog(tool: AnyTool): boolean {
  return (CATALOG as readonly AnyTool[]).includes(tool);
}

function writtenPlaces({ access, places }: PreparedCall) {
  return access.paths
    .filter(({ effect }) => effect === "writes")
    .flatMap(({ argument }) => places.get(argument) ?? []);
}

function ask<Given>(
  { runTool, withheld }: IsolationRequest,
  { mounted, prepared, context }: IsolatedCall,
  { operation, read }: Pick<ToolRequest, "operation"> & Pick<ToolCall<Given>, "read">,
): Promise<Given> {
  const { tool, input, places } = prepared;
  // What the worker asks is answered as part of this call, whatever the messages came in between.
  const inside = new AsyncResource("haft-isolated-call");
  return runTool({
    request: {
      tool: tool.name,
      operation,
      input,
      places: [...places],
      limits: context.limits,
      setup: findSetup(mounted),
      withheld:
        mounted.root.withholds === undefined && withheld === undefined
          ? "nothing"
          : withheld === undefined
            ? "ask"
            : (withheld() ?? "nothing"),
    },
    signal: context.signal,
    onProgress: context.progress,
    serve: (within) => servePorts(context, (act) => inside.runInAsyncScope(() => within(act))),
    read,
  });
}

const setups = new WeakMap<Mounted, string>();

function findSetup(mounted: Mounted): string {
  const found = setups.get(mounted) ?? JSON.stringify(makeSetup(mounted));
  setups.set(mounted, found);
  return found;
}

function makeSetup({ root, cwd, options, names, agentId, sessionId, ports }: Mounted): ToolSetup {
  const { path, spelled, extraIgnore, allowGenerated } = root;
  return {
    root: { path, spelled, extraIgnore, allowGenerated, agentId: root.agentId },
    resolves: root.resolve !== undefined,
    cwd,
    options,
    prefix: names.prefix,
    tools: names.mounted.flatMap((name) => names.bare(name) ?? []),
    agentId,
    sessionId,
    offers: listOffers(ports),
  };
}

/** A cancelled call is told as cancelled; what a killed worker was writing is not left. */
async function refuseLost(error: unknown, { mounted, prepared, context }: IsolatedCall): Promise<Refusal> {
  if (!(error instanceof WorkerError)) throw error;
  await Promise.all(writtenPlaces(prepared).map(({ real }) => sweepAround(mounted.root, real)));
  context.signal.throwIfAborted();
  return refuse("worker-lost", { tool: prepared.name, why: error.why, ran: "tool" });
}
