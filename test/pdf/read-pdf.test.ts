/**
 * Owns `read` of PDF documents as programs make them, and of small ones whose every part is known.
 * Leaves documents that do harm to hostile.test.ts. Rule: what a person reads on the page, in the order of reading.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";
import { buildPdf, packed, stream, write } from "./build-pdf.ts";
import { linesOf, withDocument } from "./workspace.ts";

type Placed = readonly [x: number, y: number, text: string];

const hello = buildPdf([{ draw: write([[72, 700, "Hello, page one."]]) }]);

/** Five lines each of a left and a right column. */
const left = [1, 2, 3, 4, 5].map((at): Placed => [72, 700 - 14 * at, `Left column, line ${at} of it`]);
const right = [1, 2, 3, 4, 5].map((at): Placed => [320, 700 - 14 * at, `Right column, line ${at} of it`]);
const columns = [...left, ...right].map(([, , text]) => text);

describe("documents that a browser has printed", () => {
  it("are read as lines, with an empty one between paragraphs", async () => {
    const at = withDocument("one-column.pdf");
    const { content } = await at.does("read", { path: "a.pdf" });
    expect(content.split("\n")).toEqual([
      "a.pdf: PDF as text, 1 page, 8 lines",
      "1\t[page 1 of 1]",
      "2\tA Letter",
      "3\t",
      "4\tDear reader, this document has one column, and its lines",
      "5\tare broken where the page ends. It was made by a browser.",
      "6\t",
      "7\tA second paragraph follows the first one at some distance,",
      "8\tso that an empty line parts them.",
    ]);
  });

  it("are read column by column, after the title that stands above both", async () => {
    const text = (await linesOf(withDocument("two-columns.pdf"))).join(" ");
    expect(text).toMatch(
      /^\[page 1 of 1\] Reading Columns +Ada Example and Ben Sample +Paragraph 1 begins\./,
    );
    const words = [...text.matchAll(/[a-z]+(\d+)/g)].map(([, number]) => Number(number));
    expect(words).toEqual(Array.from({ length: 144 }, (_, at) => at + 1));
  });

  it("are read column by column between the lines at their head and foot, however short the columns are", async () => {
    const lines = (await linesOf(withDocument("short-columns.pdf"))).filter((line) => line !== "");
    expect(lines.slice(2, -1).map((line) => line.split(" ")[0])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [`PARA${at}`, "lambda"]),
    );
    expect(lines.slice(2, -1).map((line) => /end\d\.$/.exec(line)?.[0])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [undefined, `end${at}.`]),
    );
    expect(lines[1]).toMatch(/^\d+\/\d+\/\d+, /);
    expect(lines.at(-1)).toMatch(/^file:.*\s{2,}1\/1$/);
  });

  it("keep the cells of a table apart, empty ones too, and programs indented", async () => {
    const lines = await linesOf(withDocument("table.pdf"));
    expect(lines).toContain("Item              Quantity     Price     Remark");
    expect(lines).toContain("Quinces                         0.99     only in autumn, when they are ripe");
    expect(lines.slice(-4)).toEqual(["def f(x):", "    if x:", "        return 1", "    return 0"]);
  });

  it("are read in every script: ligatures as letters, Hebrew and Arabic from their right", async () => {
    const lines = await linesOf(withDocument("unicode.pdf"));
    expect(lines.filter((line) => line !== "")).toEqual([
      "[page 1 of 1]",
      "Grüße, naïve façade — “quoted” … €5 ½ ≤ ∞",
      "Ελληνικά Русский текст",
      "emoji 😀 and ☃ and 𝒳",
      "שלום עולם, זה טקסט בעברית 123 סוף",
      "مرحبا بالعالم هذا نص عربي",
      "soft hyphen office fine affluent",
    ]);
  });
});

