import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, detectForm, type Encoding, encode } from "../../text/encodings.ts";
import { sourceOfBytes } from "./byte-source.ts";
import { type Page, readPage } from "./page.ts";
import type { TextSource } from "./seek.ts";

const signal = new AbortController().signal;

async function textOf(bytes: Buffer): Promise<TextSource> {
  return { source: sourceOfBytes(bytes), form: await detectForm(bytes), signal };
}

/** Reads by following `next`, as a model would, and gives all pages. */
async function followPages(
  text: TextSource,
  limits: { maxBytes: number; maxCharacters: number; limit?: number },
) {
  const pages: Page[] = [];
  let at: { offset: number; column?: number } | undefined = { offset: 1 };
  while (at !== undefined) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(text, { ...at, ...limits });
    if ("outside" in page) throw new Error(`page ${pages.length} at ${JSON.stringify(at)} is outside`);
    pages.push(page);
    if (pages.length > 2_000) throw new Error("the pages do not come to an end");
    at = page.next;
  }
  return pages;
}

const encodings: readonly Encoding[] = ["utf-8", "utf-16le", "utf-16be"];
const characters = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é", "字", "😀", "x".repeat(9), "\uFEFF");
const someText = fc.array(characters, { maxLength: 40 }).map((parts) => parts.join(""));

function encoded(text: string, encoding: Encoding, withMark: boolean): Buffer {
  const mark = withMark || encoding !== "utf-8" ? "\uFEFF" : "";
  return encode(mark + text, encoding) ?? Buffer.alloc(0);
}

describe("pages of a text", () => {
  it("rebuild the decoded text and cover the bytes, whatever encoding, endings and limits", async () => {
    await fc.assert(
      fc.asyncProperty(
        someText,
        fc.constantFrom(...encodings),
        fc.boolean(),
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 8, max: 80 }),
        async (written, encoding, withMark, maxBytes, maxCharacters) => {
          // Without a mark of its own, a text that begins with one has just that one.
          const bytes = encoded(written, encoding, withMark);
          const text = await textOf(bytes);
          const pages = await followPages(text, { maxBytes, maxCharacters });
          const rebuilt = pages.flatMap((page) => page.lines.map((line) => line.text + line.ending)).join("");
          expect(rebuilt).toBe(decode(bytes.subarray(text.form.bomBytes), text.form.encoding));
          let end = 0;
          for (const page of pages) {
            expect(page.start).toBe(end);
            end = page.end;
          }
          expect(end).toBe(bytes.length);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("rebuild bytes that are not valid UTF-8", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes.map((byte) => byte || 1))),
        fc.integer({ min: 4, max: 30 }),
        async (bytes, maxBytes) => {
          const text = await textOf(bytes);
          const pages = await followPages(text, { maxBytes, maxCharacters: 10_000 });
          const rebuilt = pages.flatMap((page) => page.lines.map((line) => line.text + line.ending)).join("");
          expect(rebuilt).toBe(decode(bytes.subarray(text.form.bomBytes), text.form.encoding));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("keep to the limits of bytes and of lines", async () => {
    const text = await textOf(Buffer.from("one\ntwo\nthree\nfour\n"));
    const pages = await followPages(text, { maxBytes: 8, maxCharacters: 100, limit: 2 });
    expect(pages.map((page) => page.lines.map((line) => line.text))).toEqual([
      ["one", "two"],
      ["three"],
      ["four"],
    ]);
    expect(pages.every((page) => page.totalLines === 4)).toBe(true);
  });

  it("take a line whose text just fits, its ending not counted", async () => {
    const text = await textOf(Buffer.from("12345678\r\nx\r\n"));
    const page = await readPage(text, { offset: 1, maxBytes: 8, maxCharacters: 100 });
    expect(page).toMatchObject({ lines: [{ text: "12345678", ending: "\r\n" }], next: { offset: 2 } });
  });

  it("know how many lines there are when the offset is past the end", async () => {
    for (const [content, lines] of [
      ["", 0],
      ["a", 1],
      ["a\n", 1],
      ["a\nb", 2],
      ["a\nb\n", 2],
      ["\n\n", 2],
    ] as const) {
      const text = await textOf(Buffer.from(content));
      const page = await readPage(text, { offset: 9, maxBytes: 100, maxCharacters: 100 });
      expect(page).toEqual({ outside: "line", lines });
    }
  });

  it("know how many characters a line has when the column is past its end", async () => {
    const text = await textOf(Buffer.from("a😀c\nb\n"));
    const at = (column: number) => readPage(text, { offset: 1, column, maxBytes: 100, maxCharacters: 100 });
    expect(await at(4)).toMatchObject({ outside: "column", characters: 3 });
    expect(await at(3)).toMatchObject({ lines: [{ text: "c", ending: "\n" }], next: { offset: 2 } });
  });
});
