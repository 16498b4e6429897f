/**
 * Owns starting the built `haft mcp` for tests: through the real client, or as a bare process whose every line of
 * standard output can be seen. Leaves judging to the tests. Rule: what is started here is ended here.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";

export const HAFT = join(import.meta.dirname, "..", "..", "dist", "surfaces", "cli", "main.js");

/** A fresh directory, removed after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Connected {
  readonly client: Client;
  /** What the server has said on standard error so far. */
  readonly errors: () => string;
  readonly pid: number;
}

export interface ConnectOptions {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: ClientOptions;
  /** Called before the connection is made, to answer what the server asks. */
  readonly prepare?: (client: Client) => void;
}

/** Starts `haft mcp` as a child of a real client. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const client = new Client({ name: "haft-test", version: "1.0.0" }, options.client ?? {});
  options.prepare?.(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [HAFT, "mcp", ...options.args],
    stderr: "pipe",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: { ...getDefaultEnvironment(), ...options.env } }),
  });
  let errors = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, errors: () => errors, pid: transport.pid ?? -1 };
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly [key: string]: unknown; readonly content?: { readonly text?: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface BareServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every line of standard output so far. */
  readonly lines: string[];
  readonly errors: () => string;
  send(message: Readonly<Record<string, unknown>>): void;
  /** Waits for the answer to a request. */
  answer(id: number): Promise<Message>;
  /** Waits for the end and gives the exit code. */
  ended(): Promise<number | null>;
}

/** Starts a server without a client, so that a test sees exactly what is written. */
export function startBare(
  args: readonly string[],
  options: { cwd?: string; nodeArgs?: readonly string[] } = {},
) {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), HAFT, "mcp", ...args], {
    cwd: options.cwd ?? process.cwd(),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const lines: string[] = [];
  let rest = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    rest += chunk.toString();
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const server: BareServer = {
    child,
    lines,
    errors: () => errors,
    send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    async answer(id) {
      for (;;) {
        const found = lines
          .map(parseLine)
          .find((message) => message?.id === id && message.method === undefined);
        if (found !== undefined) return found;
        if (child.exitCode !== null)
          throw new Error(`the server ended without an answer to ${id}: ${errors}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    ended: () => exit,
  };
  return server;
}

function parseLine(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

/** The opening of the 2025 protocol. */
export async function openBare(server: BareServer, capabilities: object = {}): Promise<void> {
  server.send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities, clientInfo: { name: "bare", version: "1" } },
  });
  await server.answer(0);
  server.send({ method: "notifications/initialized" });
}

/** The text of a call's answer. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { readonly type: string; readonly text?: string }[] };
  return content.map((block) => block.text ?? `(${block.type})`).join("\n");
}
