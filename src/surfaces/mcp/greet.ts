/**
 * Owns the greeting on standard input: the first answers, `initialize` and `tools/list`, given before the SDK is
 * loaded, which takes longer than everything else that they need. A client that starts many servers waits for these.
 * Leaves every other message to the SDK's server (serve-mcp.ts), which learns of the greeting when it is there.
 *
 * Rule: it answers only what it answers as the SDK's server would, byte for byte: the exact messages that clients
 * open with. At anything else, at the end of input, once the tools are listed, and after a moment of quiet, it hands
 * over with every byte that it has not answered.
 */
import type { Readable, Writable } from "node:stream";
import { isRecord } from "../../text/is-record.ts";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import { offersForm } from "./client-capabilities.ts";
import { describeServer } from "./describe-server.ts";
import { listTools } from "./list-tools.ts";

/** The revisions that are opened with `initialize`; of any other the SDK knows better. */
export const GREETED_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** A client that says nothing for this long is one that thinks: the server is made ready meanwhile. */
const QUIET_MS = 200;

/** What is longer is no greeting. */
const GREETING_MAX_BYTES = 65_536;

export interface Listed {
  readonly definitions: readonly ToolDefinition[];
  readonly asking: ReadonlyMap<string, string>;
}

export interface GreetOptions {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** The tools that a client with these capabilities is shown; undefined where that is not settled yet. */
  readonly list: (capabilities: unknown) => Promise<Listed | undefined>;
}

export interface Greeting {
  /** What the server must be told: `initialize` and what followed it, as it came. */
  readonly opening: readonly string[];
  /** The id of the `initialize` that was answered here. */
  readonly answered: string | number | undefined;
  /** Bytes that came after what was answered. */
  readonly rest: Buffer;
}

type Message = Readonly<Record<string, unknown>>;

/** Greets, and gives what the server goes on with. The input is paused and has no listener then. */
export async function greetClient({ version, input, output, list }: GreetOptions): Promise<Greeting> {
  const lines = openLines(input);
  const opening: string[] = [];
  let answered: Greeting["answered"];
  const give = () => ({ opening, answered, rest: lines.close() });
  const answer = (id: unknown, result: unknown) =>
    void output.write(`${JSON.stringify({ result, jsonrpc: "2.0", id })}\n`);

  const first = await lines.next();
  const greeted = first === undefined ? undefined : readInitialize(first);
  if (first === undefined || greeted === undefined) return give();
  const { serverInfo, capabilities, instructions } = describeServer(version);
  opening.push(first);
  lines.take();
  answered = greeted.id;
  answer(greeted.id, { protocolVersion: greeted.version, capabilities, serverInfo, instructions });

  const second = await lines.next();
  if (second === undefined || !isInitialized(second)) return give();
  opening.push(second);
  lines.take();

  const third = await lines.next();
  const asked = third === undefined ? undefined : readList(third);
  const listed = asked === undefined ? undefined : await list(greeted.capabilities);
  if (asked === undefined || listed === undefined) return give();
  lines.take();
  const answerable = offersForm(greeted.capabilities);
  answer(asked.id, listTools({ ...listed, answerable, announced: undefined }));
  return give();
}

function readInitialize(line: string) {
  const { id, method, params, ...others } = parse(line);
  if (!isRequestOf("initialize", { id, method, others }) || !isRecord(params)) return undefined;
  const { protocolVersion, capabilities, clientInfo, ...unknown } = params;
  const version = GREETED_VERSIONS.find((known) => known === protocolVersion);
  if (version === undefined || Object.keys(unknown).length > 0) return undefined;
  if (!isRecord(capabilities) || !Object.values(capabilities).every(isPlainAbility)) return undefined;
  return isPlainInfo(clientInfo) ? { id: id as string | number, version, capabilities } : undefined;
}

function isInitialized(line: string): boolean {
  const { jsonrpc, method, params, ...others } = parse(line);
  const isPlain = Object.keys(others).length === 0 && (params === undefined || isEmpty(params));
  return jsonrpc === "2.0" && method === "notifications/initialized" && isPlain;
}

function readList(line: string) {
  const { id, method, params, ...others } = parse(line);
  if (!isRequestOf("tools/list", { id, method, others })) return undefined;
  return params === undefined || isEmpty(params) ? { id } : undefined;
}

function isRequestOf(
  wanted: string,
  { id, method, others }: { id: unknown; method: unknown; others: Message },
) {
  const isId = typeof id === "string" || Number.isSafeInteger(id);
  const { jsonrpc, ...unknown } = others;
  return isId && jsonrpc === "2.0" && method === wanted && Object.keys(unknown).length === 0;
}

/** `{}`, `{ listChanged: true }`, `{ form: {} }`: what the SDK's schema takes in any place. */
function isPlainAbility(ability: unknown): boolean {
  return (
    isRecord(ability) &&
    Object.entries(ability).every(([name, value]) =>
      name === "listChanged" ? typeof value === "boolean" : isRecord(value) && isPlainAbility(value),
    )
  );
}

function isPlainInfo(info: unknown): boolean {
  if (!isRecord(info)) return false;
  const { name, version, title = "", ...others } = info;
  return [name, version, title].every((text) => typeof text === "string") && Object.keys(others).length === 0;
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** What is no JSON object has no members, and so is nothing that is answered here. */
function parse(line: string): Message {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The lines of a stream, one at a time; what was not taken is given back at the end. */
function openLines(input: Readable) {
  let held: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    wake();
  };
  const onEnd = () => {
    ended = true;
    wake();
  };
  const ends = ["end", "close", "error"] as const;
  input.on("data", onData);
  for (const end of ends) input.on(end, onEnd);
  const lineEnd = () => held.indexOf("\n");
  return {
    /** The next line, without taking it; undefined where none comes. */
    async next(): Promise<string | undefined> {
      let isLate = false;
      const isOpen = () => !isLate && !ended && held.length <= GREETING_MAX_BYTES;
      const timer = setTimeout(() => {
        isLate = true;
        wake();
      }, QUIET_MS);
      while (lineEnd() < 0 && isOpen()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      clearTimeout(timer);
      return lineEnd() < 0 ? undefined : held.toString("utf8", 0, lineEnd());
    },
    take(): void {
      held = held.subarray(lineEnd() + 1);
    },
    close(): Buffer {
      input.pause();
      input.off("data", onData);
      for (const end of ends) input.off(end, onEnd);
      return held;
    },
  };
}
