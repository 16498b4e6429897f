/**
 * Owns the public bug reports about the shapes in which models send arguments.
 * Leaves recorded calls of other tools to test/recorded-calls. Rule: never half of what was asked.
 */
import { describe, expect, it } from "vitest";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";

const ENTRY = { old_text: "a", new_text: "b" };
const FILE = String.raw`printf 'a\n' > f`;

describe("edits in other shapes", () => {
  it.each([
    ["as a JSON string", JSON.stringify([ENTRY])],
    ["encoded twice", JSON.stringify(JSON.stringify([ENTRY]))],
    ["as a JSON string of one object", JSON.stringify(ENTRY)],
    ["as an array of JSON strings", [JSON.stringify(ENTRY)]],
    ["as one object", ENTRY],
    ["as JSON with a trailing comma", '[{"old_text":"a","new_text":"b"},]'],
    ["with camel case names", [{ oldText: "a", newText: "b" }]],
    ["with string names", [{ old_string: "a", new_string: "b" }]],
    ["with str names", [{ old_str: "a", new_str: "b" }]],
    ["as search and replace", [{ search: "a", replace: "b" }]],
  ])("A01 A02 A03 takes edits %s", async (_shape, edits) => {
    const at = openWorkspace(FILE);
    await at.does("edit", { path: "f", edits });
    expect(at.text("f")).toBe("b\n");
  });

  it.each([["not json"], ["5"], [5], [true], ["[1,2]"], [[1]], [["x"]], [{}], ["{}"]])(
    "A01 refuses the edits %j with a clear error",
    async (edits) => {
      const at = openWorkspace(FILE);
      const refused = await at.refuses("edit", { path: "f", edits }, "input-invalid");
      expect(refused.content).toContain("edits");
    },
  );

  it("A03 takes old_text and new_text at the top level without edits", async () => {
    const at = openWorkspace(FILE);
    await at.does("edit", { path: "f", ...ENTRY });
    expect(at.text("f")).toBe("b\n");
  });

  it("A03 takes replace_all at the top level", async () => {
    const at = openWorkspace(String.raw`printf 'a a\n' > f`);
    await at.does("edit", { path: "f", old_string: "a", new_string: "b", replace_all: true });
    expect(at.text("f")).toBe("b b\n");
  });

  it("A03 never does half of what was asked with both at once", async () => {
    const at = openWorkspace(String.raw`printf 'a c\n' > f`);
    const args = { path: "f", ...ENTRY, edits: [{ old_text: "c", new_text: "d" }] };
    const out = await at.call("edit", args);
    if (out.isError) expectRefusal(out, "input-invalid");
    expect(at.text("f")).toBe(out.isError ? "a c\n" : "b d\n");
  });

  it("A01 keeps text that looks like JSON, numbers or null as the text it is", async () => {
    const at = openWorkspace(String.raw`printf '{"a":1}\n[1]\n12\nnull\n' > f`);
    await at.edit("f", '{"a":1}', '{"a":2}');
    await at.edit("f", "[1]", '["x"]');
    await at.edit("f", "12", "null");
    expect(at.text("f")).toBe('{"a":2}\n["x"]\nnull\nnull\n');
    await at.does("write", { path: "g", content: '{"k":[1,2]}' });
    expect(at.text("g")).toBe('{"k":[1,2]}');
    await at.does("write", { path: "h", content: "```json\n{}\n```" });
    expect(at.text("h")).toBe("```json\n{}\n```");
  });

  it("A01 takes whole calls as JSON text, in a code fence, single quotes, bare keys, Python literals, with comments", async () => {
    const at = openWorkspace("seq 1 5 > f");
    const texts = [
      '{"path":"f","offset":2,"limit":1}',
      '```json\n{"path":"f","offset":2,"limit":1}\n```',
      "{'path': 'f', 'offset': 2, 'limit': 1}",
      '{path: "f", offset: 2, limit: 1,}',
      '{"path": "f", "offset": 2, "limit": 1, "column": None}',
      '{"path": "f", /* from */ "offset": 2, // to\n "limit": 1}',
      JSON.stringify('{"path":"f","offset":2,"limit":1}'),
    ];
    for (const text of texts) {
      const done = expectSuccess(await at.call("read", text));
      expect(done.content, text).toContain("2\t2");
      expect(done.content, text).not.toContain("3\t3");
    }
  });

  it("A01 never completes a text that ends too early", async () => {
    const at = openWorkspace("");
    const whole = JSON.stringify({ path: "f", content: "line one\nline two\n" });
    for (let end = 1; end < whole.length; end++) {
      const out = await at.call("write", whole.slice(0, end));
      if (!out.isError) expect.fail(`wrote from ${whole.slice(0, end)}`);
      expect(out.refusal.code, whole.slice(0, end)).not.toBe("fault");
    }
    const refused = await at.refuses("write", whole.slice(0, 30), "input-truncated");
    expect(refused.content).toMatch(/less|smaller|shorter|parts|pieces/i);
    expect(at.bash("ls -A")).toBe("");
  });

  it("A01 refuses a bad escape in a change with its position, and keeps raw newlines and tabs", async () => {
    const at = openWorkspace("");
    const refused = await at.refuses("write", '{"path":"f","content":"C:\\dev"}', "input-invalid");
    expect(refused.content).toMatch(/\b2\d\b/);
    await at.does("write", '{"path":"f","content":"a\n\tb\n"}');
    expect(at.text("f")).toBe("a\n\tb\n");
  });
});

