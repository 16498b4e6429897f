/**
 * Owns reading what a command prints, to the end, whatever is kept of it.
 * Leaves keeping it to capture.ts. Rule: it never pauses, so that a command never waits for us; the chunk that is
 * handed on is valid only until the call returns.
 */
import { Socket } from "node:net";
import type { Readable } from "node:stream";

export interface Drain {
  /** Whether everyone has closed the other end. */
  isOver(): boolean;
  readonly over: Promise<void>;
  /** Stops reading: whoever prints into it from now on gets a broken pipe. */
  close(): void;
}

/** The first bytes of a buffer; no view of them is made, because a flood makes tens of thousands. */
export type OnChunk = (buffer: Buffer, length: number) => void;

/** One for all: it is filled and handed on in one step. */
const buffer = Buffer.allocUnsafeSlow(65_536);

export function drainPipe(fd: number, onChunk: OnChunk): Drain {
  const onread = {
    buffer,
    callback(length: number) {
      onChunk(buffer, length);
      return true;
    },
  };
  // The types know `onread` for connecting alone.
  const options = { fd, readable: true, writable: false, onread };
  return watchEnd(new Socket(options));
}

/** Where there are no pipes of our own making. */
export function drainStream(stream: Readable, onChunk: OnChunk): Drain {
  stream.on("data", (chunk: Buffer) => onChunk(chunk, chunk.length));
  return watchEnd(stream);
}

function watchEnd(stream: Readable): Drain {
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      resolve();
    };
    stream.once("end", end).once("close", end);
    // What cannot be read is at its end.
    stream.on("error", () => stream.destroy());
  });
  return { isOver: () => isOver, over, close: () => void stream.destroy() };
}
