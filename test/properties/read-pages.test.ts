/**
 * Owns the promise that reading by the offered next calls gives back the whole decoded text of a file.
 * Leaves single answers to the tests of `read`. Rule: the truth comes from the platform's own decoders, never from ours.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LooseToolset } from "../support/loose-toolset.ts";
import { type ReadFile, readByPages } from "../support/read-pages.ts";
import { openWorkspace } from "../support/workspace.ts";

interface Sample {
  readonly bytes: Buffer;
  /** Every text that may be meant by the bytes: one, but where an encoding has to be guessed. */
  readonly texts: readonly string[];
  readonly bom: number;
}

const splitTruth = (text: string): { lines: string[]; endings: string[] } => {
  const parts = text.split(/(\r?\n)/);
  const lines: string[] = [];
  const endings: string[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const ending = parts[i + 1] ?? "";
    if (parts[i] === "" && ending === "" && i === parts.length - 1) break;
    lines.push(parts[i] ?? "");
    endings.push(ending);
  }
  return { lines, endings };
};

/** Reads the sample from disk by pages and checks lines, endings, the final newline and the byte ranges. */
async function expectRebuilt(
  tools: LooseToolset,
  sample: Sample,
  first: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  writeFileSync(join(tools.root, "f"), sample.bytes);
  const read = await readByPages(tools, "f", first);
  const truths = sample.texts.map(splitTruth);
  const joined = JSON.stringify(read.lines);
  const truth = truths.find(({ lines }) => JSON.stringify(lines) === joined);
  if (truth === undefined) expect(read.lines).toEqual(truths[0]?.lines);
  const { endings } = truth ?? { endings: [] };
  expectEndingsTold(read, endings);
  expectCovered(read.bytes, sample);
}

function expectEndingsTold({ headers, ends }: ReadFile, endings: readonly string[]): void {
  const [first] = headers;
  const last = headers.at(-1) ?? "";
  if (endings.length === 0) {
    expect(first).toMatch(/empty|0 lines/);
    return;
  }
  expect(/no final newline/.test(last), `final newline told in: ${last}`).toBe(endings.at(-1) === "");
  const kinds = new Set(endings.filter((ending) => ending !== ""));
  if (kinds.size !== 1) return;
  // Where the endings are uniform they are part of what is told; LF goes without saying.
  const isCrlf = kinds.has("\r\n");
  let before = 0;
  for (const [i, header] of headers.entries()) {
    // A page in which no line ends, or only the last one without an ending, has nothing to tell.
    const terminated = endings.slice(before, before + (ends[i] ?? 0)).filter((ending) => ending !== "");
    before += ends[i] ?? 0;
    if (terminated.length > 0 || !isCrlf) expect(/CRLF/.test(header), header).toBe(isCrlf);
  }
}

function expectCovered(ranges: readonly (readonly [number, number])[], sample: Sample): void {
  const [head] = ranges;
  expect([0, sample.bom]).toContain(head?.[0]);
  for (const [i, range] of ranges.entries()) {
    if (i > 0) expect(range[0], "byte ranges are contiguous").toBe(ranges[i - 1]?.[1]);
    expect(range[1]).toBeGreaterThanOrEqual(range[0]);
  }
  expect(ranges.at(-1)?.[1]).toBe(sample.bytes.length);
}

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const utf8 = (text: string): Sample => ({ bytes: Buffer.from(text), texts: [text], bom: 0 });
const utf8WithBom = (text: string): Sample => ({
  bytes: Buffer.concat([UTF8_BOM, Buffer.from(text)]),
  texts: [text],
  bom: 3,
});
const utf16le = (text: string): Sample => ({
  bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]),
  texts: [text],
  bom: 2,
});
const utf16be = (text: string): Sample => ({
  bytes: Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, "utf16le").swap16()]),
  texts: [text],
  bom: 2,
});

