/**
 * Owns how often a document is parsed. Leaves what is read of it to read-pdf.test.ts.
 * Rule: real documents and the real parser, counted.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PdfReading } from "../../src/contract/pdf.ts";
import { buildPdf, write } from "./build-pdf.ts";

const DIST = join(import.meta.dirname, "..", "..", "dist", "worker-entry");
const { parsePdf } = (await import(
  join(DIST, "read-pdf.js")
)) as typeof import("../../src/worker-entry/read-pdf.ts");
const { keepPdfTexts } = (await import(
  join(DIST, "keep-pdf-texts.js")
)) as typeof import("../../src/worker-entry/keep-pdf-texts.ts");

const NEVER = new AbortController().signal;

function pagesOf(count: number, name: string, lines = 1): Buffer {
  const rows = (page: number) =>
    Array.from({ length: lines }, (_, at): [number, number, string] => [
      20,
      780 - at * 14,
      `${name} ${at} of page ${page}`,
    ]);
  return buildPdf(
    Array.from({ length: count }, (_, at) => ({ draw: at === count - 2 ? "" : write(rows(at + 1)) })),
  );
}

function open(idleMs?: number) {
  let parsed = 0;
  const read = keepPdfTexts({
    parse: (parsing) => {
      parsed++;
      return parsePdf(parsing);
    },
    ...(idleMs !== undefined && { idleMs }),
  });
  const ask = (bytes: Uint8Array, more: Partial<PdfReading> = {}) =>
    read({ bytes, fromLine: 1, wantedBytes: 300, signal: NEVER, ...more });
  return { ask, count: () => parsed };
}

describe("a document that is read again", () => {
  it("is not parsed again, from whichever line it is read, until its bytes change", async () => {
    const { ask, count } = open();
    const document = pagesOf(60, "line", 3);
    const first = await ask(document);
    for (let line = 1; line < 200; line += 20)
      expect(await ask(Buffer.from(document), { fromLine: line })).toEqual(first);
    expect(count()).toBe(1);
    expect(await ask(pagesOf(60, "word", 3))).not.toEqual(first);
    expect(count()).toBe(2);
  });

  it("gives what it gives where nothing is kept, also behind the pages that are counted", async () => {
    const { ask, count } = open();
    const document = pagesOf(560, "line", 4);
    for (const fromLine of [1, 2_000, 2_990, 3_000, 3_100, 3_200, 3_354, 3_400, 2_995, 1]) {
      const again = await ask(document, { fromLine });
      expect(again, `line ${fromLine}`).toEqual(await open().ask(document, { fromLine }));
    }
    // Once as far as it is counted, once for all behind.
    expect(count()).toBe(2);
  }, 120_000);

  it("is parsed again where two others were read meanwhile, or nobody asked for a while", async () => {
    const { ask, count } = open();
    const documents = ["a", "b", "c"].map((name) => pagesOf(3, name));
    for (const document of documents) await ask(document);
    for (const document of documents.slice(1)) await ask(document);
    expect(count()).toBe(3);
    await ask(documents[0] ?? Buffer.alloc(0));
    expect(count()).toBe(4);
    const brief = open(1);
    await brief.ask(documents[0] ?? Buffer.alloc(0));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await brief.ask(documents[0] ?? Buffer.alloc(0));
    expect(brief.count()).toBe(2);
  });

  it("is tried again where it could not be read", async () => {
    const { ask, count } = open();
    const broken = Buffer.from("%PDF-1.7\nnothing");
    expect(await ask(broken)).toEqual(await ask(broken));
    expect(count()).toBe(2);
  });
});
