/**
 * Owns the tests of frames. Rule: whatever arrives and however it is cut, it is a frame, nothing yet, or an error.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeHeader,
  type Frame,
  FrameError,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  openFrameReader,
} from "./frames.ts";

function encode(header: object, body: Uint8Array = new Uint8Array(0)): Buffer {
  return Buffer.concat([encodeHeader(header, body.length), body]);
}

function read(chunks: readonly Buffer[]): Frame[] {
  const reader = openFrameReader();
  const frames: Frame[] = [];
  for (const chunk of chunks) reader.push(chunk, (frame) => frames.push(frame));
  return frames;
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...[...at].sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe("frames", () => {
  it("come out as they went in, however the bytes were cut", () => {
    const frame = fc.record({
      header: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
      body: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.array(fc.nat()), (frames, cuts) => {
        const all = Buffer.concat(frames.map(({ header, body }) => encode(header, body)));
        const chunks = cut(
          all,
          cuts.map((place) => place % (all.length + 1)),
        );
        const found = read(chunks);
        expect(found.map(({ header }) => JSON.stringify(header))).toEqual(
          frames.map(({ header }) => JSON.stringify(header)),
        );
        expect(found.map(({ body }) => [...body])).toEqual(frames.map(({ body }) => [...body]));
      }),
    );
  });

  it("come out of single bytes", () => {
    const bytes = encode({ kind: "é\ud800" }, Buffer.from("body"));
    const found = read(cut(bytes, [...bytes.keys()]));
    expect(found).toEqual([{ header: { kind: "é\ud800" }, body: Buffer.from("body") }]);
  });

  it("are not whole before their last byte", () => {
    const bytes = encode({ a: 1 }, Buffer.from("xy"));
    const reader = openFrameReader();
    expect(reader.isInside()).toBe(false);
    reader.push(bytes.subarray(0, -1), () => expect.fail("too early"));
    expect(reader.isInside()).toBe(true);
    let frames = 0;
    reader.push(bytes.subarray(-1), () => frames++);
    expect([frames, reader.isInside()]).toEqual([1, false]);
  });

  it("of words, of random bytes, of lists and of nothing are refused", () => {
    const lengths = (header: number, body: number) => {
      const prefix = Buffer.alloc(8);
      prefix.writeUInt32BE(header, 0);
      prefix.writeUInt32BE(body, 4);
      return prefix;
    };
    const framed = (text: string) => Buffer.concat([lengths(Buffer.byteLength(text), 0), Buffer.from(text)]);
    const broken = [
      Buffer.from("Debugger listening on ws://127.0.0.1"),
      Buffer.alloc(64, 0xff),
      Buffer.alloc(64),
      framed("[1]"),
      framed("null"),
      framed('"x"'),
      framed("{not json}"),
      framed("{}{}"),
      lengths(MAX_HEADER_BYTES + 1, 0),
      lengths(2, MAX_BODY_BYTES + 1),
    ];
    for (const bytes of broken) expect(() => read([bytes]), bytes.toString("hex")).toThrow(FrameError);
  });

  it("that are too large are not sent", () => {
    expect(() => encodeHeader({ a: "x".repeat(MAX_HEADER_BYTES) }, 0)).toThrow(FrameError);
    expect(() => encodeHeader({}, MAX_BODY_BYTES + 1)).toThrow(FrameError);
    expect(read([encode({ a: 1 }, new Uint8Array(MAX_BODY_BYTES))])).toHaveLength(1);
  });
});
