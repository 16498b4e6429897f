/**
 * Owns `haft mcp`: the flags of the server. Leaves serving to surfaces/mcp.
 * Rule: what is wrong with a flag is said before the first message, with exit status 2.
 */
import type { Command } from "commander";
import type { Approve } from "../../../contract/decision.ts";
import type { Session } from "../../../session/session.ts";
import { PACKAGE_VERSION } from "../package-version.ts";
import type { ProgramOptions } from "../program.ts";
import { addSessionFlags, openWithFlags, type SessionFlags } from "../session-flags.ts";

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
      const { definitions, asking } = await listDefinitions(flags, {
        root: flags.root ?? import.meta.dirname,
        warn: warnOfFile,
      });
      const serving = {
        version: PACKAGE_VERSION,
        ...(flags.root === undefined ? {} : { root: flags.root }),
        cwd,
        openRoot: (root: string, approve: Approve) =>
          openWithFlags({ flags, root, approve, cwd, warn: warnOfFile }),
        definitions,
        asking,
        warn,
      };
      if (http !== undefined) {
        const { serveHttp } = await import("../../mcp/serve-http.ts");
        await serveHttp({ ...serving, ...http });
      } else {
        const { serveMcp } = await import("../../mcp/serve-mcp.ts");
        await serveMcp({ ...serving, output: options.protocol ?? process.stdout });
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

/**
 * The tools are the same for every root. Before the client has named one they are listed from our own folder:
 * mounting looks at the root for leftovers, and has no business in a directory that nobody chose.
 */
async function listDefinitions(
  flags: SessionFlags,
  of: { readonly root: string; readonly warn: (text: string) => void },
) {
  const session = await openWithFlags({ flags: { ...flags, ledger: "memory" }, cwd: process.cwd(), ...of });
  const definitions = session.definitions();
  const asking = await listAsking(session);
  void session.close();
  return { definitions, asking };
}

/** A session is opened more than once on one root; what is said of it is said once. */
function once(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
}

/** A harmless call of each tool that a mode may ask about. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  bash: { command: "true" },
  webfetch: { url: "https://example.com" },
  browse: { url: "https://example.com" },
};

/** What a model is told of each tool whose every call is asked about, where nobody can be asked. */
async function listAsking(session: Session): Promise<ReadonlyMap<string, string>> {
  const asking = new Map<string, string>();
  for (const [bare, args] of Object.entries(SAMPLES)) {
    const name = session.name(bare);
    if (name === undefined) continue;
    const { outcome } = await session.explain({ name, args });
    if (outcome === "ask")
      asking.set(
        name,
        `A person must allow each call, and this client cannot ask one: the server takes --allow ${bare}, or a narrower rule, which a denial names, or --mode full-access.`,
      );
  }
  return asking;
}
