import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KIND_BYTES, kindOf } from "./kinds.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("the kind of a file", () => {
  test.each([
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "png"],
    ["\xff\xd8\xff\xe0\0\x10JFIF", "jpeg"],
    ["GIF89a\x01\0\x01\0\x80\0\0", "gif"],
    ["GIF87a\x01\0\x01\0\x80\0\0", "gif"],
    ["RIFF\x1a\0\0\0WEBPVP8L", "webp"],
  ])("%j begins an image", (start, image) => {
    expect(kindOf(latin1(start))).toEqual({ kind: "image", image });
  });

  test.each([
    ["\x7fELF\x02\x01\x01\0", "ELF executable"],
    ["MZ\x90\0\x03\0", "Windows executable"],
    ["PK\x03\x04\x14\0\0\0", "zip archive"],
    ["SQLite format 3\0\x10\0", "SQLite database"],
    ["ID3\x03\0\0\0\0", "MP3 audio"],
    ["\0\0\0\x1cftypisom\0\0", "MP4 or QuickTime video"],
    ["\0\0\0\x1cftypavif\0\0", "AVIF image"],
    ["\0asm\x01\0\0\0", "WebAssembly module"],
    [`${"\0".repeat(257)}ustar\x0000`, "tar archive"],
  ])("%j begins a binary file, by name", (start, name) => {
    expect(kindOf(latin1(start))).toEqual({ kind: "binary", name });
  });

  test("real files are known", () => {
    expect(kindOf(gzipSync("x"))).toEqual({ kind: "binary", name: "gzip archive" });
    if (process.platform === "linux") {
      expect(kindOf(readFileSync(process.execPath).subarray(0, KIND_BYTES))).toEqual({
        kind: "binary",
        name: "ELF executable",
      });
    }
  });

  test("a PDF is one by its first bytes, ASCII or not", () => {
    expect(kindOf(latin1("%PDF-1.4\n1 0 obj\n"))).toEqual({ kind: "pdf" });
    expect(kindOf(latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"))).toEqual({ kind: "pdf" });
  });

  test.each([
    "",
    "BMW builds cars\n",
    "MZ is what executables begin with\n",
    "ID3 tags are old\n",
    "PLEASE read me\n",
    "GIF89a is a format\n",
    "GIF89a",
    '{"d":1}',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "<!doctype html>",
    "%!PS-Adobe-3.0\n",
    "OggS, fLaC and BZh are signatures: é\n",
    "!<arch>\nis one too\n",
    "RIFF1234WEBP in a sentence\n",
  ])("%j is text", (text) => {
    expect(kindOf(Buffer.from(text))).toEqual({ kind: "text" });
  });

  test("UTF-16 with a mark is text whatever it spells", () => {
    expect(kindOf(latin1("\xff\xfea\0l\0\r\0\n\0"))).toEqual({ kind: "text" });
    expect(kindOf(latin1("\xfe\xff\0a\0l"))).toEqual({ kind: "text" });
    expect(kindOf(latin1("\xff\xfea\0ftyp\0\0"))).toEqual({ kind: "text" });
  });

  test("valid UTF-8 without NULs is text, PDF aside, wherever the head ends", () => {
    const magic = fc.constantFrom("MZ", "BM", "GIF89a", "ID3", "OggS", "BZh", "7z", "Rar!", "PK", "");
    fc.assert(
      fc.property(
        magic,
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
        fc.nat(600),
        (start, rest, cut) => {
          const head = Buffer.from(start + rest.replaceAll("\0", "")).subarray(0, cut);
          fc.pre(!head.toString("latin1").startsWith("%PDF-"));
          expect(kindOf(head)).toEqual({ kind: "text" });
        },
      ),
    );
  });

  test("the answer is the same for the least head and for the whole file", () => {
    const elf = Buffer.concat([latin1("\x7fELF\x02\x01\x01\0"), Buffer.alloc(9000, 0x41)]);
    expect(kindOf(elf)).toEqual(kindOf(elf.subarray(0, KIND_BYTES)));
    const text = Buffer.concat([Buffer.from("MZ".padEnd(5000, "a")), Buffer.from([0xff, 0])]);
    expect(kindOf(text)).toEqual(kindOf(text.subarray(0, KIND_BYTES)));
  });
});
