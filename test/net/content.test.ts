/**
 * Owns what is text, in which encoding, and what it says: by header, BOM, document and bytes. Row S15.
 */
import { describe, expect, it } from "vitest";
import { mayBeText, readContent } from "../../src/net/content.ts";
import { readMediaType } from "../../src/net/media-type.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

function read(type: string | undefined, body: Buffer, isCut = false): ReturnType<typeof readContent> {
  return readContent({ headers: new Map(type === undefined ? [] : [["content-type", type]]), body, isCut });
}

/** Type, bytes, text, encoding, where that was found. */
const CHARSETS: readonly (readonly [
  name: string,
  type: string | undefined,
  body: Buffer,
  text: string,
  encoding: string,
  from: string,
])[] = [
  ["a header", "text/html; charset=Shift_JIS", hex("93fa 967b"), "日本", "shift_jis", "header"],
  [
    "a meta element",
    "text/html",
    Buffer.concat([ascii("<meta charset=gbk>"), hex("d6d0 cec4")]),
    "<meta charset=gbk>中文",
    "gbk",
    "document",
  ],
  ["a quoted header", 'text/html; charset="gbk"', hex("d6d0 cec4"), "中文", "gbk", "header"],
  ["a header in single quotes", "text/html; charset='gbk'", hex("d6d0 cec4"), "中文", "gbk", "header"],
  [
    "a header in odd spacing and case",
    "Text/HTML ;  Charset = GBK ; x=y",
    hex("d6d0 cec4"),
    "中文",
    "gbk",
    "header",
  ],
  ["a label that is none", "text/plain; charset=x-nope", Buffer.from("é"), "é", "utf-8", "bytes"],
  ["an empty label", "text/plain; charset=", Buffer.from("é"), "é", "utf-8", "bytes"],
  ["a BOM of UTF-16LE", "text/html", hex("fffe 6100 2d4e"), "a中", "utf-16le", "bom"],
  ["a BOM of UTF-16BE", "text/plain", hex("feff 0061 4e2d"), "a中", "utf-16be", "bom"],
  ["a BOM against the header", "text/html; charset=windows-1252", hex("efbbbf c3a9"), "é", "utf-8", "bom"],
  [
    "a BOM of UTF-16 against the header",
    "text/html; charset=utf-8",
    hex("fffe 6100"),
    "a",
    "utf-16le",
    "bom",
  ],
  [
    "UTF-16 by the header alone",
    "text/plain; charset=utf-16le",
    hex("6100 2d4e"),
    "a中",
    "utf-16le",
    "header",
  ],
  [
    "the header against the document",
    "text/html; charset=utf-8",
    Buffer.from("<meta charset=gbk>é"),
    "<meta charset=gbk>é",
    "utf-8",
    "header",
  ],
  [
    "a label that is none in the header and one in the document",
    "text/html; charset=nope",
    Buffer.concat([ascii("<meta charset=gbk>"), hex("d6d0")]),
    "<meta charset=gbk>中",
    "gbk",
    "document",
  ],
  [
    "http-equiv",
    "text/html",
    Buffer.concat([
      ascii('<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">'),
      hex("c7d1"),
    ]),
    '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">한',
    "euc-kr",
    "document",
  ],
  [
    "a meta element in a comment",
    "text/html",
    Buffer.from("<!-- <meta charset=gbk> -->é"),
    "<!-- <meta charset=gbk> -->é",
    "utf-8",
    "bytes",
  ],
  [
    "a meta element that says UTF-16",
    "text/html",
    Buffer.from("<meta charset=utf-16>é"),
    "<meta charset=utf-16>é",
    "utf-8",
    "document",
  ],
  [
    "an XML declaration",
    "application/rss+xml",
    Buffer.concat([ascii('<?xml version="1.0" encoding="windows-1251"?>'), hex("cfee")]),
    '<?xml version="1.0" encoding="windows-1251"?>По',
    "windows-1251",
    "document",
  ],
  [
    "Latin-1, which is windows-1252",
    "text/plain; charset=iso-8859-1",
    hex("80 e9 93"),
    "€é“",
    "windows-1252",
    "header",
  ],
  ["nothing, and UTF-8", "text/plain", Buffer.from("naïve 中 😀"), "naïve 中 😀", "utf-8", "bytes"],
  ["nothing, and Western bytes", "text/plain", hex("6e61ef76 65"), "naïve", "windows-1252", "bytes"],
  ["KOI8-R", "text/plain; charset=koi8-r", hex("f0d2"), "Пр", "koi8-r", "header"],
  ["Big5", "text/plain; charset=big5", hex("a4a4 a4e5"), "中文", "big5", "header"],
  ["EUC-JP", "text/plain; charset=euc-jp", hex("c6fc cbdc"), "日本", "euc-jp", "header"],
  [
    "ISO-2022-JP",
    "text/plain; charset=iso-2022-jp",
    hex("1b2442 467c 1b2842"),
    "日",
    "iso-2022-jp",
    "header",
  ],
];