describe("the order of what stands on a page", () => {
  it("is that of columns where both were written line by line across the page", async () => {
    const drawn = left.flatMap((line, at) => [line, right[at] ?? line]);
    expect((await linesOf(withDocument(buildPdf([{ draw: write(drawn) }])))).slice(1)).toEqual(columns);
  });

  it("is that of columns where the right one was written first, or is set half a line lower", async () => {
    const lower = right.map(([x, y, text]): Placed => [x, y - 7, text]);
    for (const drawn of [
      [...right, ...left],
      [...left, ...lower],
    ])
      expect((await linesOf(withDocument(buildPdf([{ draw: write(drawn) }])))).slice(1)).toEqual(columns);
  });

  it("is that of three columns, and of parts of a page that have columns and parts that have none", async () => {
    const column = (x: number, name: string) =>
      [1, 2, 3, 4].map((at): Placed => [x, 640 - 14 * at, `${name} column, line ${at}`]);
    const wide = "This line goes from the left of the page to the right of it, above and below.";
    const drawn = [
      [30, 660, wide] as const,
      ...column(30, "first"),
      ...column(220, "second"),
      ...column(410, "third"),
      [30, 560, wide] as const,
    ];
    const lines = await linesOf(withDocument(buildPdf([{ draw: write(drawn) }])));
    const names = lines.filter((line) => line !== "").map((line) => line.split(" ")[0]);
    const each = (name: string) => Array(4).fill(name);
    expect(names).toEqual(["[page", "This", ...each("first"), ...each("second"), ...each("third"), "This"]);
  });

  it("is that of rows in a table of short cells", async () => {
    const cells = [
      ["Name", "Age", "City"],
      ["Ann", "33", "Bern"],
      ["Bob", "", "Rome"],
      ["Cleo", "51", "Oslo"],
    ];
    const drawn = cells.flatMap((row, at) =>
      row.map((cell, column): Placed => [72 + column * 120, 700 - 14 * at, cell]),
    );
    expect((await linesOf(withDocument(buildPdf([{ draw: write(drawn) }])))).slice(1)).toEqual([
      "Name                Age                 City",
      "Ann                 33                  Bern",
      "Bob                                     Rome",
      "Cleo                51                  Oslo",
    ]);
  });

  it("is from the top to the bottom, however the page was drawn", async () => {
    const drawn: Placed[] = [
      [72, 600, "third"],
      [72, 700, "first"],
      [72, 650, "second"],
    ];
    const lines = await linesOf(withDocument(buildPdf([{ draw: write(drawn) }])));
    expect(lines.filter((line) => line !== "").slice(1)).toEqual(["first", "second", "third"]);
  });

  it("is that of the page as it is seen, where it is turned", async () => {
    const seen = ["[page 1 of 1]", "first line", "second line"];
    const upright = write([
      [72, 700, "first line"],
      [72, 686, "second line"],
    ]);
    for (const turn of [90, 180, 270]) {
      const page = { draw: upright, entries: `/Rotate ${turn}` };
      expect(await linesOf(withDocument(buildPdf([page])))).toEqual(seen);
    }
    const turned = "BT /F 12 Tf 0 1 -1 0 100 100 Tm (first line) Tj 0 1 -1 0 114 100 Tm (second line) Tj ET";
    expect(await linesOf(withDocument(buildPdf([{ draw: turned }])))).toEqual(seen);
    expect(await linesOf(withDocument(buildPdf([{ draw: turned, entries: "/Rotate 90" }])))).toEqual(seen);
  });

  it("tells text that runs another way than the rest after it, by itself", async () => {
    const stamp = "BT /F 12 Tf 0 1 -1 0 20 300 Tm (stamp at the side) Tj ET";
    const lines = await linesOf(withDocument(buildPdf([{ draw: [stamp, write(left)] }])));
    expect(lines.slice(1)).toEqual([...left.map(([, , text]) => text), "", "stamp at the side"]);
  });
});

