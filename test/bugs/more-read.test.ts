/**
 * Owns further public reports about reading: beside changes that run, in odd shapes of files and of ranges.
 * Rule: what is shown was whole at one moment, and what cannot be shown is said.
 */
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

describe("reading beside changes", () => {
  it("R01 never sees a file that is cut off or empty while it is edited and overwritten", async () => {
    const at = openWorkspace("seq -f 'line-%03g' 1 200 > f");
    const reads: Promise<unknown>[] = [];
    for (let round = 0; round < 40; round++) {
      const [old_text, new_text] = round % 2 === 0 ? ["line-010", "line-0X0"] : ["line-0X0", "line-010"];
      const change = at.tools.call("edit", { path: "f", edits: [{ old_text, new_text }] });
      reads.push(at.tools.call("read", { path: "f", offset: 150, limit: 5 }).then((out) => out.content));
      expect((await change).isError).toBe(false);
    }
    for (const content of await Promise.all(reads)) {
      expect(content).toContain("f: 200 lines, showing 150–154");
      expect(content).toContain("154\tline-154");
    }
  });
});

describe("ranges in other shapes", () => {
  it.each([
    [{ view_range: "[2, 3]" }, "2–3"],
    [{ view_range: ["2", "3"] }, "2–3"],
    [{ view_range: [2, -1] }, "2–4"],
    [{ start_line: "2", end_line: 3 }, "2–3"],
    [{ offset: "+2", limit: "2" }, "2–3"],
    [{ offset: 2, limit: Number.MAX_SAFE_INTEGER }, "2–4"],
    [{ offset: 2, end_line: 1e15 }, "2–4"],
  ])("A05 are taken: %j", async (range, shown) => {
    const at = openWorkspace("seq 1 4 > f");
    expect((await at.does("read", { path: "f", ...range })).content).toContain(`showing ${shown}`);
  });

  it.each([
    [{ limit: 0 }, "limit"],
    [{ limit: -1 }, "limit"],
    [{ limit: "5 lines" }, "limit"],
    [{ limit: "0x5" }, "limit"],
    [{ limit: "1,000" }, "limit"],
    [{ limit: [5] }, "limit"],
    [{ limit: 1e21 }, "limit"],
    [{ limit: "null" }, "limit"],
    [{ offset: "1e3" }, "offset"],
    [{ offset: "１" }, "offset"],
    [{ offset: Number.NaN }, "offset"],
    [{ view_range: [] }, "view_range"],
    [{ view_range: [1, 2, 3] }, "view_range"],
    [{ view_range: { start: 1, end: 2 } }, "view_range"],
    [{ start_line: 3, end_line: 2 }, "end_line"],
  ])("A05 are refused by name and value: %j", async (range, name) => {
    const at = openWorkspace("seq 1 4 > f");
    expect((await at.refuses("read", { path: "f", ...range }, "input-invalid")).content).toContain(name);
  });
});

describe("bytes that only look like UTF-8", () => {
  it.each([
    ["a character that the file's end cuts off", String.raw`x\xc3`, 1],
    ["half a surrogate pair", String.raw`\xed\xa0\x80`, 0],
    ["an overlong form", String.raw`a\xc0\x80`, 1],
    ["a character past the last", String.raw`ab\xf5\x80\x80\x80`, 2],
    ["a lone continuation", String.raw`\xe3\x81\x82\x82`, 3],
  ])("R17 are told by the first bad offset, and never become U+FFFD: %s", async (_about, bytes, offset) => {
    const at = openWorkspace(`printf '${bytes}\\nz\\n' > f`);
    const before = at.hex("f");
    const { content } = await at.does("read", { path: "f" });
    expect(content).toContain(`first bad byte at offset ${offset}`);
    expect(content).not.toContain("\ufffd");
    expect(content.isWellFormed()).toBe(true);
    await at.edit("f", "z", "y");
    await at.edit("f", "y", "z");
    expect(at.hex("f")).toBe(before);
  });
});

describe("notebooks in odd shapes", () => {
  const write = (at: ReturnType<typeof openWorkspace>, notebook: unknown) =>
    at.does("write", { path: "n.ipynb", content: JSON.stringify(notebook) });

  it("R09 show text and errors of cells, and name pictures instead of showing their base64", async () => {
    const at = openWorkspace("");
    const picture = "iVBORw0KGgo".repeat(5_000);
    await write(at, {
      nbformat: 4,
      cells: [
        {
          cell_type: "code",
          source: "plot()",
          outputs: [
            { output_type: "display_data", data: { "image/png": picture, "text/plain": ["<Figure>"] } },
            { output_type: "error", ename: "E", evalue: "v", traceback: ["\u001b[31mred\u001b[0m"] },
          ],
        },
      ],
    });
    const { content, images } = await at.does("read", { path: "n.ipynb" });
    expect(content).toContain("plot()");
    expect(content).toContain("image/png");
    expect(content).toContain("red");
    expect(content).not.toContain("\u001b");
    expect(content.length).toBeLessThan(1_000);
    expect(images).toEqual([]);
  });

  it.each([
    [
      "a cell that is no object",
      { nbformat: 4, cells: [5, null, { cell_type: "code", source: null, outputs: null }] },
    ],
    ["cells without a source", { nbformat: 4, cells: [{ cell_type: "raw" }, {}] }],
    [
      "the older form",
      { nbformat: 3, worksheets: [{ cells: [{ cell_type: "code", input: ["a"], outputs: [] }] }] },
    ],
    ["no cells", { nbformat: 4, cells: [] }],
    ["a list", []],
    [
      "outputs of unknown kinds",
      { nbformat: 4, cells: [{ cell_type: "code", source: ["a"], outputs: [{}, "x", 5] }] },
    ],
  ])("R09 are shown one way or the other, without a fault: %s", async (_about, notebook) => {
    const at = openWorkspace("");
    await write(at, notebook);
    expect((await at.does("read", { path: "n.ipynb" })).content).toMatch(/^n\.ipynb: /);
  });
});
