/**
 * Owns what the server answers: the list of tools and their calls.
 * Leaves the root to root-question.ts, the wire and its end to serve-mcp.ts. Rule: translates, never decides.
 *
 * The low-level server of the SDK and not the high-level one: that one checks arguments against the schema
 * before a handler sees them, and would refuse what haft's own argument gate repairs.
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import { type Asks, askByRequest, askByReturn, canAsk } from "./asks.ts";
import { type CallLog, createCallLog } from "./call-log.ts";
import { describeServer } from "./describe-server.ts";
import { describeOthers } from "./instructions.ts";
import { listTools } from "./list-tools.ts";
import type { RootQuestion } from "./root-question.ts";
import type { RootSwitch } from "./root-switch.ts";
import { toProtocolError, toProtocolResult } from "./translate.ts";

export interface ConnectionOptions {
  readonly version: string;
  readonly roots: RootSwitch;
  readonly question: RootQuestion;
  readonly asks: Asks;
  /** The revision of the protocol: whether the server asks with requests of its own. */
  readonly era: "legacy" | "modern";
  /** Names of tools that a person must be asked about, and how to allow each where they cannot be. */
  readonly asking: ReadonlyMap<string, string>;
  /** What is listed before there is a root: the tools depend on it only where a project narrows them. */
  readonly definitions: readonly ToolDefinition[];
  readonly onCallStart: () => void;
  readonly onCallEnd: () => void;
}

export function createConnection(options: ConnectionOptions): Server {
  const { question } = options;
  const { serverInfo, capabilities, instructions } = describeServer(options.version);
  const server = new Server(serverInfo, { capabilities, instructions });
  const log = createCallLog(server, options.era);
  let announced = describeOthers([]);
  let listed = listNames(options.definitions);
  server.oninitialized = () => question.ask(server);
  server.setNotificationHandler("notifications/roots/list_changed", async () => {
    // Asked before anything is awaited: a call that follows this notice must wait for the answer.
    question.ask(server);
    const told = [announced, listed].join();
    announced = describeOthers(await question.others());
    listed = listNames((await definitionsOfRoot(options.roots)) ?? options.definitions);
    if ([announced, listed].join() !== told) await server.sendToolListChanged();
  });
  server.setRequestHandler("tools/list", async (_request, context) => {
    const answerable = canAsk(server, context);
    announced = describeOthers(await question.others());
    const definitions = (await definitionsOfRoot(options.roots)) ?? options.definitions;
    listed = listNames(definitions);
    return listTools({ definitions, asking: options.asking, answerable, announced });
  });
  server.setRequestHandler("tools/call", async (request, context) => {
    options.onCallStart();
    try {
      const open = await question.settle(server, context);
      return open ?? (await callTool({ ...options, server, context, log, params: request.params }));
    } finally {
      options.onCallEnd();
    }
  });
  return server;
}

/** What the session of the present root has: a project may give fewer tools than the person did. */
async function definitionsOfRoot(roots: RootSwitch): Promise<readonly ToolDefinition[] | undefined> {
  const lease = await roots.lease();
  if ("missing" in lease) return undefined;
  try {
    return lease.session.definitions();
  } finally {
    lease.release();
  }
}

function listNames(definitions: readonly ToolDefinition[]): string {
  return definitions.map(({ name }) => name).join();
}

interface ToolCall extends ConnectionOptions {
  readonly server: Server;
  readonly context: ServerContext;
  readonly log: CallLog;
  readonly params: { readonly name: string; readonly arguments?: unknown };
}

async function callTool(call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const { server, context, params, asks } = call;
  const lease = await call.roots.lease();
  if ("missing" in lease)
    return toProtocolError(`No root is mounted: ${lease.missing}. Nothing was changed.`);
  const { session } = lease;
  const args = params.arguments ?? {};
  try {
    const person =
      call.era === "legacy"
        ? askByRequest(server, context)
        : await askByReturn({ session, server, context, name: params.name, args });
    if (typeof person !== "function") return person;
    const output = await asks.within(person, () =>
      session.call(params.name, args, {
        signal: context.mcpReq.signal,
        onProgress: progressSink(context),
      }),
    );
    call.log(context, params.name, output);
    return toProtocolResult(output);
  } finally {
    lease.release();
  }
}

/** Progress is told only to a client that gave a token for it. */
function progressSink(context: ServerContext): (message: string) => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    // Told and forgotten: a client that is gone must not turn a call into a failure.
    context.mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(() => {});
  };
}
