/**
 * Owns further public reports about changes: calls that run at once, what a call leaves behind, messages that mislead,
 * markup of a call that lands in its text. Leaves matching to edit-matching.test.ts and its kin.
 * Rule: every change is whole or not there, and what was done is what is told.
 */
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

describe("many calls at once", () => {
  it("E28 lands every edit of one file, under three spellings, and warns of no leak", async () => {
    const at = openWorkspace("seq 1 200 > n; ln -s n link");
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on("warning", hear);
    const { signal } = new AbortController();
    const spellings = ["n", "./n", "link", `${at.root}/n`];
    const outs = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const edits = [{ old_text: `\n${index + 20}\n`, new_text: `\nL${index + 20}\n` }];
        return at.tools.call("edit", { path: spellings[index % 4], edits }, { signal });
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", hear);
    expect(outs.filter((out) => out.isError)).toEqual([]);
    expect(at.bash("wc -l < n; grep -c L n").split("\n").slice(0, 2)).toEqual(["200", "60"]);
    expect(warnings).toEqual([]);
  });

  it("E28 cancels each call of a signal that many share, and none of another", async () => {
    const at = openWorkspace("seq 1 200 > n");
    const stopped = new AbortController();
    const edit = (line: number, signal?: AbortSignal) =>
      at.tools.call(
        "edit",
        { path: "n", edits: [{ old_text: `\n${line}\n`, new_text: `\nL${line}\n` }] },
        signal === undefined ? {} : { signal },
      );
    const ended = Array.from({ length: 20 }, (_, index) => edit(100 + index, stopped.signal));
    const going = Array.from({ length: 20 }, (_, index) => edit(50 + index));
    stopped.abort();
    const cancelled = await Promise.all(ended);
    expect(cancelled.every((out) => out.isError && out.refusal.code === "call-cancelled")).toBe(true);
    expect((await Promise.all(going)).filter((out) => out.isError)).toEqual([]);
    expect(at.bash("grep -c L n")).toBe("20\n");
    const later = await edit(150, stopped.signal);
    expect(later.isError).toBe(true);
  });

  it("E29 leaves one whole text where writes, edits, moves and deletions of one file meet", async () => {
    const at = openWorkspace("printf 'a\\n' > f");
    const long = `${"x".repeat(99)}\n`.repeat(2_000);
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        at.tools.call("write", { path: "f", content: long, overwrite: true }),
        at.tools.call("edit", { path: "f", edits: [{ old_text: "a", new_text: "b" }] }),
        at.tools.call("move", { from: "f", to: "g", overwrite: true }),
        at.tools.call("delete", { path: "g" }),
        at.tools.call("write", { path: "f", content: "a\n", overwrite: true }),
      ]);
      for (const name of at.bash("ls -A").split("\n").filter(Boolean)) {
        expect(["f", "g"]).toContain(name);
        expect(["a\n", "b\n", long]).toContain(at.text(name));
      }
    }
  });
});

describe("what a refusal says", () => {
  it("E11 of a file that is not UTF-8 does not say that it is", async () => {
    const at = openWorkspace(String.raw`printf 'caf\xe9\n' > f`);
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: [{ old_text: "caf", new_text: "café" }] },
      "file-encoding",
    );
    expect(refused.content).toContain("f is not valid UTF-8 (first byte that is not UTF-8 at offset 3)");
  });

  it("E23 of a list names every entry that is wrong in itself", async () => {
    const at = openWorkspace("printf 'a\\n' > f");
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: [{ old_text: "a" }, {}, { old_text: 5, new_text: ["x"] }, null, "x"] },
      "input-invalid",
    );
    for (const part of [
      "edits[0].new_text",
      "edits[1].old_text",
      "edits[2].old_text",
      "edits[2].new_text",
      "edits[3]",
    ])
      expect(refused.content).toContain(part);
  });

  it("A06 of an entry with a path of its own makes no change in either file", async () => {
    const at = openWorkspace("printf 'a\\n' > f; printf 'a\\n' > g");
    const edits = [{ old_text: "a", new_text: "b", path: "g" }];
    expect((await at.refuses("edit", { path: "f", edits }, "input-invalid")).content).toContain(
      "edits[0].path",
    );
  });
});

describe("a notebook", () => {
  it("W04 that was shown as text of its cells is not known, so it is not overwritten", async () => {
    const at = openWorkspace("");
    const cells = [{ cell_type: "code", source: ["a = 1\n"], outputs: [], execution_count: 1, metadata: {} }];
    await at.does("write", {
      path: "n.ipynb",
      content: JSON.stringify({ cells, nbformat: 4, nbformat_minor: 5, metadata: {} }),
    });
    const other = at.mountAgain();
    expect((await other.call("read", { path: "n.ipynb" })).content).toContain("a = 1");
    const out = await other.call("write", { path: "n.ipynb", content: "a = 2\n" });
    expect(out.isError && out.refusal.code).toBe("file-unread");
  });
});

describe("markup of the call in its text", () => {
  const swallowed = 'x = 1\n</content>\n<parameter name="overwrite">true';

  it.each([
    ["a closing tag of the argument", "x = 1\n</content>"],
    ["a closing tag and the end of the call", "x = 1\n</content>\n</invoke>\n"],
    ["an argument that followed", swallowed],
    ["a closing parameter", "x = 1\n</parameter>\n</invoke>"],
  ])("W01 is written as it came, and that is said: %s", async (_about, content) => {
    const at = openWorkspace("");
    const done = await at.does("write", { path: "f", content });
    expect(at.text("f")).toBe(content);
    expect(done.content).toContain("[note] content ends with </");
    const edited = await at.does("edit", {
      path: "f",
      edits: [{ old_text: content, new_text: `y\n</new_text>` }],
    });
    expect(edited.content).toContain("edits[0].new_text ends with </new_text>");
  });

  it.each([
    ["a document that opens what it closes", '<?xml version="1.0"?>\n<content>a</content>\n'],
    ["with attributes", '<feed><content type="html">a</content></feed>'],
    ["a text about tags", "Close it with </parameter> and go on.\n"],
    ["other markup", "<ul><li>a</li></ul>\n</body>\n</html>\n"],
    ["a generic type", "const a: Map<string, Array<number>>\n"],
  ])("W01 is not seen in %s", async (_about, content) => {
    const at = openWorkspace("");
    expect((await at.does("write", { path: "f", content })).content).not.toContain("[note]");
  });
});
