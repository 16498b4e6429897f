/**
 * Owns running a prepared call: the context, cancellation, and the only try/catch around a tool.
 * Leaves words to render-output.ts. Rule: whatever a tool does, one output comes back. What is thrown is a
 * cancellation where the call was cancelled, and a fault otherwise; a fault is told in one honest line.
 */
import type { CallOptions } from "../contract/call.ts";
import type { DelegateResult, ToolContext } from "../contract/context.ts";
import type { Limits } from "../contract/limits.ts";
import type { Done, Note, ToolOutput, ToolResult } from "../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import { describeFault } from "./describe-fault.ts";
import type { IsolatedCall } from "./isolate.ts";
import type { Mounted, PreparedCall } from "./mounted.ts";
import { renderDone, renderFailed, renderNotes, renderRefusal } from "./render-output.ts";

/** A cancelled call answers within 1 s; a tool that has not ended by then is not waited for. A tool that ends other processes says how much longer that takes. */
const CANCEL_GRACE_MS = 900;

/** Characters kept free for the notes of a tool: two of an ordinary length. */
const OWN_NOTES = 512;

type Run = (input: unknown, context: ToolContext) => Promise<ToolResult<unknown>>;

/** Runs a prepared call to its output. Never rejects. */
export async function runCall(
  mounted: Mounted,
  prepared: PreparedCall,
  options: CallOptions,
): Promise<ToolOutput> {
  const signal = options.signal ?? new AbortController().signal;
  const grace = startGrace(signal, prepared.tool.cancelGraceMs ?? CANCEL_GRACE_MS);
  try {
    return await runWithin(grace, { mounted, prepared, options: { ...options, signal } });
  } finally {
    grace.end();
  }
}

async function runWithin(
  grace: Grace,
  of: { mounted: Mounted; prepared: PreparedCall; options: CallOptions & { readonly signal: AbortSignal } },
): Promise<ToolOutput> {
  const { mounted, prepared, options } = of;
  const { tool, name } = prepared;
  const { signal } = options;
  let result: ToolResult<unknown>;
  try {
    signal.throwIfAborted();
    const context = makeContext(mounted, prepared, options);
    result = await grace.within(startTool({ mounted, prepared, context }));
    if (!isRefusal(result) && typeof result?.content !== "string")
      throw new TypeError("the tool gave no content");
  } catch (error) {
    result = signal.aborted
      ? refuse("call-cancelled", { tool: name })
      : refuse("fault", { tool: name, message: describeFault(error), cause: error });
  }
  if (isRefusal(result)) return renderRefusal({ refusal: result, mounted, tool, notes: prepared.notes });
  const host = await tellHost(mounted, result, grace);
  const notes = [...prepared.notes, ...(result.notes ?? []), ...host];
  const output = "kind" in result ? renderFailed(result, notes) : renderDone(result, notes);
  mounted.seen.keep(output, result.sights ?? []);
  return output;
}

/** In this process, or where the host wants its tools. */
function startTool(call: IsolatedCall): Promise<ToolResult<unknown>> {
  const { mounted, prepared, context } = call;
  return mounted.isolation?.run(call) ?? (prepared.tool.run as Run)(prepared.input, context);
}

/** What a tool is given besides its arguments. */
export function makeContext(
  mounted: Mounted,
  prepared: PreparedCall,
  options: CallOptions & { readonly signal: AbortSignal },
): ToolContext {
  const { root, cwd, names, agentId, sessionId, ports, catalog } = mounted;
  const context: ToolContext = {
    root,
    cwd,
    signal: options.signal,
    limits: reserveNotes(mounted.limits, prepared.notes),
    options: mounted.options,
    names,
    agentId,
    sessionId,
    ports,
    ...(ports.connects === undefined ? {} : { mayConnect: ports.connects() }),
    place(argument) {
      const place = prepared.places.get(argument);
      if (place === undefined)
        throw new Error(`the access of ${prepared.tool.name} declares no path ${argument}`);
      return place;
    },
    progress(text) {
      try {
        options.onProgress?.(text.toWellFormed());
      } catch {
        // A host whose sink fails loses progress, not the call.
      }
    },
    delegate: (bare, args) =>
      runDelegate({ tool: catalog.find((one) => one.name === bare), bare, args, context }),
  };
  return context;
}

/** Notes are part of the result, and no result is longer than `resultMax`: room for the gate's and for the tool's own. */
function reserveNotes(limits: Limits, notes: readonly Note[]): Limits {
  const own = Math.min(OWN_NOTES, limits.resultMax >> 3);
  return { ...limits, resultMax: Math.max(1, limits.resultMax - renderNotes(notes).length - own) };
}

interface Delegation {
  readonly tool: AnyTool | undefined;
  readonly bare: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

/** Another tool on the same places. A delegate that is not there or does not take this is our own bug: it throws. */
async function runDelegate({ tool, bare, args, context }: Delegation): Promise<DelegateResult> {
  if (tool === undefined) throw new Error(`no tool ${bare} to hand this call to`);
  return (tool.run as Run)(tool.input.parse(args), context);
}

interface Grace {
  /** Waits for something of the call, and after a cancellation only so long as a host was promised. */
  within<T>(running: Promise<T>): Promise<T>;
  end(): void;
}

/** One grace for the whole call: what is waited for second has only what the first has left of it. */
function startGrace(signal: AbortSignal, graceMs: number): Grace {
  let timer: NodeJS.Timeout | undefined;
  let listen = () => {};
  const overdue = new Promise<never>((_, reject) => {
    listen = () => {
      timer = setTimeout(reject, graceMs, new Error("it had not ended when the call was cancelled"));
    };
    if (signal.aborted) listen();
    else signal.addEventListener("abort", listen, { once: true });
  });
  // Nobody may be waiting when it comes.
  overdue.catch(() => {});
  return {
    within: (running) => Promise.race([running, overdue]),
    end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", listen);
    },
  };
}

/** `afterWrite`: once a call, after success that changed something. What it throws is a note for the host. */
async function tellHost(
  { afterWrite }: Mounted,
  done: Pick<Done<unknown>, "changed">,
  grace: Grace,
): Promise<Note[]> {
  const changed = done.changed ?? [];
  if (afterWrite === undefined || changed.length === 0) return [];
  try {
    // A hook that hangs must not hold a call that was cancelled, nor closing: the bytes are on disk by now.
    await grace.within((async () => afterWrite([...changed]))());
    return [];
  } catch (error) {
    const text = `afterWrite failed: ${error instanceof Error ? error.message : String(error)}`;
    return [{ code: "after-write", text: text.toWellFormed(), audience: "host" }];
  }
}

/** A call that failed outside of any tool: an output all the same. */
export function refuseFault(
  mounted: Mounted,
  failed: { name: string; tool?: AnyTool | undefined; error: unknown },
): ToolOutput {
  const refusal: Refusal = refuse("fault", {
    tool: failed.name,
    message: describeFault(failed.error),
    cause: failed.error,
  });
  return renderRefusal({ refusal, mounted, tool: failed.tool });
}
