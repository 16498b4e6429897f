/**
 * Owns PDF documents that are broken, or made to harm whoever reads them.
 * Leaves sound ones to read-pdf.test.ts. Rule: each costs one call, ends in words, and leaves the worker as it was.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildPdf, type Objects, packed, stream, write, writeObjects } from "./build-pdf.ts";
import { linesOf, withDocument } from "./workspace.ts";

const text = { draw: write([[72, 700, "text"]]) };
const sound = buildPdf([text]);

const BUILT = join(import.meta.dirname, "..", "..", "dist", "worker-entry", "read-pdf.js");
const { parsePdf } = (await import(BUILT)) as typeof import("../../src/worker-entry/read-pdf.ts");
const NEVER = new AbortController().signal;
const asked = (bytes: Uint8Array, signal = NEVER) => ({
  bytes,
  fromLine: 1,
  wantedBytes: 65_536,
  aheadBytes: 0,
  signal,
});

/** A tree of pages as it is given, without anything else. */
function tree(objects: Record<number, string>): Buffer {
  const all = Object.entries({ 1: "<< /Type /Catalog /Pages 2 0 R >>", ...objects });
  return writeObjects(new Map(all.map(([number, object]) => [Number(number), object])));
}

function bomb(times: number): Buffer {
  let bytes = deflateSync(Buffer.alloc(200_000_000, 0x20), { level: 1 });
  for (let time = 1; time < times; time++) bytes = deflateSync(bytes);
  return buildPdf([{ draw: [stream(bytes, `/Filter [${"/FlateDecode ".repeat(times)}]`)] }]);
}

