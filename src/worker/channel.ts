/**
 * Owns sending and receiving frames over one stream, alike on both ends.
 * Leaves the stream to whoever opened it, the frames to frames.ts. Rule: what can no longer be sent is dropped; the
 * end is told once, with what was wrong where something was.
 */
import type { Duplex } from "node:stream";
import { encodeHeader, type Frame, FrameError, openFrameReader } from "./frames.ts";

/** What the other end did where its stream ended before its message had. */
export const CUT_OFF = "ended in the middle of a message";

export interface Channel {
  /** Throws `FrameError` for what is too large. */
  send(message: object, body?: Uint8Array): void;
  /** Resolves once there is room to send more, or nothing can be sent any more. */
  whenRoomy(): Promise<void>;
  isRoomy(): boolean;
  close(): void;
  /** Closes once what was sent is on its way. */
  finish(): Promise<void>;
}

export interface ChannelEvents {
  /** What it throws as a `FrameError` ends the channel. */
  frame(frame: Frame): void;
  /** `error` is a verb phrase: what the other end did. */
  end(error: string | undefined): void;
}

export function openChannel(stream: Duplex, on: ChannelEvents): Channel {
  const reader = openFrameReader();
  const waiting: (() => void)[] = [];
  let open = true;
  const goOn = () => {
    for (const resume of waiting.splice(0)) resume();
  };
  const end = (error?: string) => {
    if (!open) return;
    open = false;
    stream.destroy();
    goOn();
    on.end(error);
  };
  stream.on("data", (chunk: Buffer) => {
    try {
      reader.push(chunk, (frame) => {
        if (open) on.frame(frame);
      });
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      end(error.message);
    }
  });
  stream.on("drain", goOn);
  stream.on("end", () => end(reader.isInside() ? CUT_OFF : undefined));
  // Without a listener an error would end the process; that the other end is gone is all that it says.
  stream.on("error", () => end());
  stream.on("close", () => end());
  return {
    send(message, body) {
      const head = encodeHeader(message, body?.length ?? 0);
      if (!open) return;
      if (body === undefined || body.length === 0) {
        stream.write(head);
        return;
      }
      stream.cork();
      stream.write(head);
      stream.write(body);
      stream.uncork();
    },
    isRoomy: () => !stream.writableNeedDrain,
    whenRoomy: () =>
      open && stream.writableNeedDrain ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(),
    close: () => end(),
    finish: () =>
      new Promise((resolve) => {
        if (stream.closed) return resolve();
        stream.once("close", resolve);
        stream.end(() => end());
      }),
  };
}
