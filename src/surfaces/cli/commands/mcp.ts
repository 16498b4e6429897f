/**
 * Owns `haft mcp`: the flags of the server. Leaves serving to surfaces/mcp.
 * Rule: what is wrong with a flag is said before the first message, with exit status 2.
 */
import type { Command } from "commander";
import type { Approve } from "../../../contract/decision.ts";
import { offersRoots } from "../../mcp/client-capabilities.ts";
import { greetClient, type Listed } from "../../mcp/greet.ts";
import type { ListRequest } from "../list-definitions.ts";
import { PACKAGE_VERSION } from "../package-version.ts";
import type { ProgramOptions } from "../program.ts";
import { addSessionFlags, type SessionFlags } from "../session-flags.ts";
import { listStandard } from "../standard-definitions.ts";

const EXAMPLES = `
Speaks the Model Context Protocol on standard input and output, and ends with its client.
Without --root the client's first file: root is the root, and follows it when it changes.

With --http it serves any number of clients, each with a session of its own, until it is told to end. Only programs of
this machine reach it; --host lets others in, with the bearer token that HAFT_HTTP_TOKEN holds. Where that is set,
everybody has to show it.

Every call goes through the person's permission: what the mode and the rules do not allow is asked about where the
client can ask (elicitation), and denied otherwise, with the flag that would allow it.

Examples:
  haft mcp --root ~/project
  haft mcp --root ~/project --allow 'runs(npm test)' --deny 'reads(.env*)'
  haft mcp --root ~/project --mode full-access
  haft mcp --root ~/project --read-only
  haft mcp --root ~/project --tools read,edit,write --prefix file_
  haft mcp --root ~/project --http 3000`;

export function addMcpCommand(program: Command, options: ProgramOptions): void {
  const command = program
    .command("mcp")
    .description("serve the tools to an MCP client over standard input and output")
    .addHelpText("after", EXAMPLES);
  addSessionFlags(command, "the client's first root, else the working directory")
    .option(
      "--http <port>",
      "serve over Streamable HTTP on this port, 0 for a free one, instead of standard input",
    )
    .option("--host <host>", "the address to listen on with --http (default: 127.0.0.1)")
    .action(async (flags: McpFlags) => {
      const cwd = process.cwd();
      const http = readHttp(command, flags);
      const warn = (text: string) => void process.stderr.write(`haft mcp: ${text}\n`);
      const warnOfFile = once(warn);
      const list = (root: string | undefined) => listTools({ flags, root, cwd, warn: warnOfFile });
      const listed = await list(flags.root);
      const serving = {
        version: PACKAGE_VERSION,
        ...(flags.root === undefined ? {} : { root: flags.root }),
        cwd,
        openRoot: async (root: string, approve: Approve) => {
          const { openWithFlags } = await import("../open-with-flags.ts");
          return openWithFlags({ flags, root, approve, cwd, warn: warnOfFile });
        },
        ...listed,
        warn,
      };
      if (http !== undefined) {
        const { serveHttp } = await import("../../mcp/serve-http.ts");
        await serveHttp({ ...serving, ...http });
      } else {
        const output = options.protocol ?? process.stdout;
        const settle = endWhenAsked();
        const greeting = await greetClient({
          version: PACKAGE_VERSION,
          input: process.stdin,
          output,
          list: async (capabilities) => {
            if (flags.root !== undefined) return listed;
            // One without roots gets the working directory. Where that cannot be mounted, the server says why.
            return offersRoots(capabilities) ? undefined : list(cwd).catch(() => undefined);
          },
        });
        const { serveMcp } = await import("../../mcp/serve-mcp.ts");
        settle();
        await serveMcp({ ...serving, output, greeting });
      }
      // The client is gone and everything is closed. A forgotten timer of a dependency must not keep us alive.
      process.exit(0);
    });
}

interface McpFlags extends SessionFlags {
  readonly http?: string;
  readonly host?: string;
}

function readHttp(command: Command, { http, host }: McpFlags) {
  if (http === undefined) {
    if (host !== undefined) command.error("error: --host needs --http PORT", { exitCode: 2 });
    return undefined;
  }
  const port = Number(http);
  if (!/^\d{1,5}$/.test(http) || port > 65_535)
    command.error(`error: --http takes a port from 0 to 65535, not ${JSON.stringify(http)}`, { exitCode: 2 });
  const token = process.env.HAFT_HTTP_TOKEN || undefined;
  return { port, host: host ?? "127.0.0.1", token };
}

/** Before there is anything to close, the end is at once. */
function endWhenAsked(): () => void {
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  const end = () => process.exit(0);
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** A session is opened more than once on one root; what is said of it is said once. */
function once(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
}

/** Without a root, of none in particular: the tools depend on it only where a project narrows them. */
async function listTools(of: ListRequest): Promise<Listed> {
  const standard = listStandard(of);
  if (standard !== undefined) return standard;
  const { listDefinitions } = await import("../list-definitions.ts");
  return listDefinitions(of);
}
