/**
 * Owns undoing a body's `Content-Encoding` as a stream, up to a number of decoded bytes.
 * Leaves what the bytes mean to content.ts. Rule: the bound is on what comes out, memory holds no more than that
 * and a chunk a decoder, and bytes that are still compressed are never given out as content.
 */
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

interface Undecodable {
  readonly kind: "undecodable";
  readonly encoding: string;
  readonly reason: "unknown" | "too-many" | "broken" | "truncated";
}

export type DecodedBody =
  | { readonly kind: "body"; readonly bytes: Buffer; readonly isCut: boolean }
  | Undecodable;

/** What this client asks for. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** Servers stack two at most, by mistake; each decoder may cost 16 MiB for its window. */
const MAX_ENCODINGS = 3;

/** How much larger a body may be than what it decodes to. Past that it is made of blocks that say nothing, without end. */
const SLACK_BYTES = 65_536;

/** The encodings in the order in which they were put on, or why they cannot be undone. */
export function readEncodings(header: string): readonly string[] | Undecodable {
  const names = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim().replace(/^x-(?=gzip$)/, ""))
    .filter((name) => name !== "" && name !== "identity");
  const unknown = names.find((name) => !["gzip", "deflate", "br"].includes(name));
  if (unknown !== undefined)
    return { kind: "undecodable", encoding: unknown.slice(0, 40), reason: "unknown" };
  if (names.length <= MAX_ENCODINGS) return names;
  return { kind: "undecodable", encoding: names.join(", ").slice(0, 40), reason: "too-many" };
}

/** What is known of the raw bytes while they go through the decoders. */
interface RawState {
  bytes: number;
  isCut: boolean;
  error: unknown;
}

/**
 * Reads a body to its end or to `maxBytes` decoded bytes, and destroys its source. Rejects with the source's own
 * error; a decoder's is a value.
 */
export async function readDecoded(of: {
  readonly source: Readable;
  readonly encodings: readonly string[];
  readonly maxBytes: number;
  onBytes(count: number): void;
}): Promise<DecodedBody> {
  const state: RawState = { bytes: 0, isCut: false, error: undefined };
  const kept: Buffer[] = [];
  let left = of.maxBytes;
  const body = (isCut: boolean): DecodedBody => ({ kind: "body", bytes: Buffer.concat(kept), isCut });
  try {
    let chunks = readRaw({ ...of, maxBytes: of.maxBytes + SLACK_BYTES, state });
    for (const name of of.encodings.toReversed()) chunks = decodeOne(name, chunks);
    for await (const chunk of chunks) {
      // A copy: the piece may be a small part of a buffer that would be held with it.
      kept.push(Buffer.from(chunk.subarray(0, left)));
      if (chunk.length > left) return body(true);
      left -= chunk.length;
    }
    return body(state.isCut);
  } catch (error) {
    // All that is kept is there: a server that stalls or fails after that changes nothing.
    if (state.isCut || left === 0) return body(true);
    if (state.error !== undefined) throw state.error;
    const isShort = (error as { code?: unknown }).code === "Z_BUF_ERROR";
    const reason = isShort ? "truncated" : "broken";
    return { kind: "undecodable", encoding: of.encodings.join(", "), reason };
  } finally {
    // Also what lets go of a feeder that waits for a slow server.
    of.source.destroy();
  }
}

async function* readRaw(of: {
  readonly source: Readable;
  readonly maxBytes: number;
  readonly state: RawState;
  onBytes(count: number): void;
}): AsyncGenerator<Buffer> {
  const { state } = of;
  try {
    for await (const chunk of of.source as AsyncIterable<Buffer>) {
      state.bytes += chunk.length;
      of.onBytes(chunk.length);
      state.isCut = state.bytes > of.maxBytes;
      if (state.isCut) return;
      if (chunk.length > 0) yield chunk;
    }
  } catch (error) {
    state.error = error;
    throw error;
  }
}

/** A response without a body may still name the encoding that it would have had: nothing in, nothing out. */
async function* decodeOne(name: string, source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await source.next();
  if (first.done === true) return;
  const decoder = createDecoder(name, first.value[0] ?? 0);
  void feed({ decoder, first: first.value, source });
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) yield chunk;
  } finally {
    decoder.destroy();
  }
}

function createDecoder(name: string, firstByte: number): Transform {
  if (name === "br") return createBrotliDecompress();
  if (name === "gzip") return createGunzip();
  // `deflate` means zlib's wrapping, and is sent without it by servers that read the name as it stands.
  return (firstByte & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
}

/** One chunk at a time: the next is taken once the decoder's own output has been taken. */
async function feed(of: {
  readonly decoder: Transform;
  readonly first: Buffer;
  readonly source: AsyncGenerator<Buffer>;
}): Promise<void> {
  const { decoder, source } = of;
  try {
    await write(decoder, of.first);
    for await (const chunk of source) {
      if (decoder.destroyed) return;
      await write(decoder, chunk);
    }
    decoder.end();
  } catch (error) {
    decoder.destroy(error instanceof Error ? error : new Error("the body failed"));
  }
}

/** Settles when the chunk is decoded or the decoder is gone. */
function write(decoder: Transform, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      decoder.off("close", done);
      resolve();
    };
    decoder.once("close", done);
    decoder.write(chunk, done);
  });
}