// Written out: the TextDecoder of some Node versions decodes windows-1252 as Latin-1.
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

const decodeByte = (byte: number): string => WINDOWS_1252[byte - 0x80] ?? String.fromCharCode(byte);

/** Each byte that is not part of valid UTF-8 stands for its character in windows-1252. */
function decodeBytewise(bytes: Buffer): string {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find(
      (count) => at + count <= bytes.length && isWhole(strict, bytes, at, count),
    );
    text +=
      length === undefined ? decodeByte(bytes[at] ?? 0) : strict.decode(bytes.subarray(at, at + length));
    at += length ?? 1;
  }
  return text;
}

function isWhole(
  strict: InstanceType<typeof TextDecoder>,
  bytes: Buffer,
  at: number,
  count: number,
): boolean {
  try {
    return [...strict.decode(bytes.subarray(at, at + count))].length === 1;
  } catch {
    return false;
  }
}

/** Bytes of a legacy encoding: the text by that encoding where it is recognised, byte by byte where it is not. */
function legacy(bytes: Buffer, encoding: string): Sample {
  const texts = [decodeBytewise(bytes)];
  try {
    texts.unshift(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    // Not text of that encoding at all.
  }
  return { bytes, texts, bom: 0 };
}

// Characters of one to four bytes, and those that are easily lost: U+FEFF inside, U+2028, U+0085, form feeds, TABs.
const character = fc.constantFrom(
  ..."aZ09 \t\"'\\{}$é字😀ñß。",
  "\uFEFF",
  "\u2028",
  "\u0085",
  "\u000B",
  "\f",
  "\uFFFD",
  "e\u0301",
  "𝒳",
);
const ending = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.array(character, { maxLength: 30 }).map((parts) => parts.join(""));
const finish = fc.constantFrom("", "\n", "\r\n", "\r", "\n\n");

/** Lines with one ending throughout or any mixture, and any end. */
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.option(ending), fc.infiniteStream(ending), finish)
  .map(([lines, uniform, mixed, last]) => {
    const body = lines.map(
      (each, i) => each + (i === lines.length - 1 ? "" : (uniform ?? mixed.next().value ?? "\n")),
    );
    return body.join("") + last;
  })
  // A text that begins with a byte order mark is a file with one.
  .filter((made) => !made.startsWith("\uFEFF"));

const limits = fc.record({
  unrangedMax: fc.integer({ min: 16, max: 200 }),
  readMax: fc.integer({ min: 16, max: 300 }),
});

