/**
 * Owns the life of the server on standard input and output: from the first byte to the end of its client.
 * Leaves what is answered to connection.ts, the first answers to greet.ts. Rule: it ends when its client does and leaves nothing running.
 *
 * A cancelled request is not answered: the protocol asks for that, and a client settles its own side. Its work is
 * aborted, and whatever it would have said later is dropped.
 */
import type { Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Approve } from "../../contract/decision.ts";
import type { Session } from "../../session/session.ts";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import { createAsks } from "./asks.ts";
import { createConnection } from "./connection.ts";
import type { Greeting } from "./greet.ts";
import { relaxArguments } from "./relax-arguments.ts";
import {
  createPushedQuestion,
  createReturnedQuestion,
  createSettledQuestion,
  type RootQuestion,
} from "./root-question.ts";
import { createRootSwitch, type RootSwitch } from "./root-switch.ts";
import { openLineSorter } from "./sort-lines.ts";
import { withinTime } from "./within-time.ts";

/** A `write` of a whole file comes in one message; the SDK's own bound of 10 MB would end the connection. */
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;
/** What arrived before the end of input is still answered, if that takes no longer than this. */
const LAST_ANSWERS_MS = 1_000;
/** Closing may wait for children; past this the process ends anyway. */
const CLOSE_MAX_MS = 3_000;

export interface ServeOptions {
  readonly version: string;
  /** The only way to standard output; see stdout-guard.ts. */
  readonly output: Writable;
  /** The root named by the person; absent where the client is asked. */
  readonly root?: string;
  readonly cwd: string;
  /** Opens a session in a root. */
  readonly openRoot: (root: string, approve: Approve) => Promise<Session>;
  readonly definitions: readonly ToolDefinition[];
  /** Names of tools that a person must be asked about, and how to allow each where they cannot be. */
  readonly asking: ReadonlyMap<string, string>;
  readonly warn: (text: string) => void;
}

export interface StdioOptions extends ServeOptions {
  /** What the client was already answered, and what it sent since; absent where nobody has listened to it yet. */
  readonly greeting?: Greeting;
}

/** Serves until the client is gone, and resolves once everything is closed. */
export async function serveMcp(options: StdioOptions): Promise<void> {
  const asked = untilAsked();
  const asks = createAsks();
  const roots = createRootSwitch((root) => options.openRoot(root, asks.approve));
  if (options.root !== undefined) {
    const failed = await roots.take(options.root);
    if (failed !== undefined) throw new Error(failed);
  }
  const calls = countCalls();
  const input = openLineSorter((line) => void options.output.write(`${line}\n`));
  const transport = new StdioServerTransport(input, options.output, { maxBufferSize: MESSAGE_MAX_BYTES });
  const connection = serveStdio(
    ({ era }) =>
      createConnection({
        version: options.version,
        roots,
        question: createQuestion(era, roots, options),
        asks,
        era,
        asking: options.asking,
        definitions: options.definitions,
        onCallStart: calls.start,
        onCallEnd: calls.end,
      }),
    { transport, onerror: (error) => options.warn(error.message) },
  );
  relaxMessages(transport);
  if (options.greeting !== undefined) await goOnFrom(options.greeting, transport, input);
  await clientGone({ transport, input, idle: calls.idle, asked });
  await withinTime(
    CLOSE_MAX_MS,
    connection.close().then(() => roots.close()),
  );
}

function relaxMessages(transport: StdioServerTransport): void {
  const before = transport.onmessage;
  transport.onmessage = (message) => {
    relaxArguments(message);
    before?.(message);
  };
}

/** The server is told the opening as if it came now; an answer that was given already is not given again. */
async function goOnFrom(greeting: Greeting, transport: StdioServerTransport, input: Writable): Promise<void> {
  const { opening, answered, rest } = greeting;
  const [first, ...others] = opening;
  if (first !== undefined && answered !== undefined) {
    const send = transport.send.bind(transport);
    await new Promise<void>((resolve) => {
      transport.send = (message) => {
        if (!("id" in message) || message.id !== answered || "method" in message) return send(message);
        transport.send = send;
        resolve();
        return Promise.resolve();
      };
      input.write(`${first}\n`);
    });
  }
  for (const line of others) input.write(`${line}\n`);
  input.write(rest);
}

function createQuestion(era: "legacy" | "modern", roots: RootSwitch, options: ServeOptions): RootQuestion {
  if (options.root !== undefined) return createSettledQuestion();
  const adopt = { cwd: options.cwd, roots, warn: options.warn };
  return era === "legacy" ? createPushedQuestion(adopt) : createReturnedQuestion(adopt);
}

/** Resolves when the process is told to end; until then it does not end by that. */
function untilAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

interface Client {
  readonly transport: StdioServerTransport;
  readonly input: Writable;
  readonly idle: () => Promise<void>;
  readonly asked: Promise<void>;
}

/** Waits for the end: of the input, of the output, or by a signal. Calls that still run are aborted by the SDK. */
async function clientGone({ transport, input, idle, asked }: Client): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve();
    };
  });
  process.stdin.pipe(input, { end: false });
  const inputEnded = new Promise<void>((resolve) => {
    if (process.stdin.readableEnded || process.stdin.destroyed) resolve();
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    process.stdin.once("error", () => resolve());
  }).then(() => withinTime(LAST_ANSWERS_MS, idle()));
  await Promise.race([closed, inputEnded, asked]);
}

/** Counts the calls that run, so that the end of input can wait for them. */
function countCalls() {
  let running = 0;
  let wake: (() => void) | undefined;
  return {
    start: () => {
      running += 1;
    },
    end: () => {
      running -= 1;
      wake?.();
    },
    /** Resolves when no call has been running for a moment: a message may still be on its way to its handler. */
    async idle(): Promise<void> {
      for (let quiet = 0; quiet < 2; ) {
        if (running > 0) {
          quiet = 0;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
        quiet = running > 0 ? 0 : quiet + 1;
      }
    },
  };
}
