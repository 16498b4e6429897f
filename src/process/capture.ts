/**
 * Owns keeping the first and the last of a stream within a bound, whatever its length.
 * Leaves reading the stream to drain.ts and cutting what was kept at its borders to captured.ts.
 * Rule: memory is bounded by what is kept; a byte that is not kept costs a copy and a look for its newlines, no more.
 */

import type { Captured } from "../contract/shell.ts";
import { countNewlines } from "../text/lines.ts";
import { cutAtBorders } from "./captured.ts";

export interface Capture {
  /** Bytes that came in all. */
  readonly seen: () => number;
  /** Bytes that came since the last `take`. */
  readonly untaken: () => number;
  /** The first bytes of a buffer, which may be reused afterwards. */
  add(bytes: Buffer, length: number): void;
  /** What came since the last `take`, kept on. */
  peek(): Captured;
  /** The same, and what comes afterwards is new. A character that is not whole yet waits for its rest. */
  take(of: { readonly isOver: boolean }): Captured;
  /** The last of what is new since `offset` (counted from the start of the stream), at most `maxBytes`. */
  latest(offset: number, maxBytes: number): Uint8Array;
}

const FIRST_BYTES = 8_192;

export function openCapture(maxBytes: number): Capture {
  const half = Math.max(4, maxBytes >> 1);
  let head = openBuffer(half);
  let ring = openRing(half);
  /** Of the part since the last take. */
  let part = 0;
  let taken = 0;

  function add(bytes: Buffer, length: number): void {
    part += length;
    const taken = head.length() < half ? head.add(bytes, 0, length) : 0;
    if (taken < length) ring.add(bytes, taken, length);
  }

  function peek(): Captured {
    const omitted = part - head.length() - ring.length();
    return cutAtBorders({
      head: head.bytes(),
      tail: ring.bytes(),
      omittedBytes: omitted,
      omittedLines: ring.lostLines(),
      half,
      beforeTail: ring.before(),
    });
  }

  return {
    seen: () => taken + part,
    untaken: () => part,
    add,
    peek,
    take({ isOver }) {
      const captured = peek();
      const last = captured.tail.length > 0 ? captured.tail : captured.head;
      const waiting = isOver ? 0 : unfinishedBytes(last);
      const rest = Buffer.from(last.subarray(last.length - waiting));
      taken += part - waiting;
      part = 0;
      head = openBuffer(half);
      ring = openRing(half);
      add(rest, rest.length);
      return waiting === 0 ? captured : dropEnd(captured, waiting);
    },
    latest(offset, most) {
      const wanted = Math.min(most, part, taken + part - offset);
      if (wanted <= 0) return new Uint8Array();
      const fromRing = ring.last(wanted);
      if (fromRing.length === wanted) return fromRing;
      const before = head.bytes();
      return Buffer.concat([before.subarray(before.length - (wanted - fromRing.length)), fromRing]);
    },
  };
}

function dropEnd(captured: Captured, count: number): Captured {
  const seen = captured.seen - count;
  return captured.tail.length > 0
    ? { ...captured, seen, tail: captured.tail.subarray(0, captured.tail.length - count) }
    : { ...captured, seen, head: captured.head.subarray(0, captured.head.length - count) };
}

/** Bytes at the end that begin a character of UTF-8 and lack its rest. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return byte < 0xf8 && needed > back ? back : 0;
  }
  return 0;
}

/** Grows to its bound: most commands print little. `add` takes as much as there is room for, and says how much. */
function openBuffer(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    length: () => length,
    bytes: () => buffer.subarray(0, length),
    add(bytes: Buffer, from: number, end: number): number {
      const count = Math.min(end - from, maxBytes - length);
      if (length + count > buffer.length) {
        const grown = Math.max(FIRST_BYTES, buffer.length * 2, length + count);
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, grown));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      bytes.copy(buffer, length, from, from + count);
      length += count;
      return count;
    },
  };
}

/** Keeps the last bytes. Newlines are counted a whole turn at a time: a call for each chunk would cost more than the copy. */
function openRing(size: number) {
  const filling = openBuffer(size);
  /** The whole of it, once it is full. */
  let ring: Buffer | undefined;
  let at = 0;
  let turnLines = 0;
  /** The byte that fell out last. */
  let before: number | undefined;

  function overwrite(whole: Buffer, bytes: Buffer, from: number, end: number): void {
    for (let next = from; next < end; ) {
      const count = Math.min(end - next, size - at);
      before = whole[at + count - 1];
      bytes.copy(whole, at, next, next + count);
      next += count;
      at += count;
      if (at < size) continue;
      at = 0;
      turnLines += countNewlines(whole);
    }
  }

  return {
    length: () => filling.length(),
    before: () => before,
    /** Newlines of what fell out: those of all turns, but for what is still there of the last. */
    lostLines: () => (ring === undefined ? 0 : turnLines - countNewlines(ring, at)),
    add(bytes: Buffer, from: number, end: number): void {
      const taken = ring === undefined ? filling.add(bytes, from, end) : 0;
      if (ring === undefined && filling.length() === size) {
        ring = filling.bytes();
        turnLines = countNewlines(ring);
      }
      if (ring !== undefined) overwrite(ring, bytes, from + taken, end);
    },
    bytes(): Buffer {
      if (ring === undefined) return filling.bytes();
      return at === 0 ? ring : Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    },
    last(count: number): Buffer {
      const whole = ring ?? filling.bytes();
      const wanted = Math.min(count, whole.length);
      if (ring === undefined) return whole.subarray(whole.length - wanted);
      if (at >= wanted) return whole.subarray(at - wanted, at);
      return Buffer.concat([whole.subarray(size - (wanted - at)), whole.subarray(0, at)]);
    },
  };
}