describe("reading by the offered next calls", () => {
  it.each([
    ["UTF-8", utf8],
    ["UTF-8 with a byte order mark", utf8WithBom],
    ["UTF-16LE", utf16le],
    ["UTF-16BE", utf16be],
  ] as const)("rebuilds any %s file with any small page", { timeout: 120_000 }, async (_name, encode) => {
    const at = openWorkspace("");
    await fc.assert(
      fc.asyncProperty(text, limits, async (made, pageLimits) => {
        const tools = at.mountAgain({ limits: pageLimits });
        await expectRebuilt(tools, encode(made));
      }),
      { numRuns: 150 },
    );
  });

  it("rebuilds files of any bytes but NUL, unless they are refused as binary", {
    timeout: 120_000,
  }, async () => {
    const at = openWorkspace("");
    const bytes = fc.array(
      fc.oneof(
        fc.integer({ min: 32, max: 126 }),
        fc.integer({ min: 128, max: 255 }),
        fc.constantFrom(10, 13),
      ),
      { minLength: 1, maxLength: 300 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, limits, async (made, pageLimits) => {
        // A letter first keeps magic bytes and byte order marks out.
        const file = Buffer.from([0x61, ...made]);
        const tools = at.mountAgain({ limits: pageLimits });
        const texts = ["gb18030", "shift_jis", "euc-jp", "euc-kr", "big5"].flatMap(
          (encoding) => legacy(file, encoding).texts,
        );
        await expectRebuilt(tools, { bytes: file, texts: [decodeBytewise(file), ...texts], bom: 0 });
      }),
      { numRuns: 150 },
    );
  });

  const LATIN = Buffer.from("Na\xefve caf\xe9 \xfcber stra\xdfe\nse\xf1or\r\n\xa0x\n".repeat(40), "latin1");
  const SHIFT_JIS = Buffer.from(
    "93fa967b8cea82cc8365834c835883678140826082f00a83658358836782c582b781420a8a bf8e9a82c682d082e782aa82c80a".replaceAll(
      " ",
      "",
    ),
    "hex",
  );
  const GBK = Buffer.from(
    "d6d0cec4b2e2cad4cec4bcfe0ad5e2cac7d2bbb8f6b2e2cad4a1a30ac4e3bac3cac0bde70a",
    "hex",
  );

  it.each([
    ["Latin-1", LATIN, "windows-1252"],
    ["Shift_JIS", Buffer.concat(Array.from({ length: 60 }, () => SHIFT_JIS)), "shift_jis"],
    ["GBK", Buffer.concat(Array.from({ length: 60 }, () => GBK)), "gb18030"],
  ])("rebuilds a %s file in one encoding through all its pages", async (_name, bytes, encoding) => {
    const at = openWorkspace("");
    for (const size of [16, 17, 31, 64, 65, 333]) {
      await expectRebuilt(
        at.mountAgain({ limits: { unrangedMax: size, readMax: size } }),
        legacy(bytes, encoding),
      );
    }
    await expectRebuilt(at.tools, legacy(bytes, encoding));
    await expectRebuilt(at.tools, legacy(bytes, encoding), { limit: 7 });
  });

  it.each([
    ["empty", ""],
    ["one newline", "\n"],
    ["one CRLF", "\r\n"],
    ["one lone CR", "\r"],
    ["no final newline", "a\nb"],
    ["blank lines alone", "\n\n\n\n"],
    ["CRLF and LF", "a\r\nb\nc\r\n"],
    ["CR before CRLF", "a\r\r\nb\r\r\n"],
    ["digits and tabs like our own rows", '1\tx\n2\ty\n  3\tz\nread {"path":"f","offset":9}\n'],
    ["more lines than a page", `${Array.from({ length: 3000 }, (_, i) => `line ${i}`).join("\n")}\n`],
  ])("rebuilds a file with %s", async (_name, made) => {
    const at = openWorkspace("");
    // Rows that look like our own next calls cannot be told from them by a program that reads text alone.
    const isAmbiguous = made.includes('read {"path"');
    for (const encode of isAmbiguous ? [] : [utf8, utf8WithBom, utf16le, utf16be]) {
      await expectRebuilt(at.tools, encode(made));
      const limit = made.length < 200 ? 1 : 250;
      if (made !== "") await expectRebuilt(at.tools, encode(made), { offset: 1, limit });
    }
  });

  it.each([
    ["ASCII", "x".repeat(5_000_000)],
    ["three-byte characters", "字".repeat(1_700_000)],
    ["four-byte characters, shifted by one", `a${"😀".repeat(1_250_000)}`],
  ])("rebuilds one line of 5 MB of %s, and the line after it", { timeout: 120_000 }, async (_name, long) => {
    const at = openWorkspace("");
    await expectRebuilt(at.tools, utf8(`${long}\nafter\n`));
  });

  it("rebuilds a long UTF-16 line, and a long Latin-1 line, between short ones", {
    timeout: 60_000,
  }, async () => {
    const at = openWorkspace("");
    await expectRebuilt(at.tools, utf16le(`short\n${"é字😀".repeat(60_000)}\nshort`));
    await expectRebuilt(
      at.tools,
      legacy(Buffer.from(`short\n${"\xe9x".repeat(90_000)}\nshort\n`, "latin1"), "windows-1252"),
    );
  });
});