describe("what is read", () => {
  it("joins what was drawn letter by letter, and drops what was drawn twice to be bold", async () => {
    const letters = [..."spaced"].map((letter, at): Placed => [72 + at * 7.2, 700, letter]);
    const bold: Placed[] = [
      [72, 650, "bold"],
      [72.3, 650, "bold"],
    ];
    const lines = await linesOf(withDocument(buildPdf([{ draw: [write(letters), write(bold)] }])));
    expect(lines).toEqual(["[page 1 of 1]", "spaced", "", "bold"]);
  });

  it("is well-formed text, also where a font says that its glyphs are halves of characters or nobody's", async () => {
    const toUnicode = stream(
      "/CIDInit /ProcSet findresource begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange " +
        "5 beginbfchar <41> <D800> <42> <E123> <43> <F0B7> <44> <000A> <45> <D83DDE00> endbfchar endcmap end",
    );
    const font =
      "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>";
    const document = buildPdf(
      [{ draw: "BT /F 12 Tf 72 700 Td (xAx xBx xCx xDx xEx) Tj ET" }],
      new Map<number, string | Buffer>([
        [3, font],
        [6, toUnicode],
      ]),
    );
    const at = withDocument(document);
    const { content } = await at.does("read", { path: "a.pdf" });
    expect(content.isWellFormed()).toBe(true);
    expect(content).not.toMatch(/[\ue000-\uf8ff\0-\x08\x0b-\x1f]/);
    expect(content).toMatch(/x�x x•x .*x😀x$/);
  });

  it("names a page without text, and says so of a whole document", async () => {
    const scan = { draw: "0 0 600 800 re f" };
    const text = { draw: write([[72, 700, "text"]]) };
    const some = withDocument(buildPdf([text, scan, text]));
    const { content } = await some.does("read", { path: "a.pdf" });
    expect(content).toContain("a.pdf: PDF as text, 3 pages, 1 without text, 8 lines");
    expect(content).toContain("5\t[page 2 has no text (an image?)]");
    const none = await withDocument(buildPdf([scan, scan])).does("read", { path: "a.pdf" });
    expect(none.content).toContain("PDF as text, 2 pages, none with text");
  });

  it("names a page that cannot be read, and goes on behind it", async () => {
    const text = { draw: write([[72, 700, "text"]]) };
    const circle = "<< /Type /Pages /Parent 2 0 R /Kids [12 0 R] /Count 1 >>";
    const lines = await linesOf(withDocument(buildPdf([text, text, text], new Map([[12, circle]]))));
    expect(lines).toContain("[page 2 of 3 cannot be read]");
    expect(lines.slice(-2)).toEqual(["[page 3 of 3]", "text"]);
  });

  it("is unpacked, however often it is packed", async () => {
    const draw = [packed(Buffer.from(write([[72, 700, "packed text"]])))];
    expect(await linesOf(withDocument(buildPdf([{ draw }])))).toEqual(["[page 1 of 1]", "packed text"]);
  });
});

describe("lines of a document", () => {
  const many = buildPdf(
    Array.from({ length: 40 }, (_, at) => ({ draw: write([[72, 700, `text of page ${at + 1}`]]) })),
  );

  it("are counted by offset and limit, and the call that goes on is named", async () => {
    const at = withDocument(many);
    const { content } = await at.does("read", { path: "a.pdf", offset: 4, limit: 2 });
    expect(content.split("\n")).toEqual([
      "a.pdf: PDF as text, 40 pages, 119 lines, showing 4–5",
      "4\t[page 2 of 40]",
      "5\ttext of page 2",
      '[lines 6–119 follow; next: read {"path":"a.pdf","offset":6,"limit":2}]',
    ]);
    const refused = await at.refuses("read", { path: "a.pdf", offset: 120 }, "range-outside");
    expect(refused.content).toContain("offset 120 is past the end: a.pdf has 119 lines");
  });

  it("are reached behind the pages that are counted, and end where the document ends", async () => {
    const long = buildPdf(
      Array.from({ length: 700 }, (_, at) => ({
        draw: write(
          Array.from({ length: 25 }, (_line, row) => [20, 780 - row * 14, `${"x".repeat(70)} ${at + 1}`]),
        ),
      })),
    );
    const at = withDocument(long);
    const first = await at.does("read", { path: "a.pdf", limit: 1 });
    expect(first.content).toMatch(
      /^a\.pdf: PDF as text, 700 pages, more than \d+ lines, \d+ bytes, showing 1\n/,
    );
    const last = 700 * 27 - 1;
    const { content } = await at.does("read", { path: "a.pdf", offset: last });
    expect(content).toBe(
      `a.pdf: PDF as text, 700 pages, ${last} lines, showing ${last}\n${last}\t${"x".repeat(70)} 700`,
    );
  }, 60_000);

  it("are the same each time", async () => {
    const at = withDocument("two-columns.pdf");
    const once = await at.does("read", { path: "a.pdf" });
    expect((await at.does("read", { path: "a.pdf" })).content).toBe(once.content);
  });

  it("are the same where every tool runs in the worker", async () => {
    const at = withDocument("table.pdf");
    const { content } = await at.does("read", { path: "a.pdf", offset: 3 });
    const isolated = at.mountAgain({ isolation: "worker" });
    const again = await isolated.call("read", { path: "a.pdf", offset: 3 });
    expect(again.content).toBe(content);
    expect(again.details).toMatchObject({ kind: "pdf", pages: 1, totalLines: 16 });
  });
});

