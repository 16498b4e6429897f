/**
 * Owns making the recorded calls of other agents: each must succeed through the alias table.
 * Leaves the shapes to recordings.ts. Rule: success is told by what is shown or on disk, not by the lack of an error.
 */
import { describe, expect, it } from "vitest";
import { FILE_TOOLS } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";
import { RECORDING_FIXTURE, RECORDINGS } from "./recordings.ts";

/** Puts the absolute root where a recording names it. */
function placeRoot(value: unknown, root: string): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"ROOT', `"${root}`));
}

describe("recorded calls", () => {
  it.each(RECORDINGS.map((recording) => ({ ...recording, shown: JSON.stringify(recording.args) })))(
    "$agent: $name $shown",
    async (recording) => {
      const at = openWorkspace(RECORDING_FIXTURE, { tools: [...FILE_TOOLS, "bash", "jobs"] });
      const done = await at.does(recording.tool, placeRoot(recording.args, at.root));
      for (const text of recording.shows ?? []) expect(done.content).toContain(text);
      for (const text of recording.hides ?? []) expect(`\n${done.content}`).not.toContain(`\n${text}`);
      for (const [path, text] of Object.entries(recording.leaves ?? {})) expect(at.text(path)).toBe(text);
      const noted = done.notes.map((note) => note.text).join("\n");
      for (const name of recording.notes ?? []) expect(noted).toContain(name);
      // No recording ignores a word of the call in silence, and no alias needs a note.
      if (recording.notes === undefined && recording.name !== "grep") {
        expect(done.notes.filter((note) => note.code === "argument-ignored")).toEqual([]);
      }
    },
  );

  it.each(RECORDINGS.filter(({ tool }) => ["edit", "write"].includes(tool)))(
    "$agent: $name as JSON text",
    async (recording) => {
      const at = openWorkspace(RECORDING_FIXTURE);
      await at.does(recording.tool, JSON.stringify(placeRoot(recording.args, at.root)));
      for (const [path, text] of Object.entries(recording.leaves ?? {})) expect(at.text(path)).toBe(text);
    },
  );

  it("pi: ignoreCase of grep is either taken or named in a note", async () => {
    const at = openWorkspace(RECORDING_FIXTURE);
    const done = await at.does("grep", { pattern: "todo", ignoreCase: true });
    const noted = done.notes.some((note) => note.text.includes("ignoreCase"));
    expect(noted || done.content.includes("1:TODO fix")).toBe(true);
    expect(done.content).toContain("2:todo later");
  });
});

describe("recorded calls that must not be half done", () => {
  it.each([
    ["write", { command: "str_replace", path: "f", file_text: "x" }],
    ["edit", { command: "insert", path: "f", insert_line: 1, new_str: "x" }],
    ["edit", { command: "undo_edit", path: "f" }],
    ["edit", { command: "create", path: "f", old_str: "a", new_str: "b" }],
    ["write", { command: "view", path: "g", content: "x" }],
  ])("a command that does not fit %s is refused: %j", async (tool, args) => {
    const at = openWorkspace(String.raw`printf 'a\n' > f`);
    const refused = await at.refuses(tool, args, "input-invalid");
    expect(refused.content).toContain("command");
  });

  it("an expected count that does not agree is refused and says how many there are", async () => {
    const at = openWorkspace(String.raw`printf 'one two one\n' > f`);
    const call = { file_path: "f", old_string: "one", new_string: "1" };
    await at.refuses("edit", { ...call, expected_replacements: 3 });
    await at.refuses("edit", { ...call, expected_replacements: 1 }, "edit-ambiguous");
    await at.does("edit", { ...call, expected_replacements: 2 });
    expect(at.text("f")).toBe("1 two 1\n");
  });

  it("a range that ends before it starts is refused", async () => {
    const at = openWorkspace("seq 1 9 > f");
    await at.refuses("read", { path: "f", view_range: [5, 3] });
    await at.refuses("read", { path: "f", start_line: 5, end_line: 3 });
  });
});
