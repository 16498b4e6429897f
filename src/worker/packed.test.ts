/**
 * Owns values that pass between host and worker: what comes out is what went in.
 * Rule: bytes, odd keys and odd strings included.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "./packed.ts";

describe("a packed value", () => {
  it("comes out as it went in, whatever its keys and strings are", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("\0bytes", "\0\0bytes", "\0", "__proto__", "toJSON"));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string({ unit: "binary" }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        expect(unpack(pack(one))).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  it("keeps bytes apart from objects that look like their place", () => {
    const bytes = Uint8Array.of(0, 1, 255);
    const value = { a: bytes, "\0bytes": 1, b: { "\0bytes": 1 }, c: [Buffer.from("x"), { d: bytes }] };
    expect(unpack(pack(value))).toEqual({ ...value, c: [Buffer.from("x"), { d: bytes }] });
  });

  it("keeps a lone surrogate, which UTF-8 has not", () => {
    expect(unpack(pack(["\ud800"]))).toEqual(["\ud800"]);
  });

  it("is refused where its parts are not all there", () => {
    const [json = new Uint8Array()] = pack({ a: Uint8Array.of(1) });
    expect(() => unpack([json])).toThrow("bytes are missing");
    expect(() => unpack([])).toThrow();
    expect(() => unpack([Buffer.from("{")])).toThrow();
  });
});
