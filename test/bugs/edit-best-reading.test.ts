/**
 * Owns the edit rows whose policy allows a refusal, in their better reading: the edit lands, and says how.
 * Leaves the rows as they stand to edit-matching.test.ts. Rule: bytes are compared, and the report is read.
 */
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

describe("edits in their best reading", () => {
  it("E15 lands beside trailing blanks, names the rule and the line, and leaves all other blanks", async () => {
    const at = openWorkspace(String.raw`printf 'keep  \npick me  \nnext\nend\t\n' > f`);
    const { content } = await at.edit("f", "pick me\nnext", "A\nB");
    expect(at.text("f")).toMatch(/^keep {2}\nA *\nB\nend\t\n$/);
    expect(content).toMatch(/\[note\] edits\[0\]: .*blanks at the end of a line \(line 2\)/);
  });

  it("E16 lands in a line of two curly spans and changes one character", async () => {
    const at = openWorkspace(
      String.raw`printf 'a = \xe2\x80\x9cx\xe2\x80\x9d ; b = \xe2\x80\x9cy\xe2\x80\x9d\n' > f`,
    );
    const { content } = await at.edit("f", 'b = "y"', 'b = "z"');
    expect(at.text("f")).toBe("a = “x” ; b = “z”\n");
    expect(content).toMatch(/\[note\] .*look-alike characters .*\(line 1\)/);
  });

  it("E17 lands for a no-break space and for spaces sent for a tab, and keeps both as they are", async () => {
    const at = openWorkspace(String.raw`printf 'foo\xc2\xa0bar\n\tif x:\n\t\ty = 1\n' > f`);
    await at.edit("f", "foo bar", "foo baz");
    expect(at.text("f")).toBe("foo\u00a0baz\n\tif x:\n\t\ty = 1\n");
    const { content } = await at.edit("f", "    if x:\n", "    if y:\n        z = 0\n");
    expect(at.text("f")).toBe("foo\u00a0baz\n\tif y:\n\t\tz = 0\n\t\ty = 1\n");
    expect(content).toMatch(/\[note\] .*indentation.*\(line 2\)/);
  });

  it("E19 lands by canonical equivalence and keeps the file's form in new text too", async () => {
    const at = openWorkspace(String.raw`printf 'cafe\xcc\x81 = 1\n' > f`);
    await at.edit("f", "café = 1", "café = 2 # résumé");
    expect(at.text("f")).toBe("cafe\u0301 = 2 # re\u0301sume\u0301\n");
  });

  it("E20 refuses an empty old text for an empty file too, and names the entry", async () => {
    const at = openWorkspace(": > f");
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: [{ old_text: "", new_text: "X" }] },
      "input-invalid",
    );
    expect(refused.content).toContain("edits[0].old_text");
  });

  it("E27 refuses to split hard links, naming how many there are", async () => {
    const at = openWorkspace(String.raw`printf 'one\n' > a; ln a b`);
    const edits = [{ old_text: "one", new_text: "two" }];
    expect((await at.refuses("edit", { path: "a", edits }, "file-hard-links")).content).toContain(
      "2 hard links",
    );
  });
});
