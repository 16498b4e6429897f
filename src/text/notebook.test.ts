import { describe, expect, test } from "vitest";
import { renderNotebook } from "./notebook.ts";
import { stripAnsi } from "./strip-ansi.ts";

function notebook(cells: readonly unknown[], more: object = {}): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: "python" } },
    cells,
    ...more,
  });
}

describe("notebooks", () => {
  test("cells are numbered, with their kind, source and outputs", () => {
    const lines = renderNotebook(
      notebook([
        { cell_type: "markdown", source: ["# Title\n", "\n", "text"] },
        {
          cell_type: "code",
          execution_count: 3,
          source: "x = 1\nprint(x)\n",
          outputs: [
            { output_type: "stream", name: "stdout", text: ["1\n", "2\n"] },
            {
              output_type: "execute_result",
              execution_count: 3,
              data: { "text/html": "<b>1</b>", "text/plain": ["1"] },
            },
          ],
        },
        { cell_type: "raw", source: "" },
      ]),
    );
    expect(lines).toEqual([
      "[cell 1] markdown",
      "# Title",
      "",
      "text",
      "",
      "[cell 2] code (python) In [3]",
      "x = 1",
      "print(x)",
      "[output of cell 2: stdout]",
      "1",
      "2",
      "[output of cell 2: result]",
      "1",
      "",
      "[cell 3] raw",
    ]);
  });

  test("images are named with their size and never shown", () => {
    const image = Buffer.alloc(300, 7).toString("base64");
    const lines = renderNotebook(
      notebook([
        {
          cell_type: "code",
          source: "plot()",
          outputs: [
            { output_type: "display_data", data: { "image/png": `${image}\n`, "text/plain": "<Figure>" } },
          ],
        },
      ]),
    );
    expect(lines?.slice(2)).toEqual([
      "[output of cell 1: display]",
      "[image/png, 300 bytes, not shown]",
      "<Figure>",
    ]);
    expect(lines?.join("\n")).not.toContain(image.slice(0, 20));
  });

  test("tracebacks and streams lose their colours, and a redrawn line keeps what was left standing", () => {
    const lines = renderNotebook(
      notebook([
        {
          cell_type: "code",
          source: "",
          outputs: [
            { output_type: "error", ename: "E", evalue: "v", traceback: ["\x1b[0;31mE\x1b[0m: v", "line"] },
            { output_type: "error", ename: "E", evalue: "v", traceback: [] },
            { output_type: "stream", name: "stderr", text: "10%\r50%\r\x1b[K100%\r\ndone\r\n" },
          ],
        },
      ]),
    );
    expect(lines?.slice(1)).toEqual([
      "[output of cell 1: error]",
      "E: v",
      "line",
      "[output of cell 1: error]",
      "E: v",
      "[output of cell 1: stderr]",
      "100%",
      "done",
    ]);
  });

  test("outputs that offer only HTML, JSON or something unknown say which", () => {
    const show = (data: object): string[] | undefined =>
      renderNotebook(
        notebook([{ cell_type: "code", source: "", outputs: [{ output_type: "display_data", data }] }]),
      )?.slice(2);
    expect(show({ "text/html": "<table>" })).toEqual(["[text/html]", "<table>"]);
    expect(show({ "application/json": { a: [1] } })).toEqual(["[application/json]", '{"a":[1]}']);
    expect(show({ "application/x-widget": {} })).toEqual(["[application/x-widget, not shown]"]);
    expect(show({})).toEqual([]);
  });

  test("format 3, with worksheets and short names, is read too", () => {
    const lines = renderNotebook(
      JSON.stringify({
        nbformat: 3,
        worksheets: [
          {
            cells: [
              {
                cell_type: "code",
                input: ["1+1"],
                prompt_number: 1,
                outputs: [
                  { output_type: "pyout", text: ["2"], png: "AAAA" },
                  { output_type: "stream", stream: "stdout", text: "x" },
                ],
              },
            ],
          },
        ],
      }),
    );
    expect(lines).toEqual([
      "[cell 1] code In [1]",
      "1+1",
      "[output of cell 1: result]",
      "[image/png, 3 bytes, not shown]",
      "2",
      "[output of cell 1: stdout]",
      "x",
    ]);
  });

  test("attachments are named, and a notebook without cells has no lines", () => {
    const cell = { cell_type: "markdown", source: "![](attachment:a.png)", attachments: { "a.png": {} } };
    expect(renderNotebook(notebook([cell]))?.at(-1)).toBe("[attachment: a.png]");
    expect(renderNotebook(notebook([]))).toEqual([]);
    expect(renderNotebook(`\ufeff${notebook([])}`)).toEqual([]);
  });

  test.each([
    "",
    "not json",
    "[]",
    "null",
    '{"cells":[]}',
    '{"nbformat":4}',
    '{"nbformat":4,"cells":{}}',
    '{"nbformat":"4","cells":[]}',
  ])("%j is no notebook", (json) => {
    expect(renderNotebook(json)).toBeUndefined();
  });

  test("cells with nothing or nonsense in them are still cells, and half characters are replaced", () => {
    const lines = renderNotebook(
      `{"nbformat":4,"cells":[{},{"cell_type":5,"source":{"a":1},"outputs":"x"},{"cell_type":"code","source":"\\ud800","outputs":[{},{"output_type":7}]},3]}`,
    );
    expect(lines).toEqual([
      "[cell 1] unknown",
      "",
      "[cell 2] unknown",
      "",
      "[cell 3] code",
      "\ufffd",
      "[output of cell 3: unknown]",
      "[output of cell 3: unknown]",
    ]);
  });
});

describe("terminal sequences", () => {
  test.each([
    ["\x1b[1;31mred\x1b[0m", "red"],
    ["\x9b1m \x90text", "\x9b1m \x90text"],
    ["\x1b]0;title\x07text", "text"],
    ["\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1b(Bplain\x1b=", "plain"],
    ["open \x1b]0;never closed\nnext", "open 0;never closed\nnext"],
    ["open \x1bPtext\nnext", "open text\nnext"],
    ["cut \x1b[", "cut ["],
    ["[31m is no sequence", "[31m is no sequence"],
  ])("%j becomes %j", (text, stripped) => {
    expect(stripAnsi(text)).toBe(stripped);
  });

  test("a megabyte of escapes takes no more than its length", () => {
    expect(stripAnsi("\x1b[".repeat(500_000))).toBe("[".repeat(500_000));
    expect(stripAnsi(`\x1b[${"0".repeat(1_000_000)}`)).toHaveLength(1_000_001);
  });
});
