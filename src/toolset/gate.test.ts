import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { mountEcho } from "../../test/support/echo-tools.ts";
import type { InputProblem } from "../contract/refusal.ts";

const root = mkdtempSync(join(tmpdir(), "haft-gate-"));
const tools = mountEcho(root);
afterAll(async () => {
  await tools.close();
  rmSync(root, { recursive: true });
});

/** The arguments that reached the tool, and what the model is told beside them. */
async function pass(name: string, args: unknown): Promise<{ input: unknown; notes: string[] }> {
  const out = await tools.call(name, args);
  if (out.isError) expect.fail(out.content);
  const notes = out.notes.filter((note) => note.audience === "model").map((note) => note.text);
  for (const note of notes) expect(out.content).toContain(`\n[note] ${note}`);
  return { input: (out.details as { input: unknown }).input, notes };
}

async function problemsOf(name: string, args: unknown): Promise<readonly InputProblem[]> {
  const out = await tools.call(name, args);
  if (!out.isError) expect.fail(`passed: ${out.content}`);
  if (out.refusal.code !== "input-invalid") expect.fail(out.content);
  for (const { path, message } of out.refusal.facts.problems)
    expect(out.content).toContain(`${path} ${message}`);
  return out.refusal.facts.problems;
}

describe("the form of arguments", () => {
  it("takes an object or JSON text, and nothing at all for a call without arguments", async () => {
    expect((await pass("read", { path: "a" })).input).toEqual({ path: "a" });
    expect((await pass("read", '{"path":"a"}')).input).toEqual({ path: "a" });
    for (const nothing of [undefined, null, "", "  ", "{}", "null"])
      expect(await problemsOf("read", nothing)).toEqual([{ path: "path", message: "is required" }]);
  });

  it.each([
    ["an array", [{ path: "a" }], "must be one JSON object, not an array"],
    ["a number", 5, "must be one JSON object, not 5"],
    ["a text that is no object", '"hello"', 'must be one JSON object, not "hello"'],
    ["words", "path: a", "are not JSON"],
    ["a function", () => 1, "must be plain JSON, not a function"],
    ["a symbol", Symbol("x"), "must be plain JSON, not a symbol"],
    ["a big integer", 1n, "must be plain JSON, not a bigint"],
    ["a date", new Date(0), "must be plain JSON: objects"],
    ["a map", new Map([["path", "a"]]), "must be plain JSON: objects"],
  ])("refuses %s", async (_what, args, message) => {
    const [problem] = await problemsOf("read", args);
    expect(problem?.path).toBe("arguments");
    expect(problem?.message).toContain(message);
  });

  it("refuses cycles, throwing getters and endless nesting, by path", async () => {
    const cycle: Record<string, unknown> = { path: "a" };
    cycle.inner = { again: cycle };
    expect(await problemsOf("read", cycle)).toEqual([{ path: "inner.again", message: "contains itself" }]);
    const getter = Object.defineProperty({ path: "a" }, "offset", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect((await problemsOf("read", getter))[0]?.message).toContain("could not be read");
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    expect((await problemsOf("read", proxy))[0]?.message).toContain("could not be read");
    let deep: unknown = "x";
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect((await problemsOf("read", { path: deep }))[0]?.message).toContain(
      "is nested deeper than 64 levels",
    );
    const text = `{"path":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    expect((await problemsOf("read", text))[0]?.message).toContain("is nested deeper than 64 levels");
  });

  it("takes `__proto__` and `constructor` for the unknown names they are", async () => {
    const args = JSON.parse('{"path":"a","__proto__":{"offset":3},"constructor":1}') as unknown;
    expect((await pass("read", args)).input).toEqual({ path: "a" });
    const problems = await problemsOf("write", JSON.parse('{"path":"a","content":"x","constructor":1}'));
    expect(problems.map((one) => one.path)).toEqual(["constructor"]);
    expect(({} as { offset?: unknown }).offset).toBeUndefined();
  });

  it("takes arguments of a class without a prototype and from another realm", async () => {
    const bare: Record<string, unknown> = Object.create(null);
    bare.path = "a";
    expect((await pass("read", bare)).input).toEqual({ path: "a" });
  });

  it("refuses a text that ends too early as truncated, and says to send less", async () => {
    for (const text of ['{"path":"a","content":"hel', JSON.stringify('{"path":"a","content":"hel')]) {
      const out = await tools.call("write", text);
      if (!out.isError) expect.fail(out.content);
      expect(out.refusal).toEqual({
        kind: "refusal",
        code: "input-truncated",
        facts: { tool: "write", characters: text.length },
      });
      expect(out.content).toMatch(/Nothing was changed.*Send less at once/);
    }
    const nested = await tools.call("edit", { path: "a", edits: '[{"old_text":"a","new_text":"b' });
    expect(nested.isError && nested.refusal.code).toBe("input-truncated");
  });

  it("refuses a doubtful escape in a change and takes it literally elsewhere, with a note", async () => {
    const [problem] = await problemsOf("write", '{"path":"C:\\dev","content":""}');
    expect(problem?.message).toContain("\\d is no JSON escape");
    expect(problem?.message).toContain("at character 12");
    const read = await pass("grep", '{"pattern":"\\d+"}');
    expect(read.input).toEqual({ pattern: "\\d+" });
    expect(read.notes).toEqual(["the escape \\d is not JSON and was taken literally"]);
  });

  it("refuses half a character in a change and replaces it elsewhere, with a note", async () => {
    expect(await problemsOf("write", { path: "a", content: "x\ud83d" })).toEqual([
      { path: "content", message: "holds half a character (a lone surrogate); send whole characters" },
    ]);
    const read = await pass("grep", '{"pattern":"\\ud83d"}');
    expect(read.input).toEqual({ pattern: "\ufffd" });
    expect(read.notes).toHaveLength(1);
  });

  it("repairs how a text is written without a word to the model", async () => {
    const out = await tools.call("read", "```json\n{'path': 'a', offset: 2,}\n```");
    expect(out.content).toBe('{"path":"a","offset":2}');
    expect(out.notes).toEqual([
      {
        code: "argument-repaired",
        text: "repaired in the arguments: code fence, single quotes, bare keys, trailing comma",
        audience: "host",
      },
    ]);
  });
});

describe("values", () => {
  it.each([
    ["2", 2],
    [" 2 ", 2],
    ["2.0", 2],
    ["+2", 2],
    [2.0, 2],
  ])("takes %j where a number is wanted", async (offset, number) => {
    expect((await pass("read", { path: "a", offset })).input).toEqual({ path: "a", offset: number });
  });

  it.each([
    ["two"],
    [""],
    [true],
    [1.5],
    ["1e3"],
    ["0x10"],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ["9".repeat(40)],
    [[1]],
  ])("names the parameter and the value for %j where a number is wanted", async (limit) => {
    const [problem] = await problemsOf("read", { path: "a", limit });
    expect(problem?.path).toBe("limit");
    expect(problem?.message).toMatch(/^(must be a whole number of at least 1, not .+|must not be empty)$/);
  });

  it("tells ranges and allowed values", async () => {
    expect(await problemsOf("grep", { pattern: "x", context: 21, mode: "all", ignore_case: "yes" })).toEqual([
      { path: "ignore_case", message: 'must be true or false, not "yes"' },
      { path: "context", message: "must be a whole number from 0 to 20, not 21" },
      { path: "mode", message: 'must be one of "content", "files", "count", not "all"' },
    ]);
  });

  it.each([
    ["true", true],
    ["False", false],
    [" true ", true],
    [false, false],
  ])("takes %j where a boolean is wanted", async (given, value) => {
    expect((await pass("grep", { pattern: "x", ignore_case: given })).input).toEqual({
      pattern: "x",
      ignore_case: value,
    });
  });

  it("takes null as absent everywhere, and an empty optional string too", async () => {
    const args = { pattern: "x", path: "", glob: "", mode: "", limit: null, context: undefined, other: null };
    expect(await pass("grep", args)).toEqual({ input: { pattern: "x" }, notes: [] });
    expect((await pass("bash", { command: "true", cwd: "", timeout: null })).input).toEqual({
      command: "true",
    });
    expect(await problemsOf("write", { path: "x.md", content: null })).toEqual([
      { path: "content", message: "is required" },
    ]);
  });

  it("takes content, old_text and new_text as they are", async () => {
    expect((await pass("write", { path: "a", content: "" })).input).toEqual({ path: "a", content: "" });
    expect((await pass("write", { path: "a", content: '{"a":1}' })).input).toEqual({
      path: "a",
      content: '{"a":1}',
    });
    expect((await pass("edit", { path: "a", old_text: "x", new_text: "" })).input).toEqual({
      path: "a",
      edits: [{ old_text: "x", new_text: "" }],
    });
    expect(
      await problemsOf("edit", {
        path: "a",
        edits: [
          { old_text: "m", new_text: "p" },
          { old_text: "", new_text: "X" },
        ],
      }),
    ).toEqual([{ path: "edits[1].old_text", message: "must not be empty" }]);
  });

  it("never makes a string from anything else", async () => {
    expect(await problemsOf("write", { path: "a.json", content: { k: [1, 2] } })).toEqual([
      { path: "content", message: "must be a string, not an object: send a string" },
    ]);
    expect((await problemsOf("read", { path: 12 }))[0]?.message).toBe(
      "must be a string, not 12: send a string",
    );
  });

  it("refuses an empty required string", async () => {
    expect(await problemsOf("read", { path: "" })).toEqual([{ path: "path", message: "must not be empty" }]);
  });

  const edit = { old_text: "a", new_text: "b" };
  it.each([
    ["a JSON string", JSON.stringify([edit])],
    ["a JSON string encoded twice", JSON.stringify(JSON.stringify([edit]))],
    ["an array of JSON strings", [JSON.stringify(edit)]],
    ["one object", edit],
    ["one object as a JSON string", JSON.stringify(edit)],
    ["almost JSON", "[{'old_text':'a','new_text':'b'},]"],
  ])("takes %s where an array is wanted", async (_what, edits) => {
    expect((await pass("edit", { path: "f", edits })).input).toEqual({ path: "f", edits: [edit] });
  });

  it.each([["not json"], ["5"], [5], [[]], ["[1"], ["{'a':'it's'}"]])(
    "refuses the edits %j, by path",
    async (edits) => {
      const out = await tools.call("edit", { path: "f", edits });
      if (!out.isError) expect.fail(out.content);
      if (edits === "[1") expect(out.refusal.code).toBe("input-truncated");
      else expect(out.content).toMatch(/edits (must|is a text that is not JSON)/);
    },
  );

  it("tells all problems at once, by path, with what the call takes", async () => {
    const out = await tools.call("edit", { edits: [{ old_text: 1 }, {}, 3], dry_run: true });
    expect(out.content).toBe(
      "edit: dry_run is not an argument here; path is required; edits[0].old_text must be a string, not 1: send a string; " +
        "edits[0].new_text is required; edits[1].old_text is required; edits[1].new_text is required; " +
        "edits[2] must be an object { old_text, new_text, replace_all? }, not 3. Nothing was changed. It takes path, edits.",
    );
  });
});

describe("what is wrong in the entries of a list", () => {
  const told = async (entry: Record<string, unknown>) =>
    (await tools.call("edit", { path: "a", edits: [{ old_text: "a", new_text: "b" }, entry] })).content;

  it("is told with what an entry takes, and no name is offered that is not near", async () => {
    expect(await told({ old_text: "a", new_text: "b", expected: 1 })).toBe(
      "edit: edits[1].expected is not an argument here. Nothing was changed. Each entry of edits takes old_text, new_text, replace_all?.",
    );
    expect(await told({ old_text: "a", new_text: "b", replaceal: true })).toBe(
      "edit: edits[1].replaceal is not an argument here; did you mean replace_all? Nothing was changed. Each entry of edits takes old_text, new_text, replace_all?.",
    );
  });

  it("names the tool that makes a file where the old text is empty", async () => {
    expect(await told({ old_text: "", new_text: "b" })).toBe(
      "edit: edits[1].old_text must not be empty. Nothing was changed. To make a file, or to fill an empty one, use write. Each entry of edits takes old_text, new_text, replace_all?.",
    );
  });
});

describe("unknown arguments", () => {
  it("are refused by a tool that changes something, with the nearest name", async () => {
    expect(await problemsOf("write", { path: "a", contnet: "x", dry_run: true })).toEqual([
      { path: "contnet", message: "is not an argument here; did you mean content?" },
      { path: "dry_run", message: "is not an argument here" },
      { path: "content", message: "is required" },
    ]);
    expect(
      await problemsOf("edit", { path: "a", edits: [{ old_text: "a", new_text: "b", dry_run: 1 }] }),
    ).toEqual([{ path: "edits[0].dry_run", message: "is not an argument here" }]);
  });

  it("are named in a note by a tool that changes nothing", async () => {
    expect(await pass("read", { path: "a", encoding: "utf-8" })).toEqual({
      input: { path: "a" },
      notes: ["encoding was ignored: read takes path, offset?, limit?, grep?"],
    });
  });

  it("are ignored everywhere where they are commentary", async () => {
    const args = { path: "a", content: "x", _why: 1, description: "d", explanation: "e", reason: "r" };
    expect(await pass("write", args)).toEqual({ input: { path: "a", content: "x" }, notes: [] });
  });

  it("keep notes short and few, whatever their names", async () => {
    const args: Record<string, unknown> = { path: "a" };
    for (let index = 0; index < 100; index++) args[`${index}${"x".repeat(5_000)}\n\ud83d`] = index;
    const out = await tools.call("read", args);
    expect(out.isError).toBe(false);
    expect(out.content.length).toBeLessThan(4_000);
    expect(out.content.isWellFormed()).toBe(true);
  });
});

describe("any arguments at all", () => {
  it("give an output, and never throw", async () => {
    const names = fc.constantFrom(
      "path",
      "edits",
      "offset",
      "file_path",
      "old_string",
      "view_range",
      "-A",
      "command",
      "__proto__",
      "content",
    );
    const values = fc.oneof(fc.jsonValue(), fc.string(), fc.anything());
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tools.names(), "nothing"),
        fc.oneof(fc.dictionary(names, values), fc.anything(), fc.json(), fc.string()),
        async (name, args) => {
          const out = await tools.call(name, args);
          expect(typeof out.content).toBe("string");
          expect(out.content.isWellFormed()).toBe(true);
          if (out.isError)
            expect(["input-invalid", "input-truncated", "tool-unknown"]).toContain(out.refusal.code);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
