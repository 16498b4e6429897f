import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { characterBytes, decode, detectForm, type Encoding, encode, firstInvalidUtf8 } from "./encodings.ts";

const ENCODINGS: readonly Encoding[] = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "shift_jis",
  "euc-jp",
  "euc-kr",
  "big5",
];
/** What the C library's own converter makes of a text. */
function convert(text: string, encoding: string): Buffer {
  const run = spawnSync("iconv", ["-f", "utf-8", "-t", encoding], { input: text });
  expect(run.status, String(run.stderr)).toBe(0);
  return run.stdout;
}
const noIconv = spawnSync("iconv", ["--version"]).error !== undefined;

/** Bytes that often come close to characters of some encoding. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        0x41,
        0x0a,
        0x30,
        0x81,
        0x39,
        0xc3,
        0xa9,
        0xe2,
        0x82,
        0xac,
        0xf0,
        0x9f,
        0x98,
        0x80,
        0xef,
        0xbb,
        0xbf,
      ),
      fc.constantFrom(0xed, 0xa0, 0xd8, 0xdc, 0xfe, 0xff, 0x00, 0x8f, 0x8e, 0x84, 0x31, 0xa4, 0x37),
      fc.nat(255),
    ),
    { maxLength: 60 },
  )
  .map((list) => Uint8Array.from(list));

function listCharacters(data: Uint8Array, encoding: Encoding): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < data.length) {
    const length = characterBytes(data, at, encoding);
    expect(length).toBeGreaterThan(0);
    parts.push(data.subarray(at, at + length));
    at += length;
  }
  expect(at).toBe(data.length);
  return parts;
}

describe("decoding", () => {
  test.each(ENCODINGS)("%s: characters decoded one by one are the bytes decoded at once", (encoding) => {
    fc.assert(
      fc.property(bytes, (data) => {
        const parts = listCharacters(data, encoding).map((part) => decode(part, encoding));
        expect(parts.join("")).toBe(decode(data, encoding));
      }),
      { numRuns: 1000 },
    );
  });

  test.each(ENCODINGS)("%s: pages that end between characters are the whole", (encoding) => {
    fc.assert(
      fc.property(bytes, fc.nat(60), (data, cut) => {
        const characters = listCharacters(data, encoding);
        const page = (from: number, to?: number): string =>
          decode(Buffer.concat(characters.slice(from, to)), encoding);
        expect(page(0, cut) + page(cut)).toBe(decode(data, encoding));
      }),
    );
  });

  test.each(ENCODINGS)("%s: whatever the bytes, the text is well-formed", (encoding) => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect(decode(data, encoding)).not.toMatch(/[\ud800-\udfff]/u);
      }),
      { numRuns: 1000 },
    );
  });

  test("in UTF-8 every character of the text is one character of the bytes", () => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect([...decode(data, "utf-8")]).toHaveLength(listCharacters(data, "utf-8").length);
      }),
    );
  });

  test("valid UTF-8 decodes as TextDecoder has it, and nothing else gives U+FFFD", () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const lossy = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
        const valid = firstInvalidUtf8(data) === -1;
        if (valid) expect(decode(data, "utf-8")).toBe(lossy);
        else expect(lossy).toContain("\ufffd");
        const written = Buffer.from(data).toString("latin1").split("\xef\xbf\xbd").length - 1;
        expect(decode(data, "utf-8").split("\ufffd").length - 1).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  test("a stray byte is shown as windows-1252 has it, the five undefined ones as control characters", () => {
    const stray = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index);
    const one = [...stray].map((byte) => decode(Uint8Array.of(byte), "utf-8")).join("");
    expect(one.slice(0, 32)).toBe("€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ");
    expect(one.slice(32)).toBe(Buffer.from(stray.subarray(32)).toString("latin1"));
    expect(decode(Buffer.from("a=1\n# na\xefve\n", "latin1"), "utf-8")).toBe("a=1\n# naïve\n");
  });

  test("overlong forms, surrogates and code points past the last are stray bytes", () => {
    for (const bad of [
      [0xc0, 0xaf],
      [0xe0, 0x80, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf8, 0x88],
    ]) {
      expect(firstInvalidUtf8(Uint8Array.from([0x61, ...bad]))).toBe(1);
      expect([...decode(Uint8Array.from(bad), "utf-8")]).toHaveLength(bad.length);
    }
  });

  test("the first bad offset is that of the character that is not whole", () => {
    expect(firstInvalidUtf8(Buffer.from("a=1\n# na\xefve\n", "latin1"))).toBe(8);
    expect(firstInvalidUtf8(Buffer.from([0x61, 0xe2, 0x82]))).toBe(1);
    expect(firstInvalidUtf8(Buffer.from("é😀\ufeff"))).toBe(-1);
  });

  test("a byte order mark is a character, at the start and inside", () => {
    expect(decode(Buffer.from("\ufeffa\ufeff"), "utf-8")).toBe("\ufeffa\ufeff");
    expect(decode(Buffer.from("\ufeffa\ufeff", "utf16le"), "utf-16le")).toBe("\ufeffa\ufeff");
    expect(decode(Buffer.from([0xfe, 0xff, 0x00, 0x61]), "utf-16be")).toBe("\ufeffa");
  });

  test("UTF-16 keeps pairs, and shows half a pair and half a unit as U+FFFD", () => {
    expect(decode(Buffer.from("a😀", "utf16le"), "utf-16le")).toBe("a😀");
    expect(decode(Uint8Array.of(0x3d, 0xd8, 0x61, 0x00, 0x62), "utf-16le")).toBe("\ufffda\ufffd");
    expect(characterBytes(Buffer.from("😀", "utf16le"), 0, "utf-16le")).toBe(4);
    expect(characterBytes(Uint8Array.of(0xd8, 0x3d, 0x00, 0x61), 0, "utf-16be")).toBe(2);
  });

  test("decoding leaves the bytes that it was given alone", () => {
    const data = Uint8Array.of(0x00, 0x61, 0x00, 0x62);
    decode(data, "utf-16be");
    expect([...data]).toEqual([0x00, 0x61, 0x00, 0x62]);
  });

  test("a byte that a legacy encoding does not know is shown alone, and what follows is read on", () => {
    expect(decode(Uint8Array.of(0x93, 0xfa, 0xff, 0x96, 0x7b, 0x85), "shift_jis")).toBe("日ÿ本…");
  });
});

const SAMPLES: readonly (readonly [Encoding, string, string])[] = [
  ["gb18030", "gb18030", "这是一个测试文件,用来检查编码识别是否正确。\n我们希望它能够工作得很好。\n"],
  ["shift_jis", "shift_jis", "これは日本語のテストです。\n設定ファイルを読み込みます。\n"],
  ["euc-jp", "euc-jp", "これは日本語のテストです。\n設定ファイルを読み込みます。\n"],
  ["euc-kr", "euc-kr", "이것은 한국어 시험 파일입니다.\n설정을 읽습니다.\n"],
  ["big5", "big5", "這是一個測試檔案,用來檢查編碼識別是否正確。\n我們希望它能夠工作得很好。\n"],
];

describe("telling the form of a file", () => {
  test.each([
    ["\xef\xbb\xbfa", "utf-8", 3],
    ["\xff\xfea\0", "utf-16le", 2],
    ["\xfe\xff\0a", "utf-16be", 2],
    ["", "utf-8", 0],
    ["plain", "utf-8", 0],
    ["caf\xe9\n", "utf-8", 0],
    ["a=1\n# na\xefve\n", "utf-8", 0],
    ["v = 3\n\xb2\xe2\xca\xd4\n", "utf-8", 0],
  ] as const)("%j is %s with a mark of %i bytes", async (start, encoding, bomBytes) => {
    expect(await detectForm(Buffer.from(start, "latin1"))).toEqual({ encoding, bomBytes });
  });

  test("valid UTF-8 is UTF-8 wherever a sample ends", async () => {
    const text = Buffer.from("日本語のテスト é 😀\n".repeat(3));
    for (let end = 0; end <= text.length; end++) {
      expect((await detectForm(text.subarray(0, end))).encoding).toBe("utf-8");
    }
  });

  test.skipIf(noIconv).each(SAMPLES)(
    "a text in %s is recognised and read as the C library wrote it",
    async (encoding, name, text) => {
      const data = convert(text, name);
      expect(await detectForm(data)).toEqual({ encoding, bomBytes: 0 });
      expect(decode(data, encoding)).toBe(text);
      // A sample that ends inside a character.
      expect((await detectForm(data.subarray(0, data.length - 2))).encoding).toBe(encoding);
      expect((await detectForm(Buffer.concat([Buffer.from("code();\n".repeat(3000)), data]))).encoding).toBe(
        encoding,
      );
    },
  );

  test.skipIf(noIconv).each([
    ["iso-8859-1", "Il était une fois une très belle fée qui vivait à côté d'un château.\n"],
    ["iso-8859-1", "Größe: groß\nÄpfel und Öl für Übermut\n"],
    ["iso-8859-2", "Zażółć gęślą jaźń, źdźbło trawy\n"],
    ["iso-8859-9", "Değişken çok büyük şişe İstanbul\n"],
    ["cp1251", "Это проверка кодировки файла, она должна работать.\n"],
    ["koi8-r", "Это проверка кодировки файла, она должна работать.\n"],
    ["iso-8859-7", "Αυτό είναι ένα αρχείο δοκιμής για την κωδικοποίηση\n"],
  ])("single-byte text (%s) is never taken for a legacy multi-byte encoding", async (name, text) => {
    expect((await detectForm(convert(text, name))).encoding).toBe("utf-8");
  });

  test("one broken byte in a UTF-8 text does not make it something else", async () => {
    const text = Buffer.from("这是一个测试文件,用来检查编码识别是否正确。\n".repeat(20));
    const broken = Buffer.concat([text, Buffer.from([0xe9, 0x0a]), text]);
    expect((await detectForm(broken)).encoding).toBe("utf-8");
  });

  test("a confident guess that one byte of the sample contradicts is not followed", async () => {
    const text = Buffer.from("93fa967b8ceb82cc836583588367", "hex");
    const many = Buffer.concat(Array.from({ length: 40 }, () => text));
    expect((await detectForm(many)).encoding).toBe("shift_jis");
    expect((await detectForm(Buffer.concat([many, Buffer.from([0xff, 0x0a])]))).encoding).toBe("utf-8");
  });
});

describe("encoding", () => {
  test("Unicode encodings give back what they decode", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const encoding of ["utf-8", "utf-16le", "utf-16be"] as const) {
          expect(decode(encode(text, encoding) as Buffer, encoding)).toBe(text);
        }
      }),
    );
  });

  test("legacy encodings are written in ASCII only", () => {
    expect(encode("a\nb", "gb18030")).toEqual(Buffer.from("a\nb"));
    expect(encode("é", "shift_jis")).toBeUndefined();
    expect(encode("a\u0141", "big5")).toBeUndefined();
  });
});
