import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mountEcho } from "../../test/support/echo-tools.ts";
import { ALIASES } from "./aliases.ts";

const root = mkdtempSync(join(tmpdir(), "haft-aliases-"));
const tools = mountEcho(root);
afterAll(async () => {
  await tools.close();
  rmSync(root, { recursive: true });
});

async function pass(name: string, args: unknown): Promise<{ input: unknown; notes: string[] }> {
  const out = await tools.call(name, args);
  if (out.isError) expect.fail(out.content);
  return { input: (out.details as { input: unknown }).input, notes: out.notes.map((note) => note.text) };
}

async function refusalOf(name: string, args: unknown): Promise<string> {
  const out = await tools.call(name, args);
  if (!out.isError) expect.fail(out.content);
  expect(out.refusal.code).toBe("input-invalid");
  return out.content;
}

describe("the alias table", () => {
  it("is closed: this is all of it", () => {
    const rows = ALIASES.map((row) =>
      [row.rule, "to" in row ? row.to : "", row.tools.join(" "), row.names.join(" ")].join(" | "),
    );
    expect(rows).toEqual([
      "rename | path | read list glob grep edit write delete | file_path filePath file absolute_path filename dir directory dir_path target_file notebook_path",
      "rename | old_text | edit | old_string oldString oldText old_str search",
      "rename | new_text | edit | new_string newString newText new_str replace",
      "rename | replace_all | edit | replaceAll allow_multiple",
      "rename | offset | read | start_line startLine from line",
      "line-range | offset | read | view_range",
      "last-line | limit | read | end_line endLine",
      "rename | limit | grep | head_limit max_results maxResults",
      "rename | pattern | glob grep | regex query search_pattern",
      "rename | glob | grep list | include file_pattern",
      "rename | ignore_case | grep | -i case_insensitive",
      "negated | ignore_case | grep | case_sensitive",
      "rename | context | grep | -C context_lines",
      "larger | context | grep | -A -B",
      "rename | mode | grep | output_mode",
      "dropped |  | grep | -n",
      "dropped |  | edit | instruction",
      "count | replace_all | edit | expected_replacements",
      "must-be |  | read edit write | command",
      "rename | content | write | contents text file_text",
      "rename | command | bash | cmd script",
      "rename | timeout_ms | bash | timeoutMs",
      "seconds | timeout_ms | bash | timeout",
      "rename | cwd | bash | workdir working_directory directory dir dir_path",
      "rename | background | bash | run_in_background is_background",
      "rename | url | webfetch browse | uri",
      "rename | from | move | source src old_path",
      "rename | to | move | destination dest new_path",
      "rename | action | jobs | op",
    ]);
  });

  it("renames every name of every plain row, in an entry and at the top level", async () => {
    const base: Record<string, Record<string, unknown>> = {
      read: { path: "a" },
      grep: { pattern: "p" },
      edit: { path: "a" },
      write: { path: "a", content: "c" },
      bash: { command: "c" },
      move: { from: "a", to: "b" },
    };
    const values: Record<string, unknown> = {
      offset: 2,
      limit: 3,
      replace_all: true,
      ignore_case: true,
      context: 2,
      mode: "count",
      background: true,
      timeout_ms: 5_000,
    };
    for (const row of ALIASES) {
      if (row.rule !== "rename") continue;
      for (const tool of row.tools.filter((name) => name in base)) {
        for (const name of row.names) {
          const entry = row.to === "old_text" || row.to === "new_text" || row.to === "replace_all";
          const value = values[row.to] ?? "value";
          const rest: Record<string, unknown> = {
            ...base[tool],
            ...(entry ? { old_text: "o", new_text: "n" } : {}),
          };
          delete rest[row.to];
          if (tool === "edit" && !entry) rest.edits = [{ old_text: "o", new_text: "n" }];
          const { input, notes } = await pass(tool, { ...rest, [name]: value });
          const got = entry ? (input as { edits: unknown[] }).edits[0] : input;
          expect(got, `${tool} ${name}`).toMatchObject({ [row.to]: value });
          expect(notes).toEqual([]);
          if (!entry) continue;
          const inner = await pass(tool, {
            path: "a",
            edits: [
              { old_text: "o", new_text: "n", ...rest, path: undefined, [row.to]: undefined, [name]: value },
            ],
          });
          expect((inner.input as { edits: unknown[] }).edits[0]).toMatchObject({ [row.to]: value });
        }
      }
    }
  });

  it("lets the explicit name win, and says what was ignored", async () => {
    expect(await pass("read", { path: "a", file_path: "b", filename: null })).toEqual({
      input: { path: "a" },
      notes: ["file_path was ignored because path is given"],
    });
    expect((await pass("write", { content: "x", path: "a", file: "b" })).input).toEqual({
      path: "a",
      content: "x",
    });
    expect((await pass("grep", { pattern: "x", path: "", dir: "src" })).input).toEqual({
      pattern: "x",
      path: "src",
    });
  });

  it("takes the first of two aliases where nothing is changed, and refuses two that disagree about a change", async () => {
    expect(await pass("read", { filename: "b", file_path: "a" })).toEqual({
      input: { path: "a" },
      notes: ["filename was ignored because file_path is given"],
    });
    expect(await refusalOf("write", { filename: "b", file_path: "a", content: "" })).toContain(
      "filename disagrees with file_path",
    );
    expect((await pass("write", { filename: "a", file_path: "a", content: "" })).input).toEqual({
      path: "a",
      content: "",
    });
  });

  it.each([
    [
      { start_line: 3, end_line: 5 },
      { offset: 3, limit: 3 },
    ],
    [
      { startLine: "3", endLine: "5" },
      { offset: 3, limit: 3 },
    ],
    [{ end_line: 4 }, { limit: 4 }],
    [{ offset: 2, end_line: -1 }, { offset: 2 }],
    [{ view_range: [2, 4] }, { offset: 2, limit: 3 }],
    [{ view_range: [2, -1] }, { offset: 2 }],
    [{ view_range: "[2, 4]" }, { offset: 2, limit: 3 }],
    [{ view_range: [2] }, { offset: 2 }],
    [
      { from: 2, limit: 1 },
      { offset: 2, limit: 1 },
    ],
    [{ line: 7 }, { offset: 7 }],
  ])("takes the range %j", async (range, expected) => {
    expect(await pass("read", { path: "a", ...range })).toEqual({
      input: { path: "a", ...expected },
      notes: [],
    });
  });

  it("refuses a range that is none, by its own name", async () => {
    expect(await refusalOf("read", { path: "a", start_line: 5, end_line: 3 })).toContain(
      "end_line 3 lies before the first line, 5",
    );
    expect(await refusalOf("read", { path: "a", view_range: "some" })).toContain(
      'view_range must be [first line, last line], not "some"',
    );
    expect(await refusalOf("read", { path: "a", view_range: [1, "x"] })).toContain(
      'view_range must be a whole number, not "x"',
    );
    expect(await refusalOf("read", { path: "a", end_line: 1.5 })).toContain(
      "end_line must be a whole number, not 1.5",
    );
  });

  it("takes the words of other searches", async () => {
    expect(
      (
        await pass("grep", {
          pattern: "x",
          case_sensitive: true,
          "-n": true,
          output_mode: "files_with_matches",
        })
      ).input,
    ).toEqual({
      pattern: "x",
      ignore_case: false,
      mode: "files",
    });
    expect((await pass("grep", { pattern: "x", case_sensitive: "false", "-A": 2, "-B": "5" })).input).toEqual(
      {
        pattern: "x",
        ignore_case: true,
        context: 5,
      },
    );
    expect(await pass("grep", { pattern: "x", context: 1, "-A": 2, "-C": 3 })).toEqual({
      input: { pattern: "x", context: 1 },
      notes: ["-C was ignored because context is given", "-A was ignored because context is given"],
    });
  });

  it("drops commentary of other editors, and a command that says what the tool does anyway", async () => {
    expect((await pass("write", { command: "create", path: "a", file_text: "x" })).input).toEqual({
      path: "a",
      content: "x",
    });
    expect((await pass("read", { command: "view", path: "a" })).input).toEqual({ path: "a" });
    expect(
      (
        await pass("edit", {
          command: "str_replace",
          instruction: "do",
          path: "a",
          old_str: "o",
          new_str: "n",
        })
      ).input,
    ).toEqual({
      path: "a",
      edits: [{ old_text: "o", new_text: "n" }],
    });
    expect(await refusalOf("edit", { command: "insert", path: "a", old_str: "o", new_str: "n" })).toContain(
      'command can only be "str_replace"',
    );
    expect(await refusalOf("read", { command: "create", path: "a" })).toContain('command can only be "view"');
  });

  it("passes an expected count on, so that it must agree", async () => {
    const at = { path: "a", old_text: "o", new_text: "n" };
    const edit = { old_text: "o", new_text: "n" };
    expect((await pass("edit", { ...at, expected_replacements: 1 })).input).toEqual({
      path: "a",
      edits: [edit],
    });
    const three = { ...edit, replace_all: true, expected_replacements: 3 };
    expect((await pass("edit", { ...at, expected_replacements: "3" })).input).toEqual({
      path: "a",
      edits: [three],
    });
    expect((await pass("edit", { path: "a", edits: [{ ...edit, expected_replacements: 3 }] })).input).toEqual(
      { path: "a", edits: [three] },
    );
    expect(await refusalOf("edit", { ...at, expected_replacements: 0 })).toContain(
      "expected_replacements must be at least 1, not 0",
    );
  });

  it("takes a small timeout as seconds, and says so", async () => {
    expect(await pass("bash", { cmd: "x", timeout: 30 })).toEqual({
      input: { command: "x", timeout_ms: 30_000 },
      notes: ["timeout 30 was taken as seconds"],
    });
    expect((await pass("bash", { cmd: "x", timeout: 30_000 })).input).toEqual({
      command: "x",
      timeout_ms: 30_000,
    });
    expect((await pass("bash", { cmd: "x", timeout_ms: 30 })).input).toEqual({
      command: "x",
      timeout_ms: 30,
    });
  });

  it("refuses an edit at the top level beside a list of edits", async () => {
    const edit = { old_text: "o", new_text: "n" };
    expect(await refusalOf("edit", { path: "a", ...edit, edits: [edit] })).toContain(
      "old_text stands beside edits",
    );
    expect(await refusalOf("edit", { path: "a", replace_all: true, edits: [edit] })).toContain(
      "replace_all stands beside edits",
    );
    expect((await pass("edit", { path: "a", ...edit, edits: null })).input).toEqual({
      path: "a",
      edits: [edit],
    });
  });
});
