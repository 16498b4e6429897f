/**
 * Owns the worker's end of the line: asking the host for something and doing nothing else until it is there.
 * Leaves what is asked to host-ports.ts. Rule: a tool that looks something up between two steps must not be torn apart
 * there; the host answers from memory, or from its ledger. A host that is gone is an error, and the channel's end.
 */
import { readSync, writeSync } from "node:fs";
import { encodeHeader, openFrameReader } from "../worker/frames.ts";
import { cutPieces, gatherPieces, isLengths } from "../worker/line.ts";
import { pack, unpack } from "../worker/packed.ts";
import { isSentError, receiveError } from "../worker/sent-error.ts";

/** What is inherited beside the streams and the channel. */
const LINE = 4;
const CHUNK_BYTES = 65_536;

export type AskNow = (id: number, port: string, input: unknown) => unknown;

export function openLine(fd = LINE): AskNow {
  const reader = openFrameReader();
  return (id, port, input) => {
    const parts = pack(input);
    for (const piece of cutPieces(parts)) {
      writeAll(fd, encodeHeader({ kind: "piece" }, piece.length));
      writeAll(fd, piece);
    }
    writeAll(fd, encodeHeader({ kind: "now", id, port, parts: parts.map(({ length }) => length) }, 0));
    return readReply(fd, reader);
  };
}

function readReply(fd: number, reader: ReturnType<typeof openFrameReader>): unknown {
  const pieces = gatherPieces();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let reply: { readonly value: unknown } | { readonly error: Error } | undefined;
  while (reply === undefined) {
    const bytes = readSync(fd, chunk);
    if (bytes === 0) throw new Error("the host is gone");
    // The reader keeps what it is given.
    reader.push(Buffer.from(chunk.subarray(0, bytes)), ({ header, body }) => {
      if (header.kind === "piece") pieces.add(body);
      else if (header.kind === "failed" && isSentError(header.error))
        reply = { error: receiveError(header.error) };
      else if (header.kind === "reply" && isLengths(header.parts))
        reply = { value: unpack(pieces.take(header.parts)) };
      else throw new Error("the host sent something that is not our protocol");
    });
  }
  if ("error" in reply) throw reply.error;
  return reply.value;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from);
}
