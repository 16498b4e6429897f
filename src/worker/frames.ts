/**
 * Owns the frames on the channel between a host and its worker: eight bytes of lengths, a JSON object, bytes.
 * Leaves what the objects mean to messages.ts. Rule: lengths are checked before anything is kept. The attack: what
 * is on the other end is not our worker, or is broken, and says that four gigabytes are to come.
 */

/** A command, its environment and its folder are far below; the system takes no argument over 128 KiB. */
export const MAX_HEADER_BYTES = 16_777_216;
/** What is larger comes in pieces. */
export const MAX_BODY_BYTES = 1_048_576;
const PREFIX_BYTES = 8;

/** What the other end did, where it said anything but this. */
export const NOT_PROTOCOL = "sent something that is not its protocol";

export interface Frame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** What arrived, or is to be sent, is no frame. Its message is a verb phrase, as `WorkerError` takes it. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** The prefix and the header as one piece, so that a frame without a body is one write. */
export function encodeHeader(header: object, bodyBytes: number): Buffer {
  const text = JSON.stringify(header);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_HEADER_BYTES)
    throw new FrameError(`takes messages of at most ${MAX_HEADER_BYTES} bytes, not of ${bytes}`);
  if (bodyBytes > MAX_BODY_BYTES)
    throw new FrameError(`takes pieces of at most ${MAX_BODY_BYTES} bytes, not of ${bodyBytes}`);
  const encoded = Buffer.allocUnsafe(PREFIX_BYTES + bytes);
  encoded.writeUInt32BE(bytes, 0);
  encoded.writeUInt32BE(bodyBytes, 4);
  encoded.write(text, PREFIX_BYTES);
  return encoded;
}

export interface FrameReader {
  /** Takes what has arrived, however it was cut, and gives each frame that is whole. Throws `FrameError`. */
  push(chunk: Buffer, take: (frame: Frame) => void): void;
  /** Whether a frame has begun to arrive that is not whole. */
  isInside(): boolean;
}

export function openFrameReader(): FrameReader {
  const bytes = openByteQueue();
  let lengths: { readonly header: number; readonly body: number } | undefined;
  return {
    push(chunk, take) {
      bytes.add(chunk);
      for (;;) {
        if (lengths === undefined && bytes.length() >= PREFIX_BYTES)
          lengths = readLengths(bytes.take(PREFIX_BYTES));
        if (lengths === undefined || bytes.length() < lengths.header + lengths.body) return;
        const header = parseHeader(bytes.take(lengths.header));
        const body = bytes.take(lengths.body);
        lengths = undefined;
        take({ header, body });
      }
    },
    isInside: () => lengths !== undefined || bytes.length() > 0,
  };
}

function readLengths(prefix: Buffer): { header: number; body: number } {
  const header = prefix.readUInt32BE(0);
  const body = prefix.readUInt32BE(4);
  // `{}` is the shortest header.
  if (header < 2 || header > MAX_HEADER_BYTES || body > MAX_BODY_BYTES) throw new FrameError(NOT_PROTOCOL);
  return { header, body };
}

function parseHeader(bytes: Buffer): Readonly<Record<string, unknown>> {
  let header: unknown;
  try {
    header = JSON.parse(bytes.toString("utf8"));
  } catch {
    // Told below.
  }
  if (typeof header !== "object" || header === null || Array.isArray(header))
    throw new FrameError(NOT_PROTOCOL);
  return header as Readonly<Record<string, unknown>>;
}

/** Chunks in the order in which they came. A piece that lies in one chunk is not copied. */
function openByteQueue() {
  const chunks: Buffer[] = [];
  let total = 0;
  return {
    length: () => total,
    add(chunk: Buffer): void {
      if (chunk.length === 0) return;
      chunks.push(chunk);
      total += chunk.length;
    },
    take(count: number): Buffer {
      total -= count;
      const first = chunks[0];
      if (first !== undefined && first.length > count) {
        chunks[0] = first.subarray(count);
        return first.subarray(0, count);
      }
      const parts: Buffer[] = [];
      let used = 0;
      for (let missing = count; missing > 0; ) {
        const chunk = chunks[used] as Buffer;
        const part = chunk.subarray(0, missing);
        parts.push(part);
        missing -= part.length;
        if (part.length === chunk.length) used++;
        else chunks[used] = chunk.subarray(part.length);
      }
      chunks.splice(0, used);
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, count);
    },
  };
}
