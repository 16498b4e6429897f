/**
 * Owns mounting: from checked options and a list of tools to a toolset.
 * Leaves presets to mount.ts and files.ts, the steps of a call to prepare.ts and run.ts.
 * Rule: synchronous and cheap. Nothing is read but the root itself; sweeping up what a killed process left behind
 * starts later and is waited for by nobody but `close`.
 */
import type { Call, CallOptions } from "../contract/call.ts";
import type { Ports } from "../contract/context.ts";
import type { Disk } from "../contract/disk.ts";
import { RefusalError } from "../contract/errors.ts";
import type { MayConnect } from "../contract/network.ts";
import type { ToolOutput } from "../contract/output.ts";
import { refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import type { JobSummary } from "../contract/shell.ts";
import type { AnyTool } from "../contract/tool.ts";
import { openNetwork } from "../net/open-network.ts";
import type { PathRules } from "../root/fenced-paths.ts";
import { openRoot } from "../root/open-root.ts";
import type { WorkerPorts } from "../worker/open-worker.ts";
import type { WithheldRules } from "../worker/run-tool.ts";
import { listOwnTools } from "./define-tool.ts";
import { composeDispatch, type MakeStations, makeCall } from "./dispatch.ts";
import { giveWorker, type WorkerInternals } from "./give-worker.ts";
import { emitInputSchema } from "./input-schema.ts";
import { type Isolation, openIsolation } from "./isolate.ts";
import type { Mounted } from "./mounted.ts";
import { nameTools } from "./names.ts";
import { type CheckedOptions, checkOptions, type Preset } from "./options.ts";
import { renderRefusal } from "./render-output.ts";
import { openSeenStore } from "./seen-store.ts";
import { startSweep } from "./start-sweep.ts";
import type { TextDispatch, ToolDefinition, Toolset } from "./toolset.ts";

export interface MountRequest<T extends AnyTool> {
  /** In the order that holds everywhere. */
  readonly catalog: readonly T[];
  readonly preset: Omit<Preset, "known">;
}

/** What only tests and sessions set. */
export interface MountInternals {
  readonly disk?: Disk;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly ports?: Partial<Ports>;
  /** Where the state of the root is kept, if not in it. */
  readonly stateDir?: string | undefined;
  /** Files in which a session keeps what calls return. */
  readonly ledgers?: readonly string[];
  /** What the rules of a session say of files, for the fence around commands. */
  readonly pathRules?: PathRules;
  /** Whether its rules let commands connect, where they may only by the screen. */
  readonly commandsConnect?: MayConnect;
  /** What hides paths in the call that runs now, for tools that run in the worker. */
  readonly withheld?: (() => WithheldRules | undefined) | undefined;
  /** The worker's main file, its bounds and its memory. */
  readonly worker?: WorkerInternals;
  /** Told the end of each job that runs in the background. Must not throw. */
  readonly onJobEnded?: (job: JobSummary) => void;
  /** The stations that a session adds to the way of a call. */
  readonly stations?: MakeStations;
  /** Awaited at closing, once every call has been answered and the tools have let go. */
  readonly onClose?: () => Promise<void>;
}

/** Mounts tools over a root. Throws `OptionsError`; after that nothing throws. */
export function mountTools<T extends AnyTool, Prefix extends string = string>(
  { catalog: offered, preset }: MountRequest<T>,
  options: unknown,
  internals: MountInternals = {},
): Toolset<T, Prefix> {
  const own = listOwnTools((options as { readonly tools?: unknown } | null | undefined)?.tools);
  // The caller's type names them: whoever gives a tool gets it.
  const catalog = [...offered, ...(own as readonly T[])];
  const known = catalog.map((tool) => tool.name);
  const checked = checkOptions(options, { ...preset, known });
  const wanted = catalog.filter(
    (tool) => checked.tools.includes(tool.name) && (!checked.readOnly || isKept(tool, options)),
  );
  const agentId = internals.agentId ?? "main";
  const root = openMountedRoot({ options, checked, internals, agentId });
  const seen = openSeenStore();
  const tools = wanted.map((tool) => tool.name);
  const worker = giveWorker({
    root,
    options: checked,
    tools,
    stateDir: internals.stateDir,
    ledgers: internals.ledgers,
    pathRules: internals.pathRules,
    commandsConnect: internals.commandsConnect,
    onJobEnded: internals.onJobEnded,
    internals: internals.worker,
  });
  const mounted: Mounted = {
    root,
    cwd: root.path,
    limits: checked.limits,
    options: {
      overwriteUnread: checked.overwriteUnread,
      strictEdits: checked.strictEdits,
      ripgrep: checked.ripgrep,
      shell: checked.shell,
    },
    names: nameTools(checked.prefix, tools),
    tools: new Map(wanted.map((tool) => [tool.name, tool])),
    catalog,
    agentId,
    sessionId: internals.sessionId ?? "",
    ports: {
      seen: seen.seen,
      seenFiles: seen.files,
      withholds: () => undefined,
      ...(tools.includes("webfetch") ? { network: openNetwork(checked.network) } : {}),
      ...givePorts(worker),
      ...internals.ports,
    },
    seen,
    isolation: isolate(checked, worker, internals.withheld),
    refusal: checked.refusal,
    afterWrite: checked.afterWrite,
  };
  return makeToolset<T, Prefix>(mounted, { ...internals, closeWorker: worker.close });
}

function isolate(
  { isolation }: Pick<CheckedOptions, "isolation">,
  { runTool, takeOpen }: WorkerPorts,
  withheld: MountInternals["withheld"],
): Isolation | undefined {
  return isolation === "worker" ? openIsolation({ runTool, takeOpen, withheld }) : undefined;
}

function givePorts({ programs, pages, documents, shell, browser }: WorkerPorts): Partial<Ports> {
  return {
    programs,
    pages,
    documents,
    ...(shell === undefined ? {} : { shell }),
    ...(browser === undefined ? {} : { browser }),
  };
}

/** With `readOnly`: what changes nothing; and of that, what reaches out only where a host names it. */
function isKept({ annotations }: AnyTool, options: unknown): boolean {
  const isNamed = (options as { tools?: unknown }).tools !== undefined;
  return annotations.readOnlyHint && (isNamed || !annotations.openWorldHint);
}

interface RootRequest {
  readonly options: unknown;
  readonly checked: CheckedOptions;
  readonly internals: MountInternals;
  readonly agentId: string;
}

function openMountedRoot({ options, checked, internals, agentId }: RootRequest): Root {
  return openRoot({
    root: (options as { root: string }).root,
    extraIgnore: checked.extraIgnore,
    allowGenerated: checked.allowGenerated,
    agentId,
    ...(checked.resolve === undefined ? {} : { resolve: checked.resolve }),
    ...(internals.disk === undefined ? {} : { disk: internals.disk }),
    withholds: internals.ports?.withholds,
  });
}

function makeToolset<T extends AnyTool, Prefix extends string>(
  mounted: Mounted,
  internals: MountInternals & { readonly closeWorker: () => Promise<void> },
): Toolset<T, Prefix> {
  const { names } = mounted;
  const closing = new AbortController();
  const running = new Set<Promise<ToolOutput>>();
  const sweeping = startSweep(mounted.root, closing.signal);
  const dispatchCall = composeDispatch(mounted, internals.stations);
  let closed: Promise<void> | undefined;

  async function answer(call: Call, options?: CallOptions): Promise<ToolOutput> {
    if (closed !== undefined) return renderRefusal({ refusal: refuse("closed", {}), mounted });
    const output = makeCall({
      mounted,
      dispatch: dispatchCall,
      call: options?.id === undefined ? call : { ...call, id: options.id },
      options,
      closing: closing.signal,
    });
    running.add(output);
    try {
      return await output;
    } finally {
      running.delete(output);
    }
  }
  async function dispatch(name: string, args: unknown, options?: CallOptions): Promise<string> {
    return putAsText(await answer({ name, args }, options));
  }
  async function run(bare: string, args: unknown, options?: CallOptions): Promise<string> {
    const output = await answer({ name: names.name(bare) ?? bare, args }, options);
    if (output.isError) throw new RefusalError(output.refusal, output.content);
    return output.content;
  }
  function close(): Promise<void> {
    if (closed === undefined) {
      closing.abort();
      closed = Promise.all([sweeping(), ...running]).then(async () => {
        await releaseTools(mounted);
        await internals.closeWorker();
        await internals.onClose?.();
      });
    }
    return closed;
  }
  const toolset = {
    root: mounted.root.path,
    definitions: () => defineTools(mounted),
    call: (name: string, args: unknown, options?: CallOptions) => answer({ name, args }, options),
    dispatch,
    run,
    wrap:
      <C extends Call, O extends CallOptions>(inner: TextDispatch<C, O>): TextDispatch<C, O> =>
      (call, options) =>
        names.bare(call.name) === undefined ? inner(call, options) : dispatch(call.name, call.args, options),
    names: () => [...names.mounted],
    name: (bare: string) => names.name(bare),
    bare: (name: string) => names.bare(name),
    handles: (name: string) => names.bare(name) !== undefined,
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.freeze(toolset) as Toolset<T, Prefix>;
}

/** A tool that cannot let go is no reason for closing to fail: everything was answered. */
async function releaseTools({ catalog }: Mounted): Promise<void> {
  await Promise.allSettled(catalog.map(async (tool) => tool.release?.()));
}

/** A refusal begins `ERROR: `. A success that would (a file may be named so) is marked as one. */
function putAsText(output: ToolOutput): string {
  if (output.isError) return `ERROR: ${output.content}`;
  return output.content.startsWith("ERROR: ") ? `OK: ${output.content}` : output.content;
}

function defineTools({ tools, names, limits, options }: Mounted): ToolDefinition[] {
  return [...tools.values()].map((tool) => ({
    name: names.name(tool.name) ?? tool.name,
    description: tool.describe({ limits, options, names }),
    inputSchema: emitInputSchema(tool),
    annotations: { ...tool.annotations },
    alwaysLoaded: tool.alwaysLoaded,
  }));
}