describe("the charset of a response", () => {
  it.each(CHARSETS)("by %s", async (_name, type, body, text, encoding, from) => {
    const content = await read(type, body);
    expect(content).toMatchObject({ kind: "text", text, charset: { encoding, from }, isDamaged: false });
  });

  it("names a label that it does not know", async () => {
    expect(await read("text/plain; charset=x-nope", Buffer.from("é"))).toMatchObject({
      charset: { encoding: "utf-8", unknownLabel: "x-nope" },
    });
  });

  it("says that bytes did not fit, and shows them where they can be shown", async () => {
    expect(await read("text/plain; charset=utf-8", hex("6361 66e9"))).toMatchObject({
      text: "café",
      isDamaged: true,
    });
    expect(await read("text/plain; charset=gbk", hex("d6d0 8120"))).toMatchObject({
      text: "中\ufffd ",
      isDamaged: true,
    });
    expect(await read("text/plain; charset=utf-16le", hex("00d8 6100"))).toMatchObject({ isDamaged: true });
  });

  it.each([
    ["utf-8", Buffer.from("a😀").subarray(0, 4), "a"],
    ["gbk", hex("d6d0 ce"), "中"],
    ["utf-16le", hex("6100 2d"), "a"],
  ])("leaves out a character that the bound has cut (%s)", async (charset, body, text) => {
    const content = await read(`text/plain; charset=${charset}`, body, true);
    expect(content).toMatchObject({ text, isDamaged: false });
  });

  it("gives well-formed text for all bytes in all encodings", async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => ((index * 7919) % 255) + 1));
    for (const charset of [
      "utf-8",
      "utf-16le",
      "utf-16be",
      "gbk",
      "gb18030",
      "shift_jis",
      "euc-jp",
      "big5",
      "iso-2022-jp",
      "replacement",
      "x-user-defined",
      "\ud800",
    ]) {
      const content = await read(`text/plain; charset="${charset}"`, bytes);
      expect(content.kind === "text" && content.text.isWellFormed(), charset).toBe(true);
    }
  });
});

const HTML = Buffer.from("<!doctype html><p>x");
const PNG = hex("89504e47 0d0a1a0a 0000000d 49484452");

/** Type, bytes, what comes of it. */
const TYPES: readonly (readonly [
  type: string | undefined,
  body: Buffer,
  outcome: Record<string, unknown>,
])[] = [
  ["text/html", HTML, { textKind: "html" }],
  ["application/xhtml+xml", HTML, { textKind: "html" }],
  ["text/plain", HTML, { textKind: "plain" }],
  ["text/markdown", Buffer.from("# x"), { textKind: "markdown" }],
  ["text/csv", Buffer.from("a,b"), { textKind: "plain" }],
  ["text/x-anything", Buffer.from("a"), { textKind: "plain" }],
  ["application/json", Buffer.from("{}"), { textKind: "json" }],
  ["application/ld+json", Buffer.from("{}"), { textKind: "json" }],
  ["application/problem+json; charset=utf-8", Buffer.from("{}"), { textKind: "json" }],
  ["application/xml", Buffer.from("<a/>"), { textKind: "xml" }],
  ["application/atom+xml", Buffer.from("<a/>"), { textKind: "xml" }],
  ["image/svg+xml", Buffer.from("<svg/>"), { textKind: "xml" }],
  ["application/yaml", Buffer.from("a: b"), { textKind: "plain" }],
  ["application/javascript", Buffer.from("a()"), { textKind: "plain" }],
  ["text/javascript", Buffer.from("a()"), { textKind: "plain" }],
  ["text/plain", Buffer.alloc(0), { textKind: "plain", text: "" }],
  [undefined, HTML, { textKind: "html" }],
  [undefined, Buffer.from("<!-- a --> <!-- b -->\n<html>"), { textKind: "html" }],
  [undefined, Buffer.from("<?xml version='1.0'?><a/>"), { textKind: "xml" }],
  [undefined, Buffer.from("plain"), { textKind: "plain" }],
  ["nonsense", Buffer.from("plain"), { textKind: "plain" }],
  ["image/png", PNG, { kind: "not-text", by: "header", mediaType: "image/png" }],
  ["image/png", Buffer.from("text"), { kind: "not-text", by: "header" }],
  ["application/octet-stream", Buffer.from("text"), { kind: "not-text", by: "header" }],
  ["application/pdf", Buffer.from("%PDF-1.7"), { kind: "not-text", by: "header" }],
  ["application/zip", hex("504b0304"), { kind: "not-text", by: "header" }],
  ["video/mp4", Buffer.from("x"), { kind: "not-text", by: "header" }],
  ["text/html", PNG, { kind: "not-text", by: "bytes", found: "png image" }],
  ["text/plain", Buffer.from("%PDF-1.7\n"), { kind: "not-text", by: "bytes", found: "PDF" }],
  ["text/plain", hex("504b0304 00"), { kind: "not-text", by: "bytes", found: "zip archive" }],
  ["text/plain", hex("1f8b0800 00"), { kind: "not-text", by: "bytes", found: "gzip archive" }],
  ["application/json", Buffer.from("a\0b"), { kind: "not-text", by: "bytes", found: "binary" }],
  [undefined, PNG, { kind: "not-text", by: "bytes", found: "png image" }],
  [undefined, Buffer.from("a\0b"), { kind: "not-text", by: "bytes", found: "binary" }],
  ["text/plain", Buffer.from("MZ is no program"), { textKind: "plain" }],
];

describe("whether a response is text", () => {
  it.each(TYPES)("%s with %j", async (type, body, outcome) => {
    expect(await read(type, body)).toMatchObject({ kind: "text", ...outcome });
    const mayBe = mayBeText({ headers: new Map(type === undefined ? [] : [["content-type", type]]) });
    expect(mayBe).toBe(outcome.by !== "header");
  });

  it("does not take long over headers and bytes that are made to take long", async () => {
    const start = Date.now();
    readMediaType(`text/html${";charset".repeat(100_000)}`);
    await read(undefined, Buffer.from("<!---->".repeat(100_000)));
    await read("text/html", Buffer.from("<meta ".repeat(100_000)));
    await read("text/html", Buffer.from("<!--".repeat(100_000)));
    await read("text/html", Buffer.from(`<?xml ${" ".repeat(100_000)}`));
    expect(Date.now() - start).toBeLessThan(5000);
  });
});
