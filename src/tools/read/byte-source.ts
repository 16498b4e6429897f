/**
 * Owns what a page is read from: a size and reads at positions, whether a file or bytes in memory.
 * Rule: a source is read, never held whole unless it already is.
 */

export interface ByteSource {
  readonly size: number;
  /** The bytes from `position`, fewer only at the end. `into` may be used to hold them. */
  read(position: number, length: number, into?: Buffer): Promise<Buffer>;
}

export function sourceOfBytes(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  };
}

/** A source whose first bytes are already here: small files are then read once. */
export function withHead(source: ByteSource, head: Buffer): ByteSource {
  return {
    size: source.size,
    read: (position, length, into) => {
      const end = Math.min(position + length, source.size);
      return end <= head.length
        ? Promise.resolve(head.subarray(position, end))
        : source.read(position, length, into);
    },
  };
}

/** Bytes of one chunk of a scan: large enough that a read is cheap, counted in about a millisecond. */
const CHUNK_BYTES = 1_048_576;

/**
 * The bytes from `start` to `end` in chunks; the next one is read while the caller looks at this one.
 * Two buffers take turns, so a chunk is good until the one after the next is asked for.
 */
export async function* chunksOf(
  source: ByteSource,
  span: { start: number; end: number; signal: AbortSignal },
): AsyncGenerator<{ readonly at: number; readonly bytes: Buffer }> {
  const size = Math.min(CHUNK_BYTES, Math.max(span.end - span.start, 0));
  const buffers = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)] as const;
  let turn: 0 | 1 = 0;
  const readAt = (at: number) => {
    turn = turn === 0 ? 1 : 0;
    return source.read(at, Math.min(size, span.end - at), buffers[turn]);
  };
  let at = span.start;
  let pending = at < span.end ? readAt(at) : undefined;
  while (pending !== undefined) {
    const bytes: Buffer = await pending;
    span.signal.throwIfAborted();
    const following = at + bytes.length;
    pending = bytes.length > 0 && following < span.end ? readAt(following) : undefined;
    // A caller that stops early leaves this read behind; its failure must not become an unhandled rejection.
    pending?.catch(() => {});
    if (bytes.length > 0) yield { at, bytes };
    at = following;
  }
}