describe("numbers and booleans in other shapes", () => {
  it.each([
    ["2", "3"],
    ["2.0", "3.0"],
    [" 2 ", " 3 "],
    [2.0, 3],
  ])("A05 reads lines 2 to 4 for offset %j and limit %j", async (offset, limit) => {
    const at = openWorkspace("seq 1 9 > f");
    const done = await at.does("read", { path: "f", offset, limit });
    expect(done.content.split("\n").filter((line) => /^\d\t/.test(line))).toEqual(["2\t2", "3\t3", "4\t4"]);
  });

  it.each(["two", "", true, "2.5", "1e", "0x", [], {}, "NaN", "Infinity"])(
    "A05 refuses the offset %j naming the parameter and the value",
    async (offset) => {
      const at = openWorkspace("seq 1 9 > f");
      const refused = await at.refuses("read", { path: "f", offset }, "input-invalid");
      expect(refused.content).toContain("offset");
      if (typeof offset === "string" && offset !== "") expect(refused.content).toContain(offset);
    },
  );

  it("A05 takes booleans as text, and refuses what is no boolean", async () => {
    const at = openWorkspace(String.raw`printf 'a a\n' > f`);
    await at.does("edit", { path: "f", edits: [{ old_text: "a", new_text: "b", replace_all: "true" }] });
    expect(at.text("f")).toBe("b b\n");
    await at.refuses(
      "edit",
      { path: "f", edits: [{ old_text: "b", new_text: "c", replace_all: "perhaps" }] },
      "input-invalid",
    );
    await at.refuses("write", { path: "f", content: "x", overwrite: "false" }, "file-changed", "file-unread");
  });

  it("A05 reports all problems at once, by path", async () => {
    const at = openWorkspace(FILE);
    const refused = await at.refuses(
      "edit",
      { edits: [ENTRY, { old_text: {}, new_text: "x" }, { old_text: "y" }] },
      "input-invalid",
    );
    for (const path of ["path", "edits[1].old_text", "edits[2].new_text"])
      expect(refused.content).toContain(path);
  });
});