describe("what is a document", () => {
  it("is told by its bytes, not by its name", async () => {
    const at = openWorkspace("printf 'words, and %%PDF-1.7 among them\\n' > text.pdf");
    writeFileSync(join(at.root, "document.txt"), hello);
    expect((await at.does("read", { path: "document.txt" })).content).toContain("2\tHello, page one.");
    expect((await at.does("read", { path: "text.pdf" })).content).toContain(
      "1\twords, and %PDF-1.7 among them",
    );
  });

  it("may begin behind something else, as viewers let it", async () => {
    const behind = (bytes: number) => Buffer.concat([Buffer.alloc(bytes, 0xfe), hello]);
    expect(await linesOf(withDocument(behind(1_000)))).toContain("Hello, page one.");
    const at = withDocument(Buffer.concat([Buffer.alloc(2_000, 0), hello]));
    await at.refuses("read", { path: "a.pdf" }, "file-binary");
  });

  it("is not edited, and not written over as if it had been seen", async () => {
    const at = withDocument(hello);
    await at.does("read", { path: "a.pdf" });
    const edit = { path: "a.pdf", edits: [{ old_text: "Hello", new_text: "Bye" }] };
    await at.refuses("edit", edit, "file-binary");
    const refused = await at.refuses("write", { path: "a.pdf", content: "x" }, "file-unread");
    expect(refused.content).toContain("a PDF document, whose bytes no read shows");
  });
});

describe("documents that need a password", () => {
  it.each(["locked-rc4.pdf", "locked-aes.pdf"])("%s is refused, with a way out", async (name) => {
    const at = withDocument(name);
    const { content } = await at.refuses("read", { path: "a.pdf" }, "pdf-unreadable");
    expect(content).toMatch(
      /^a\.pdf is an encrypted PDF document \(\d+ bytes\): it opens with a password alone\./,
    );
    expect(content).toContain("Ask a person for a copy without a password.");
  });

  it("are read where they need one only to be changed", async () => {
    expect(await linesOf(withDocument("owner-only.pdf"))).toContain("A Letter");
  });
});

describe("without the package that reads them", () => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "haft-no-unpdf-")));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it("documents are refused by a message that names it", () => {
    const home = join(import.meta.dirname, "..", "..");
    cpSync(join(home, "dist"), join(copy, "dist"), { recursive: true });
    cpSync(join(home, "package.json"), join(copy, "package.json"));
    mkdirSync(join(copy, "node_modules"));
    for (const name of readdirSync(join(home, "node_modules")))
      if (name !== "unpdf" && !name.startsWith("."))
        symlinkSync(join(realpathSync(join(home, "node_modules")), name), join(copy, "node_modules", name));
    mkdirSync(join(copy, "root"));
    writeFileSync(join(copy, "root", "a.pdf"), hello);
    const program =
      'import { mount } from "./dist/index.js";' +
      'const tools = mount({ root: "root" }); const { content } = await tools.call("read", { path: "a.pdf" });' +
      "console.log(content); await tools.close();";
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: copy,
      encoding: "utf8",
    });
    expect(ran.stdout.trim()).toBe(
      `a.pdf is a PDF document (${hello.length} bytes), and the package unpdf is not installed, which reads them. Ask a person to install it: npm install unpdf`,
    );
  });
});
