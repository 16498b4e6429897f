/**
 * Owns starting the built `haft mcp --http` for tests, and speaking to it with the real client or with bare requests.
 * Leaves judging to the tests. Rule: loopback only; what is started here is ended here.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { type IncomingHttpHeaders, request } from "node:http";
import { pathToFileURL } from "node:url";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { HAFT, makeFolder } from "./start-server.ts";

export interface Serving {
  readonly url: string;
  readonly child: ChildProcess;
  readonly errors: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts `haft mcp --http`, or a program of the test's own that says where it serves as that does. */
export function startHttp(
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly program?: string } = {},
): Promise<Serving> {
  const { program, env } = options;
  return startServing(
    program === undefined ? [HAFT, "mcp", "--http", "0", ...args] : [program, ...args],
    env === undefined ? {} : { env },
  );
}

/** Starts a script that says where it serves, with this Node or another. */
export async function startServing(
  words: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly node?: string } = {},
): Promise<Serving> {
  const child = spawn(options.node ?? process.execPath, words, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, XDG_CONFIG_HOME: makeFolder(), ...options.env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  for (;;) {
    const url = /serving (\S+)/.exec(errors)?.[1];
    if (url !== undefined) return { url, child, errors: () => errors, ended };
    if (child.exitCode !== null) throw new Error(`the server ended: ${errors}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function connectHttp(
  url: string,
  options: {
    readonly client?: ClientOptions;
    readonly token?: string;
    readonly prepare?: (client: Client) => void;
  } = {},
) {
  const client = new Client({ name: "haft-test", version: "1.0.0" }, options.client ?? {});
  options.prepare?.(client);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(options.token === undefined
      ? {}
      : { requestInit: { headers: { authorization: `Bearer ${options.token}` } } }),
  });
  await client.connect(transport);
  onTestFinished(() => client.close().catch(() => {}));
  return { client, transport };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const ACCEPT = { accept: "application/json, text/event-stream", "content-type": "application/json" };

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bare", version: "1" } },
};

/** One bare request, with any headers whatever. */
export function sendBare(of: {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}): Promise<Answer> {
  const { url, method = "POST", headers = {}, body } = of;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...ACCEPT, ...headers } }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  });
}

export const rootUri = (root: string): string => pathToFileURL(root).href;
