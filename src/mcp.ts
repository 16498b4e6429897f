/**
 * Owns `haft/mcp`: a host serves a session, with tools of its own, to MCP clients, as `haft mcp` does with haft's alone.
 * Leaves serving to surfaces/mcp. Rule: a host's options are the session's; asking is the client's.
 */
import { createRequire } from "node:module";
import { OptionsError } from "./contract/errors.ts";
import { judgeByMode } from "./permission/tool-table.ts";
import { openSession } from "./session/open-session.ts";
import type { Session } from "./session/session.ts";
import type { SessionOptions } from "./session/session-options.ts";
import type { CatalogTool } from "./toolset/mount.ts";

/** What `serveMcp` takes: every option of `openSession` but those that the client and the server settle. */
export interface ServeMcpOptions<Name extends string = CatalogTool["name"]>
  extends Omit<SessionOptions<Name>, "approve" | "sessionId" | "signal"> {
  /** Streamable HTTP instead of standard input and output: any number of clients, each with a session of its own. Default: standard input and output, one client. */
  readonly http?: ServeHttp | undefined;
}

/** Where to listen. */
export interface ServeHttp {
  /** 0 for a free one; standard error says which. */
  readonly port: number;
  /** The address. Default `"127.0.0.1"`: only programs of this machine. Anything else wants a token. */
  readonly host?: string;
  /** The bearer token that every request has to show. Default none. */
  readonly token?: string;
}

/**
 * Serves the tools of a session over the Model Context Protocol: on standard input and output until the client is
 * gone, or with `http` until the process is told to end (SIGTERM, SIGINT, SIGHUP). Resolves once everything is closed.
 * What permission asks about, the client's person is asked, where the client can (elicitation); else it is denied.
 *
 * On standard output only the protocol may speak: call this before anything prints. What is printed later goes to
 * standard error. Rejects with an `OptionsError` for wrong options, and with an `Error` where the root, the ledger or
 * the port cannot be had.
 */
export async function serveMcp<const Name extends CatalogTool["name"]>(
  options: ServeMcpOptions<Name>,
): Promise<void> {
  const { http, ...session } = checkOptions(options);
  const { claimStdout } = await import("./surfaces/mcp/stdout-guard.ts");
  const output = http === undefined ? claimStdout() : undefined;
  const listed = await openSession({ ...session, ledger: "memory" });
  const definitions = listed.definitions();
  const asking = listAsking(listed, session);
  await listed.close();
  const serving = {
    version: readVersion(),
    root: session.root,
    cwd: session.root,
    openRoot: async (root: string, approve: SessionOptions["approve"]): Promise<Session> =>
      (await openSession({ ...session, root, approve })) as unknown as Session,
    definitions,
    asking,
    warn: (text: string) => void process.stderr.write(`${text}\n`),
  };
  if (output === undefined) {
    const { serveHttp } = await import("./surfaces/mcp/serve-http.ts");
    await serveHttp({ ...serving, host: "127.0.0.1", port: 0, ...http });
  } else {
    const { serveMcp: serveStdio } = await import("./surfaces/mcp/serve-mcp.ts");
    await serveStdio({ ...serving, output });
    // Nobody reads it any more; left open it would keep the process.
    process.stdin.destroy();
  }
}

/** Of the package, as the command line says it. */
function readVersion(): string {
  return (createRequire(import.meta.url)("../package.json") as { version: string }).version;
}

/** What is the session's, the session checks. */
function checkOptions(options: unknown): ServeMcpOptions {
  const given = (typeof options === "object" && options !== null ? options : {}) as ServeMcpOptions;
  const { http } = given;
  for (const name of ["approve", "sessionId", "signal"])
    if (Object.hasOwn(given, name))
      throw new OptionsError({ option: name, expected: "none: each client has a session, and is asked" });
  if (http === undefined) return given;
  const expected = "an object with port, and with host and token where others are let in";
  if (typeof http !== "object" || http === null) throw new OptionsError({ option: "http", expected });
  const { port } = http;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new OptionsError({ option: "http.port", expected: "a port from 0 to 65535" });
  return given;
}

/** What a model is told of each tool that the mode asks about, where nobody can be asked. */
function listAsking(
  { names, bare }: Pick<Session, "names" | "bare">,
  { mode = "workspace-write", rules }: Pick<SessionOptions, "mode" | "rules">,
): ReadonlyMap<string, string> {
  const asked = names().filter((name) => {
    const tool = bare(name) ?? name;
    return judgeByMode(mode, tool) === "ask" && rules?.allow?.includes(tool) !== true;
  });
  const condition =
    "Where no rule of this server allows a call, a person must, and this client cannot ask one: it is then denied.";
  return new Map(asked.map((name) => [name, condition]));
}
