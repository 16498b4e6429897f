import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageFault, imageSize } from "./images.ts";
import { type ImageKind, kindOf } from "./kinds.ts";

/** An optional dependency: where it is not installed, the images made by hand below have to do. */
const sharp = await import("sharp").then(
  (module) => module.default,
  () => undefined,
);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function makePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** A JPEG whose metadata hold a thumbnail of another size; the scan has a stuffed byte and a restart marker. */
const JPEG = Buffer.concat([
  Buffer.from("ffd8", "hex"),
  Buffer.from("ffe1000fffd8ffc0000b08000100010101", "hex"),
  Buffer.from("ffc0000b080140028001011100", "hex"),
  Buffer.from("ffda0008010100003f00", "hex"),
  Buffer.from("1234ff00ffd0ff0056", "hex"),
  Buffer.from("ffd9", "hex"),
]);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const WEBP_LOSSLESS = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64");
const WEBP_LOSSY = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");

const WHOLE: readonly (readonly [ImageKind, Buffer, number, number])[] = [
  ["png", makePng(7, 3), 7, 3],
  ["jpeg", JPEG, 640, 320],
  ["gif", GIF, 1, 1],
  ["webp", WEBP_LOSSLESS, 1, 1],
  ["webp", WEBP_LOSSY, 1, 1],
];

describe("whole images", () => {
  test.each(WHOLE)("a %s is recognised, sound, and as large as it says", (kind, bytes, width, height) => {
    expect(kindOf(bytes)).toEqual({ kind: "image", image: kind });
    expect(imageSize(bytes, kind)).toEqual({ width, height });
    expect(imageFault(bytes, kind)).toBeUndefined();
  });

  test.skipIf(sharp === undefined)(
    "images made by a real encoder are sound and have their size",
    async () => {
      if (sharp === undefined) return;
      for (const kind of ["png", "jpeg", "gif", "webp"] as const) {
        const base = sharp({ create: { width: 123, height: 45, channels: 4, background: "#1234" } });
        for (const made of [
          base.clone().toFormat(kind),
          base.clone().withMetadata().toFormat(kind, { progressive: true }),
        ]) {
          const bytes = await made.toBuffer();
          expect(imageSize(bytes, kind)).toEqual({ width: 123, height: 45 });
          expect(imageFault(bytes, kind)).toBeUndefined();
          for (const cut of [0.2, 0.5, 0.9]) {
            expect(
              imageFault(bytes.subarray(0, Math.floor(bytes.length * cut)), kind),
              `${kind} ${cut}`,
            ).toBeDefined();
          }
        }
      }
    },
  );

  test("bytes behind the end of an image do no harm", () => {
    for (const [kind, bytes] of WHOLE) {
      expect(imageFault(Buffer.concat([bytes, Buffer.from("tail")]), kind)).toBeUndefined();
    }
  });
});

describe("broken images", () => {
  test.each(WHOLE)("a %s is at fault wherever it is cut off", (kind, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect(imageFault(bytes.subarray(0, length), kind), `cut at ${length}`).toBeDefined();
    }
  });

  test("the size is known of a PNG whose pixels are missing", () => {
    const png = makePng(60_000, 1);
    expect(imageSize(png.subarray(0, 60), "png")).toEqual({ width: 60_000, height: 1 });
    expect(imageFault(png.subarray(0, 60), "png")).toMatch(/truncated/);
  });

  test("one changed bit in a PNG is a bad checksum", () => {
    const png = makePng(7, 3);
    const at = png.indexOf("IDAT") + 6;
    png.writeUInt8((png[at] ?? 0) ^ 1, at);
    expect(imageFault(png, "png")).toBe("bad checksum in IDAT");
  });

  test.each([
    ["png", Buffer.concat([makePng(1, 1).subarray(0, 33), chunk("IEND", Buffer.alloc(0))]), /no pixels/],
    ["png", makePng(0, 3), /0x3/],
    ["jpeg", Buffer.from("ffd8ffd9", "hex"), /no picture/],
    ["jpeg", Buffer.from("ffd8ffe00001ffd9", "hex"), /impossible length/],
    ["jpeg", Buffer.from("ffd80102", "hex"), /without a marker/],
    ["gif", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"), /no picture/],
    ["gif", Buffer.from("GIF89a\x01\0\x01\0\0\0\0\x99", "latin1"), /unknown kind/],
    ["webp", Buffer.from("RIFF\x0c\0\0\0WEBPEXIF\0\0\0\0", "latin1"), /no picture/],
  ] as const)("a %s with a broken structure is told what is wrong (%#)", (kind, bytes, reason) => {
    expect(imageFault(bytes, kind)).toMatch(reason);
  });

  test("random bytes and random changes end in an answer, never in an exception", () => {
    const start = fc.constantFrom(...WHOLE.map(([kind, bytes]) => ({ kind, bytes })));
    fc.assert(
      fc.property(
        start,
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 6 }),
        fc.nat(200),
        ({ kind, bytes }, changes, cut) => {
          const broken = Buffer.from(bytes);
          for (const [at, byte] of changes) if (at < broken.length) broken.writeUInt8(byte, at);
          const part = broken.subarray(0, cut);
          imageSize(part, kind);
          imageFault(part, kind);
          imageFault(broken, kind);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
