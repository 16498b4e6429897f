/**
 * Owns the host's end of the line: a second channel on which a worker asks for what a tool wants at once, and waits.
 * Leaves what is asked to answer-asks.ts. Rule: one question at a time, each with one answer, bounded in size; the
 * worker does nothing else meanwhile, so nothing is answered here that takes long.
 */
import type { Duplex } from "node:stream";
import { openChannel } from "./channel.ts";
import { type Frame, FrameError, MAX_BODY_BYTES, NOT_PROTOCOL } from "./frames.ts";
import { pack, unpack } from "./packed.ts";
import { sendError } from "./sent-error.ts";
import { MAX_ANSWER_BYTES } from "./tasks.ts";

/** What the worker wants at once. Its input comes in pieces, then the question itself. */
export interface LineAsk {
  readonly kind: "now";
  /** The call in which it is asked. */
  readonly id: number;
  readonly port: string;
  readonly parts: readonly number[];
}

export interface LineRequest {
  readonly stream: Duplex;
  /** Throws what the worker is to be told. */
  readonly answer: (ask: LineAsk, input: unknown) => unknown;
  /** The other end does not speak our protocol. */
  readonly lose: (why: string) => void;
}

export function answerLine({ stream, answer, lose }: LineRequest): { close(): void } {
  const pieces = gatherPieces();
  const channel = openChannel(stream, {
    frame(frame) {
      if (frame.header.kind === "piece") return pieces.add(frame.body);
      const ask = readAsk(frame);
      const parts = pieces.take(ask.parts);
      let reply: { readonly kind: string; readonly error?: object };
      let value: Uint8Array[] = [];
      try {
        value = pack(answer(ask, unpack(parts)));
        reply = { kind: "reply" };
      } catch (error) {
        reply = { kind: "failed", error: sendError(error) };
      }
      for (const piece of cutPieces(value)) channel.send({ kind: "piece" }, piece);
      channel.send({ ...reply, parts: value.map(({ length }) => length) });
    },
    end(error) {
      // That it has ended, the channel itself will tell.
      if (error !== undefined) lose(error);
    },
  });
  return { close: channel.close };
}

function readAsk({ header }: Frame): LineAsk {
  const { kind, id, port, parts } = header;
  if (kind !== "now" || !Number.isSafeInteger(id) || typeof port !== "string" || !isLengths(parts))
    throw new FrameError(NOT_PROTOCOL);
  return header as unknown as LineAsk;
}

export function isLengths(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0);
}

/** Parts in pieces that a frame takes. */
export function* cutPieces(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts)
    for (let from = 0; from < part.length; from += MAX_BODY_BYTES)
      yield part.subarray(from, from + MAX_BODY_BYTES);
}

/** Pieces that came before the message to which they belong. */
export function gatherPieces() {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(piece: Uint8Array): void {
      bytes += piece.length;
      if (bytes > MAX_ANSWER_BYTES) throw new FrameError("sent more than it may");
      pieces.push(piece);
    },
    /** The parts whose lengths the message tells. Throws `FrameError` where these are others. */
    take(lengths: readonly number[]): Uint8Array[] {
      if (lengths.reduce((sum, length) => sum + length, 0) !== bytes) throw new FrameError(NOT_PROTOCOL);
      const [only = Buffer.alloc(0)] = pieces;
      const all = pieces.length > 1 ? Buffer.concat(pieces, bytes) : only;
      pieces = [];
      bytes = 0;
      let from = 0;
      return lengths.map((length) => {
        from += length;
        return all.subarray(from - length, from);
      });
    },
  };
}