/** Thirty forms, each of which draws the next one twice: the last is drawn a billion times. */
function endless(): Buffer {
  const forms = Array.from({ length: 30 }, (_, at): [number, Buffer] => {
    const next = `/Font << /F 3 0 R >> /XObject << /A ${1_001 + at} 0 R >>`;
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${next} >>`;
    return [1_000 + at, stream(at === 29 ? write([[1, 1, "x"]]) : "/A Do /A Do", entries)];
  });
  return buildPdf(
    [{ draw: "/A Do", resources: "/XObject << /A 1000 0 R >>" }],
    new Map<number, string | Buffer>(forms),
  );
}

describe("a document that is broken", () => {
  it.each<[string, Buffer]>([
    ["has nothing behind its header", Buffer.from("%PDF-1.7\n")],
    ["has only words behind its header", Buffer.from(`%PDF-1.7\n${"these are only words\n".repeat(60)}`)],
    [
      "has random bytes behind its header",
      Buffer.from(`%PDF-1.7\n${"\x80\x01\xff\x00 obj <<".repeat(500)}`, "latin1"),
    ],
    ["ends early", sound.subarray(0, 300)],
    ["has no pages", buildPdf([])],
    ["has fewer pages than none", tree({ 2: "<< /Type /Pages /Kids [] /Count -5 >>" })],
    ["has a catalogue that is none", tree({ 1: "(words)", 2: "<< /Type /Pages /Kids [] /Count 0 >>" })],
    [
      "has pages that contain each other",
      tree({
        2: "<< /Type /Pages /Kids [2 0 R 4 0 R] /Count 9 >>",
        4: "<< /Type /Pages /Kids [2 0 R 4 0 R] /Count 7 >>",
      }),
    ],
    [
      "nests arrays without end",
      buildPdf([text], new Map([[1, `<< /Pages 2 0 R /X ${"[".repeat(1_000_000)} >>`]])),
    ],
  ])("and %s is refused with the reason", async (_what, document) => {
    const at = withDocument(document);
    const { content } = await at.refuses("read", { path: "a.pdf" }, "pdf-unreadable");
    expect(content).toMatch(
      /^a\.pdf is a damaged PDF document \(\d+ bytes?\): \S.+\. It cannot be read until/,
    );
  });

  it("but whose pages can be found is read: without its table of objects, or with one that goes in a circle", async () => {
    const written = sound.toString("latin1");
    const cut = written.slice(0, written.indexOf("xref\n")) + written.slice(written.indexOf("trailer"));
    const table = written.indexOf("xref\n");
    const circle = written.replace("/Root 1 0 R", `/Prev ${table} /Root 1 0 R`);
    for (const document of [cut, circle])
      expect(await linesOf(withDocument(Buffer.from(document, "latin1")))).toEqual(["[page 1 of 1]", "text"]);
  });

  it("and claims a billion pages is read as far as there are any", async () => {
    const more: Objects = new Map([[2, "<< /Type /Pages /Kids [10 0 R] /Count 1000000000 >>"]]);
    expect(await linesOf(withDocument(buildPdf([text], more)))).toEqual(["[page 1 of 1]", "text"]);
  });
});

describe("a document that is made to take much", () => {
  it.each<[string, () => Buffer]>([
    ["one stream unpacks to hundreds of megabytes", () => bomb(1)],
    ["one stream does so when it is unpacked twice", () => bomb(2)],
    ["one stream does so when it is unpacked three times", () => bomb(3)],
    [
      "a stream of another kind does so",
      () => buildPdf([{ draw: [stream(`${"\x81 ".repeat(700_000)}\x80`, "/Filter /RunLengthDecode")] }]),
    ],
  ])("where %s is refused, in bounded memory", async (_what, make) => {
    const document = make();
    const before = process.memoryUsage.rss();
    const read = await parsePdf(asked(document));
    expect(read).toEqual({
      kind: "not-read",
      why: "bounds",
      reason: "something in it unpacks to more than 64 MiB",
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(600 * 1_048_576);
  });

  it("of time is ended when its time is over, and nothing of it goes on", async () => {
    const tasks = () => readdirSync("/proc/self/task").length;
    await parsePdf(asked(sound));
    const before = tasks();
    const read = await parsePdf(asked(endless()), 1_500);
    expect(read).toEqual({ kind: "not-read", why: "bounds", reason: "it took longer than 1500 ms" });
    await expect.poll(tasks, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  });

  it("of memory is ended, and the process that it ran in goes on", async () => {
    const many = buildPdf([{ draw: [packed(Buffer.from(`BT /F 1 Tf ${"[".repeat(30_000_000)}`))] }]);
    const read = await parsePdf(asked(many));
    expect(["read", "not-read"]).toContain(read.kind);
    expect((await parsePdf(asked(sound))).kind).toBe("read");
  });

  it("leaves the worker free meanwhile: other calls are answered", async () => {
    const at = withDocument(endless());
    const abort = new AbortController();
    const reading = at.tools.call("read", { path: "a.pdf" }, { signal: abort.signal });
    await expect.poll(() => workersOf(process.pid).length, { timeout: 10_000 }).toBeGreaterThan(0);
    const [worker] = workersOf(process.pid);
    writeFileSync(join(at.root, "b.pdf"), sound);
    expect((await at.does("read", { path: "b.pdf" })).content).toContain("2\ttext");
    abort.abort();
    expect((await reading).content).toBe("read was cancelled.");
    // It was the document's thread that ended, not the worker.
    expect(workersOf(process.pid)).toEqual([worker]);
  });

  it("draws itself without end, and is read once", async () => {
    const inside = write([[72, 700, "in the form"]]);
    const resources = "/Resources << /Font << /F 3 0 R >> /XObject << /X 5 0 R >> >>";
    const form = stream(`${inside} /X Do`, `/Type /XObject /Subtype /Form /BBox [0 0 600 800] ${resources}`);
    const document = buildPdf(
      [{ draw: "/X Do", resources: "/XObject << /X 5 0 R >>" }],
      new Map([[5, form]]),
    );
    expect(await linesOf(withDocument(document))).toEqual(["[page 1 of 1]", "in the form"]);
  });

  it("has a hundred thousand pieces of text on one page, and is laid out all the same", async () => {
    const pieces = Array.from(
      { length: 100_000 },
      (_, at) => [(at % 400) * 50, Math.floor(at / 400) * 14, `w${at}`] as const,
    );
    const read = await parsePdf(asked(buildPdf([{ draw: [packed(Buffer.from(write(pieces)))] }])));
    expect(read.kind).toBe("read");
  });
});

/** The workers that this process has started. */
function workersOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
  return children
    .trim()
    .split(" ")
    .filter((child) => isWorker(child))
    .map(Number);
}

function isWorker(child: string): boolean {
  try {
    return readFileSync(`/proc/${child}/cmdline`, "utf8").includes("worker-entry");
  } catch {
    return false;
  }
}
