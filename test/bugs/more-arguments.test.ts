/**
 * Owns further public reports about arguments: envelopes around them, names given twice, texts that are no JSON at all,
 * escapes that clients and models add. Leaves other names and types to arguments.test.ts.
 * Rule: what has one meaning is done, what has two is refused with the reason, and nothing is dropped in silence.
 */
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";

const FILE = String.raw`printf 'a\n' > f`;
const EDIT = { path: "f", edits: [{ old_text: "a", new_text: "b" }] };

describe("arguments in an envelope", () => {
  it.each([
    ["arguments", { arguments: EDIT }],
    ["input", { input: EDIT }],
    ["parameters", { parameters: EDIT }],
    ["params", { params: EDIT }],
    ["args", { args: EDIT }],
    ["tool_input", { tool_input: EDIT }],
    ["the schema's own properties", { properties: EDIT }],
    ["arguments as text", { arguments: JSON.stringify(EDIT) }],
    ["arguments as text encoded twice", { arguments: JSON.stringify(JSON.stringify(EDIT)) }],
    ["the name of the tool beside it", { name: "edit", arguments: EDIT }],
    ["an envelope in an envelope", { input: { arguments: JSON.stringify(EDIT) } }],
    ["an empty argument beside it", { input: EDIT, path: null }],
    ["all as text", JSON.stringify({ arguments: EDIT })],
    ["all as text with comments", `{ // call\n "arguments": ${JSON.stringify(EDIT)}, }`],
  ])("A01 are taken out of it: %s", async (_about, args) => {
    const at = openWorkspace(FILE);
    await at.does("edit", args);
    expect(at.text("f")).toBe("b\n");
  });

  it("A01 are taken under the tool's mounted name", async () => {
    const at = openWorkspace(FILE);
    const tools = at.mountAgain({ prefix: "file_" });
    for (const name of ["file_read", "read"]) {
      const out = await tools.call("file_read", { name, input: { path: "f" } });
      expect(out.content).toContain("1\ta");
    }
  });

  it("A03 are not guessed at where something stands beside it, or another tool is named", async () => {
    const at = openWorkspace(FILE);
    const write = { path: "g", content: "x" };
    for (const args of [
      { arguments: EDIT, path: "f" },
      { arguments: EDIT, dry_run: true },
      { arguments: EDIT, input: EDIT },
      { name: "write", arguments: EDIT },
      { name: "edit", arguments: write },
      { arguments: [EDIT] },
      { arguments: "f" },
    ])
      await at.refuses("edit", args, "input-invalid");
    expect(at.text("f")).toBe("a\n");
  });

  it("W02 are refused where the text inside was cut off or spoilt", async () => {
    const at = openWorkspace("");
    await at.refuses("write", { arguments: '{"path":"g","content":"half' }, "input-truncated");
    await at.refuses("write", { arguments: String.raw`{"path":"g","content":"C:\dev"}` }, "input-invalid");
  });
});

describe("a name that is given twice", () => {
  it.each([
    ["two contents", '{"path":"g","content":"one","content":"two"}'],
    ["two paths", '{"path":"g","content":"x","path":"h"}'],
    ["written in two ways", String.raw`{"path":"g","content":"one","cont\u0065nt":"two"}`],
    ["in text that is no JSON either", '{path:"g",content:"one",content:"two",}'],
  ])("A06 with two values is refused before anything is made: %s", async (_about, args) => {
    const at = openWorkspace("");
    const refused = await at.refuses("write", args, "input-invalid");
    expect(refused.content).toContain("given twice");
    expect(at.bash("ls")).toBe("");
  });

  it("A06 with two values is refused in an edit's entry, and in a list that comes as text", async () => {
    const at = openWorkspace(FILE);
    const entry = '{"old_text":"a","new_text":"b","new_text":"c"}';
    await at.refuses("edit", `{"path":"f","edits":[${entry}]}`, "input-invalid");
    await at.refuses("edit", { path: "f", edits: `[${entry}]` }, "input-invalid");
    await at.refuses("read", '{"path":"f","path":"g"}', "input-invalid");
  });

  it("A06 with one value is that value", async () => {
    const at = openWorkspace(FILE);
    await at.does("read", '{"path":"f","path":"f"}');
    await at.does("write", '{"path":"g","content":"x","path":"g"}');
    expect(at.text("g")).toBe("x");
  });

  it("W01 is not seen in a content that holds colons, quotes and braces", async () => {
    const at = openWorkspace("");
    const content = '{"a":1,"a":2}\\":\\\\":"\n::\\"\\\\';
    await at.does("write", JSON.stringify({ path: "g", content, overwrite: false }));
    expect(at.text("g")).toBe(content);
  });
});

describe("a text that is no object", () => {
  it.each(["f", "t", "-", "n", "null,", "src/a.ts", "<path>f</path>", "path: f", "read f"])(
    "A01 is called that, not cut off: %j",
    async (args) => {
      const at = openWorkspace(FILE);
      const refused = await at.refuses("read", args, "input-invalid");
      expect(refused.content).toContain("path");
    },
  );

  it.each([
    '{"path":"f"} and then I read it',
    '{"path":"f"}{"path":"g"}',
    'Sure! {"path":"f"}',
    '{"path":"f"}}',
  ])("A01 is not half of a text: %j", async (args) => {
    const at = openWorkspace(FILE);
    await at.refuses("read", args, "input-invalid");
    await at.refuses("delete", args, "input-invalid", "tool-unknown");
  });
});

describe("an unknown argument of a call that is refused anyway", () => {
  it("A06 is named with the one that was meant, also where nothing is changed", async () => {
    const at = openWorkspace(FILE);
    for (const name of ["paths", "Path", "file-path", "filepath"]) {
      const refused = await at.refuses("read", { [name]: "f" }, "input-invalid");
      expect(refused.content).toContain(`${name} is not an argument here; did you mean path?`);
      expect(refused.content).toContain("path is required");
    }
  });
});

describe("escapes", () => {
  it("E01 of the content go to disk as they are: TeX, C, regular expressions, entities", async () => {
    const at = openWorkspace("");
    const content = `${String.raw`\title{a} \newline \'x\' '\0' "\\n" \u0041 \x41 %0A &lt;b&gt; &amp;amp; $\{x}`}\n\\\n`;
    await at.does("write", { path: "g", content });
    expect(at.text("g")).toBe(content);
  });

  it("E01 of the new text go to disk as they are where the old text stands as it is", async () => {
    const at = openWorkspace(String.raw`printf '%s\n' 'x = "a\n\0";' 'a &lt; b' > f`);
    await at.edit("f", String.raw`x = "a\n\0";`, String.raw`x = "\title\n\'\0";`);
    await at.edit("f", "a &lt; b", "a &lt; b &amp;&amp; c < d");
    expect(at.text("f")).toBe(`${String.raw`x = "\title\n\'\0";`}\na &lt; b &amp;&amp; c < d\n`);
  });

  it("A01 of JSON are read once: a pair of surrogates, a separator of lines, a slash", async () => {
    const at = openWorkspace("");
    await at.does("write", String.raw`{"path":"g","content":"\ud83d\ude00\u2028\/\\n"}`);
    expect(at.text("g")).toBe("😀\u2028/\\n");
    const half = await at.call("write", String.raw`{"path":"h","content":"\ud83d"}`);
    expectRefusal(half, "input-invalid");
  });
});