describe("other names", () => {
  it.each(["path", "file_path", "filePath", "file", "absolute_path", "filename", "target_file"])(
    "A06 takes %s as the path",
    async (name) => {
      const at = openWorkspace(FILE);
      await at.does("read", { [name]: "f" });
      await at.does("edit", { [name]: "f", old_string: "a", new_string: "b" });
      await at.does("write", { [name]: "f", content: "c\n" });
      expect(at.text("f")).toBe("c\n");
      await at.does("delete", { [name]: "f" });
    },
  );

  it("A06 lets the explicit path win over an alias, and names the ignored one", async () => {
    const at = openWorkspace(String.raw`printf 'mine\n' > f; printf 'other\n' > g`);
    const done = await at.does("read", { path: "f", file_path: "g" });
    expect(done.content).toContain("1\tmine");
    expect(done.content).toContain("file_path");
    const swapped = await at.does("read", { file_path: "g", path: "f" });
    expect(swapped.content).toContain("1\tmine");
  });

  it("A06 takes include and other names of grep's filter and switches", async () => {
    const at = openWorkspace(String.raw`printf 'Hit\n' > a.ts; printf 'hit\n' > a.md`);
    for (const name of ["glob", "include", "file_pattern"]) {
      const done = await at.does("grep", { pattern: "[Hh]it", [name]: "*.ts" });
      expect(done.content).toContain("a.ts\n1:Hit");
      expect(done.content).not.toContain("a.md");
    }
    for (const extra of [
      { "-i": true },
      { case_insensitive: true },
      { case_sensitive: false },
      { ignore_case: true },
    ]) {
      expect((await at.does("grep", { pattern: "HIT", ...extra })).content).toContain("1:hit");
    }
    for (const name of ["regex", "query", "search_pattern"]) {
      expect((await at.does("grep", { [name]: "hit" })).content).toContain("a.md\n1:hit");
    }
  });

  it("A06 names unknown arguments in a note where nothing is changed", async () => {
    const at = openWorkspace(FILE);
    const done = await at.does("read", { path: "f", encoding: "utf-8" });
    expect(done.content).toContain("1\ta");
    expect(done.content).toContain("encoding");
    expect(done.notes.some((note) => note.code === "argument-ignored")).toBe(true);
  });

  it.each([
    ["write", { path: "n", content: "x", dry_run: true }, "dry_run"],
    ["edit", { path: "f", edits: [ENTRY], dryRun: true }, "dryRun"],
    ["edit", { path: "f", edits: [{ ...ENTRY, replace_al: true }] }, "replace_al"],
    ["delete", { path: "f", force: true }, "force"],
    ["move", { from: "f", to: "g", overwirte: true }, "overwirte"],
  ])(
    "A06 refuses an unknown argument of %s, which might have meant something",
    async (name, args, unknown) => {
      const at = openWorkspace(FILE);
      const refused = await at.refuses(name, args, "input-invalid");
      expect(refused.content).toContain(unknown);
    },
  );

  it("A06 names the nearest argument for an unknown one", async () => {
    const at = openWorkspace(FILE);
    const refused = await at.refuses("move", { from: "f", to: "g", overwirte: true }, "input-invalid");
    expect(refused.content).toMatch(/overwrite/);
    const entry = await at.refuses(
      "edit",
      { path: "f", edits: [{ ...ENTRY, replace_al: true }] },
      "input-invalid",
    );
    expect(entry.content).toContain("replace_all");
  });

  it("A06 ignores commentary everywhere", async () => {
    const at = openWorkspace(FILE);
    const said = { _why: "x", description: "d", explanation: "e", reason: "r" };
    const read = await at.does("read", { path: "f", ...said });
    expect(read.content).toBe("f: 1 line\n1\ta");
    await at.does("edit", { path: "f", edits: [{ ...ENTRY, _note: "n" }], ...said });
    await at.does("write", { path: "g", content: "x", ...said });
    await at.does("move", { from: "g", to: "h", ...said });
    await at.does("delete", { path: "h", ...said });
  });

  it("A06 takes a null under an unknown name as absent, also in a change", async () => {
    const at = openWorkspace(FILE);
    await at.does("write", { path: "g", content: "x", dry_run: null, encoding: null });
    expect(at.text("g")).toBe("x");
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "A06 treats the argument name %s as any unknown one",
    async (name) => {
      const at = openWorkspace(FILE);
      const args = `{"path":"f","${name}":{"path":"/etc/passwd"}}`;
      expect((await at.does("read", args)).content).toContain("1\ta");
      await at.refuses("write", `{"path":"g","content":"x","${name}":1}`, "input-invalid");
    },
  );
});

describe("null and empty", () => {
  it("A07 takes null as not given everywhere", async () => {
    const at = openWorkspace(FILE);
    await at.does("read", { path: "f", offset: null, limit: null, column: null, grep: null });
    await at.does("list", { path: null, depth: null, glob: null });
    await at.does("glob", { pattern: "*", path: null });
    await at.does("grep", {
      pattern: "a",
      path: null,
      glob: null,
      ignore_case: null,
      context: null,
      mode: null,
      limit: null,
    });
    await at.does("edit", { path: "f", edits: [{ ...ENTRY, replace_all: null }] });
    await at.does("write", { path: "f", content: "x", overwrite: null });
    await at.does("move", { from: "f", to: "g", overwrite: null });
    await at.does("delete", { path: "g", recursive: null });
  });

  it("A07 takes an empty optional string as not given, the same in all tools", async () => {
    const at = openWorkspace(FILE);
    const grep = await at.does("grep", { pattern: "a", path: "", glob: "" });
    expect(grep.content).toContain("f\n1:a");
    expect((await at.does("list", { path: "", glob: "" })).content).toMatch(/^f\b/m);
    expect((await at.does("glob", { pattern: "*", path: "" })).content.split("\n")).toContain("f");
    const read = await at.does("read", { path: "f", grep: "" });
    expect(read.content).toContain("1\ta");
    await at.refuses("read", { path: "" }, "input-invalid");
  });

  it("A07 refuses a zero where counting starts at one, and takes zero lines of context", async () => {
    const at = openWorkspace(FILE);
    await at.does("grep", { pattern: "a", context: 0 });
    await at.refuses("read", { path: "f", offset: 0 });
  });

  it.each([undefined, null, "", "{}", [], "[]", 5, "null", true, "text"])(
    "A07 answers the arguments %j with a refusal that names what is missing",
    async (args) => {
      const at = openWorkspace(FILE);
      for (const name of ["read", "edit", "write", "delete", "move", "grep", "glob"]) {
        const refused = await at.refuses(name, args);
        expect(["input-invalid", "input-truncated"]).toContain(refused.refusal.code);
      }
    },
  );

  it("A07 lists the root where nothing is asked", async () => {
    const at = openWorkspace(FILE);
    for (const args of [undefined, null, "", "{}", {}]) {
      expect((await at.does("list", args)).content).toMatch(/^f\b/m);
    }
  });

  it("A06 names the nearest tool for an unknown one", async () => {
    const at = openWorkspace(FILE);
    const refused = await at.refuses("raed", { path: "f" }, "tool-unknown");
    expect(refused.content).toMatch(/\bread\b/);
  });
});
