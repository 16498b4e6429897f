/**
 * Owns running one call of a tool in the worker: its context, and what it gives or throws.
 * Leaves the gate, permission, locks and words to the host, the tool's ports to host-ports.ts. Rule: the tool cannot
 * tell that it runs here: the same code, the same context, the same bytes.
 */
import type { DelegateResult, Ports, ToolContext } from "../contract/context.ts";
import type { Root } from "../contract/root.ts";
import type { AnyTool } from "../contract/tool.ts";
import { nodeDisk } from "../root/disk.ts";
import { type WriterState, writeAsOutside } from "../root/temporary-name.ts";
import { nameTools } from "../toolset/names.ts";
import { pack, unpack } from "../worker/packed.ts";
import type { ToolAnswer, ToolRequest, ToolSetup } from "../worker/run-tool.ts";
import { sendError } from "../worker/sent-error.ts";
import type { TaskAnswer } from "../worker/tasks.ts";
import { openHostPorts } from "./host-ports.ts";
import { type AskNow, openLine } from "./line.ts";
import type { TaskContext, TasksRequest } from "./serve.ts";
import { loadTool } from "./tools-table.ts";
import { watchHost } from "./watch-host.ts";

type Run = (input: unknown, context: ToolContext) => Promise<unknown>;

/** What is made once for a toolset, of which a worker serves one. */
interface Seat {
  readonly setup: string;
  readonly of: ToolSetup;
  readonly root: Root;
  readonly names: ReturnType<typeof nameTools>;
}

export interface ToolRunner {
  run(context: TaskContext): Promise<TaskAnswer<null>>;
}

export function openToolRunner({ marker, writer }: Pick<TasksRequest, "marker" | "writer">): ToolRunner {
  let seat: Seat | undefined;
  const running = new Set<number>();
  watchHost(marker);
  const askNow: AskNow = openLine();
  if (writer !== undefined) writeAsOutside({ writer, find: (name) => askForWriter(name, running, askNow) });
  return {
    async run(context) {
      const request = unpack(context.parts) as ToolRequest;
      if (seat?.setup !== request.setup) seat = takeSeat(request.setup);
      running.add(context.id);
      try {
        return { value: null, parts: pack(await answer(request, { seat, context, askNow })) };
      } finally {
        running.delete(context.id);
      }
    },
  };
}

/** Asked as part of a call that runs: only within one does anybody look for writers. The last: an earlier one may be over. */
function askForWriter(name: string, running: ReadonlySet<number>, askNow: AskNow): WriterState {
  const id = [...running].at(-1);
  return id === undefined ? "unknown" : (askNow(id, "findWriter", { name }) as WriterState);
}

interface Running {
  readonly seat: Seat;
  readonly context: TaskContext;
  readonly askNow: AskNow;
}

async function answer(request: ToolRequest, running: Running): Promise<ToolAnswer> {
  try {
    const tool = await loadTool(request.tool);
    const context = await makeContext(request, running);
    const act = (request.operation === "run" ? tool.run : tool.preview) as Run | undefined;
    return { kind: "gave", value: await act?.(request.input, context) };
  } catch (error) {
    return { kind: "threw", error: sendError(error) };
  }
}

function takeSeat(setup: string): Seat {
  const of = JSON.parse(setup) as ToolSetup;
  const root: Root = Object.freeze({
    ...of.root,
    disk: nodeDisk,
    // Places are resolved in the host, before the call comes here.
    ...(of.resolves && {
      resolve: () => {
        throw new Error("paths are resolved in the host");
      },
    }),
  });
  return { setup, of, root, names: nameTools(of.prefix, of.tools) };
}

async function makeContext(request: ToolRequest, { seat, context, askNow }: Running): Promise<ToolContext> {
  const { of, names } = seat;
  const { id, ask, signal, onProgress } = context;
  const ports = openHostPorts({
    ask,
    askNow: (port, input) => askNow(id, port, input),
    offers: of.offers,
    withholds: await readWithheld(request, seat.root),
  });
  const places = new Map(request.places);
  const { cwd, options, agentId, sessionId } = of;
  const root = request.withheld === "nothing" ? seat.root : { ...seat.root, withholds: ports.withholds };
  const made: ToolContext = {
    root,
    cwd,
    signal,
    limits: request.limits,
    options,
    names,
    agentId,
    sessionId,
    ports,
    place(argument) {
      const place = places.get(argument);
      if (place === undefined) throw new Error(`the access of ${request.tool} declares no path ${argument}`);
      return place;
    },
    progress: (text) => onProgress(text.toWellFormed()),
    delegate: async (bare, args) => runDelegate(await loadTool(bare), args, made),
  };
  return made;
}

async function runDelegate(
  tool: AnyTool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<DelegateResult> {
  return (await (tool.run as Run)(tool.input.parse(args), context)) as DelegateResult;
}

async function readWithheld({ withheld }: ToolRequest, root: Root): Promise<Ports["withholds"] | "ask"> {
  if (withheld === "nothing") return () => undefined;
  if (withheld === "ask") return "ask";
  const { withholdByRules } = await import("../permission/withhold.ts");
  return withholdByRules(root, withheld);
}
