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
  add(bytes: Uint8Array): void;
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
  let omittedLines = 0;
  let taken = 0;

  function add(bytes: Uint8Array): void {
    part += bytes.length;
    const room = half - head.length();
    if (room > 0) head.add(bytes.length <= room ? bytes : bytes.subarray(0, room));
    if (room < bytes.length) omittedLines += ring.add(room > 0 ? bytes.subarray(room) : bytes);
  }

  function peek(): Captured {
    const omitted = part - head.length() - ring.length();
    return cutAtBorders({
      head: head.bytes(),
      tail: ring.bytes(),
      omittedBytes: omitted,
      omittedLines,
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
      const rest = last.slice(last.length - waiting);
      taken += part - waiting;
      part = 0;
      omittedLines = 0;
      head = openBuffer(half);
      ring = openRing(half);
      add(rest);
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

/** Grows to its bound: most commands print little. */
function openBuffer(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    length: () => length,
    bytes: () => buffer.subarray(0, length),
    add(bytes: Uint8Array) {
      if (length + bytes.length > buffer.length) {
        const grown = Math.max(FIRST_BYTES, buffer.length * 2, length + bytes.length);
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, grown));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      buffer.set(bytes, length);
      length += bytes.length;
    },
  };
}

/** Keeps the last bytes; `add` gives the newlines of those that fell out. */
function openRing(size: number) {
  const ring = openBuffer(size);
  let isFull = false;
  let at = 0;
  /** The byte that fell out last. */
  let before: number | undefined;

  /** Overwrites from the oldest on; the bytes are no more than the size. */
  function overwrite(bytes: Uint8Array): number {
    const whole = ring.bytes();
    const first = Math.min(bytes.length, size - at);
    const second = bytes.length - first;
    const lines = countNewlines(whole, at, at + first) + countNewlines(whole, 0, second);
    before = second > 0 ? whole[second - 1] : whole[at + first - 1];
    whole.set(first === bytes.length ? bytes : bytes.subarray(0, first), at);
    if (second > 0) whole.set(bytes.subarray(first), 0);
    at = (at + bytes.length) % size;
    return lines;
  }

  function fill(bytes: Uint8Array): number {
    const room = size - ring.length();
    if (bytes.length <= room) {
      ring.add(bytes);
      return 0;
    }
    ring.add(bytes.subarray(0, room));
    isFull = true;
    return overwrite(bytes.subarray(room));
  }

  return {
    length: () => ring.length(),
    before: () => before,
    add(bytes: Uint8Array): number {
      let lines = 0;
      // A chunk larger than the ring passes through it in steps.
      for (let from = 0; from < bytes.length; from += size) {
        const step = bytes.length <= size ? bytes : bytes.subarray(from, from + size);
        lines += isFull ? overwrite(step) : fill(step);
      }
      return lines;
    },
    bytes(): Buffer {
      const whole = ring.bytes();
      return isFull && at > 0 ? Buffer.concat([whole.subarray(at), whole.subarray(0, at)]) : whole;
    },
    last(count: number): Buffer {
      const whole = ring.bytes();
      const wanted = Math.min(count, whole.length);
      if (!isFull) return whole.subarray(whole.length - wanted);
      if (at >= wanted) return whole.subarray(at - wanted, at);
      return Buffer.concat([whole.subarray(size - (wanted - at)), whole.subarray(0, at)]);
    },
  };
}
