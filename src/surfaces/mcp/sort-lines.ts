/**
 * Owns what arrives on standard input and is no request that the SDK's server takes: it drops such a line without an
 * answer, and the client waits for ever. Leaves everything else, byte for byte, to the server.
 * Rule: a request that cannot be taken is refused under its own id; a batch, which revision 2025-03-26 knows, is passed
 * on message by message. A line of more than a mebibyte is passed on unread: to read it twice would cost more than it saves.
 */
import { Transform } from "node:stream";
import { isRecord } from "../../text/is-record.ts";

const READ_MAX_BYTES = 1_048_576;
const NEWLINE = 10;
const INVALID_REQUEST = -32_600;

/** `refuse` is given each answer, as one line without its end. */
export function openLineSorter(refuse: (line: string) => void): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isLong = false;
  const hold = (bytes: Buffer) => {
    held.push(bytes);
    heldBytes += bytes.length;
  };
  const release = (): Buffer => {
    const line = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return line;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let start = 0; start < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, start);
        const end = newline < 0 ? chunk.length : newline + 1;
        hold(chunk.subarray(start, end));
        start = end;
        isLong ||= heldBytes > READ_MAX_BYTES;
        if (isLong) this.push(release());
        else if (newline >= 0) for (const line of sortLine(release(), refuse)) this.push(line);
        if (newline >= 0) isLong = false;
      }
      done();
    },
    flush(done) {
      if (heldBytes > 0) this.push(release());
      done();
    },
  });
}

/** The lines that the server is given for one that came. */
function sortLine(line: Buffer, refuse: (line: string) => void): Buffer[] {
  const message = readJson(line);
  if (!Array.isArray(message)) {
    const fault = findFault(message);
    if (fault === undefined) return [line];
    refuse(answer(message, fault));
    return [];
  }
  if (message.length === 0) refuse(answer(undefined, "a batch must hold a message"));
  return message.flatMap((one) => sortLine(Buffer.from(`${JSON.stringify(one)}\n`), refuse));
}

function readJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** What is wrong with a request; nothing with what asks for no answer. */
function findFault(message: unknown): string | undefined {
  if (!isRecord(message) || !("id" in message) || !("method" in message)) return undefined;
  if (!isId(message.id)) return "id must be a string or a whole number";
  if (message.jsonrpc !== "2.0") return 'jsonrpc must be "2.0"';
  if (typeof message.method !== "string") return "method must be a string";
  if (message.params !== undefined && !isRecord(message.params)) return "params must be an object";
  return undefined;
}

function answer(message: unknown, fault: string): string {
  const given = isRecord(message) ? message.id : null;
  const id = isId(given) || typeof given === "number" ? given : null;
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code: INVALID_REQUEST, message: `Invalid request: ${fault}` },
  });
}

function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isSafeInteger(id);
}
