/**
 * Owns more inputs of the kinds that the bug reports on edits are of: odd endings, odd bytes, odd places in a file.
 * Leaves the rows themselves to edit-bytes.test.ts and edit-matching.test.ts. Rule: bytes are compared whole.
 */
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";

const one = (old_text: string, new_text: string) => [{ old_text, new_text }];

describe("edit: endings, more of the kind of E03 to E07", () => {
  it("E05 changes one stretch of a file whose only breaks are lone CRs", async () => {
    const at = openWorkspace(String.raw`printf 'a\rb\rc\r' > f`);
    await at.edit("f", "b", "B");
    expect(at.text("f")).toBe("a\rB\rc\r");
    await at.edit("f", "a\rB", "x\ry");
    expect(at.text("f")).toBe("x\ry\rc\r");
  });

  it("E05 keeps a CR before a CRLF, and a CR at the end of the file", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\r\nb\r\nc\r' > f`);
    await at.edit("f", "b", "B\nB2");
    expect(at.text("f")).toBe("a\r\r\nB\r\nB2\r\nc\r");
  });

  it("E06 keeps a missing final newline, and edits the unterminated last line", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb' > f`);
    await at.edit("f", "a", "A");
    expect(at.text("f")).toBe("A\r\nb");
    await at.edit("f", "b", "b\nc");
    expect(at.text("f")).toBe("A\r\nb\r\nc");
  });

  it("E06 adds a final newline where asked, in the file's own kind", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb' > f; printf 'a\nb' > g`);
    await at.edit("f", "b", "b\n");
    await at.edit("g", "b", "b\n");
    expect(at.text("f")).toBe("a\r\nb\r\n");
    expect(at.text("g")).toBe("a\nb\n");
  });

  it("E06 takes a final newline away where asked", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb\r\n' > f`);
    await at.edit("f", "b\n", "b");
    expect(at.text("f")).toBe("a\r\nb");
  });

  it("E07 puts LF into a one-line file that has no ending, however the text is sent", async () => {
    const at = openWorkspace("printf 'only' > f");
    await at.edit("f", "only", "one\ntwo");
    expect(at.text("f")).toBe("one\ntwo");
  });

  it("E03 takes the place where the text stands exactly before one that differs in its ending", async () => {
    const at = openWorkspace(String.raw`printf 'x\ny\nx\r\ny\r\n' > f`);
    await at.edit("f", "x\r\ny", "z");
    expect(at.text("f")).toBe("x\ny\nz\r\n");
    await at.edit("f", "x\ny", "w");
    expect(at.text("f")).toBe("w\nz\r\n");
  });

  it("E03 finds an ambiguous text where no place has its exact ending", async () => {
    const at = openWorkspace(String.raw`printf 'x\r\ny\r\nx\r\ny\r\n' > f`);
    await at.refuses("edit", { path: "f", edits: one("x\ny", "z") }, "edit-ambiguous");
    await at.does("edit", { path: "f", edits: [{ old_text: "x\ny", new_text: "1\n2", replace_all: true }] });
    expect(at.text("f")).toBe("1\r\n2\r\n1\r\n2\r\n");
  });

  it("E06 edits around blank CRLF lines", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\n\r\n\r\nb\r\n' > f`);
    await at.edit("f", "a\n\n\nb", "a\n\nb");
    expect(at.text("f")).toBe("a\r\n\r\nb\r\n");
    await at.edit("f", "\n\nb", "\nb");
    expect(at.text("f")).toBe("a\r\nb\r\n");
  });
});

describe("edit: bytes, more of the kind of E09 to E14", () => {
  it.each([
    ["an overlong form", String.raw`\xc0\xaf`],
    ["a lone continuation byte", String.raw`\x80`],
    ["a surrogate in UTF-8", String.raw`\xed\xa0\x80`],
    ["a cut character", String.raw`\xe3\x81`],
    ["a byte that no encoding has", String.raw`\xff`],
    ["beyond Unicode", String.raw`\xf5\x80\x80\x80`],
  ])("E11 keeps %s in an ASCII edit before, behind and beside it", async (_name, bytes) => {
    const at = openWorkspace(`printf 'one ${bytes} two\\n${bytes}three${bytes}\\n' > f; cp f ../orig`);
    await at.edit("f", "one", "1");
    await at.edit("f", "two", "2");
    await at.edit("f", "three", "3");
    at.bash(`sed -e 's/one/1/; s/two/2/; s/three/3/' ../orig > ../want; cmp f ../want`);
  });

  it("E12 does not find an ASCII byte inside a two-byte character", async () => {
    // GBK and Shift_JIS use ASCII bytes as second bytes: 0x5C in Shift_JIS, 0x7C in GBK.
    const at = openWorkspace(
      String.raw`printf 'x = \x83\x5c\x83\x5c\x83\x5c\x82\xc6\x95\x5c\x82\xf0\x8f\x5c\x95\xaa\x82\xc9\n' > f; cp f ../orig`,
    );
    const read = await at.does("read", { path: "f" });
    const out = await at.call("edit", { path: "f", edits: one("x", "y") });
    if (!out.isError) at.bash("sed 's/^x/y/' ../orig | cmp - f");
    expect(read.content).not.toContain("\uFFFD");
  });

  it("E14 edits astral and combining characters of a UTF-16 file", async () => {
    const at = openWorkspace(
      String.raw`printf 'caf\xc3\xa9 \xf0\x9f\x98\x80\r\nend\r\n' | iconv -f UTF-8 -t UTF-16LE > body; printf '\xff\xfe' | cat - body > f`,
    );
    const out = await at.call("edit", { path: "f", edits: one("😀\nend", "😁\nfin\n字") });
    if (out.isError) {
      expectRefusal(out, "file-encoding");
    } else {
      const text = at.bytes("f").subarray(2).toString("utf16le");
      expect(text).toBe("café 😁\r\nfin\r\n字\r\n");
      expect(at.hex("f").startsWith("FFFE")).toBe(true);
    }
  });

  it("E32 edits next to, inside of and whole multi-byte characters", async () => {
    const at = openWorkspace(String.raw`printf '\xe7\xb5\x82\xe3\x82\x8f\xe3\x82\x8a\xe7\xb5\x82' > f`);
    await at.edit("f", "わ", "和");
    expect(at.text("f")).toBe("終和り終");
    await at.edit("f", "り終", "😀");
    expect(at.text("f")).toBe("終和😀");
  });

  it("E32 does not match half of a surrogate pair", async () => {
    const at = openWorkspace(String.raw`printf '\xf0\x9f\x98\x80' > f`);
    await at.refuses("edit", { path: "f", edits: one("\uD83D", "x") });
    await at.refuses("edit", { path: "f", edits: one("😀", "\uDE00") });
  });

  it("E19 tells texts apart that look the same, and shows what differs", async () => {
    for (const [fixture, asked, names] of [
      [String.raw`printf 'a\xe2\x80\x8bb\n' > f`, "ab", /U\+200B/],
      [String.raw`printf 'x \xe2\x80\x93 y\n' > f`, "x - y", /U\+2013/],
    ] as const) {
      const at = openWorkspace(fixture);
      const before = at.hex("f");
      const out = await at.call("edit", { path: "f", edits: one(asked, "new") });
      if (out.isError) {
        expectRefusal(out, "edit-no-match");
        expect(at.hex("f")).toBe(before);
        expect(out.content, asked).toMatch(names);
      } else {
        expect(out.content, asked).toMatch(/look-alike/);
      }
    }
  });
});

describe("edit: shapes of lists, more of the kind of E20 to E23", () => {
  it("E22 applies 1,000 edits in order, all or nothing", async () => {
    const at = openWorkspace("seq 10001 11000 > f");
    const edits = Array.from({ length: 1000 }, (_, i) => ({ old_text: `${10001 + i}`, new_text: `n${i}.` }));
    await at.does("edit", { path: "f", edits });
    expect(at.text("f")).toBe(`${Array.from({ length: 1000 }, (_, i) => `n${i}.`).join("\n")}\n`);
    await at.refuses(
      "edit",
      { path: "f", edits: [...one("n0.", "x"), ...one("n1000.", "y")] },
      "edit-no-match",
    );
  });

  it("E23 refuses where the text is already changed, and says that the new text is there", async () => {
    const at = openWorkspace(String.raw`printf 'alpha\nbeta two\ngamma\n' > f`);
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: one("beta one", "beta two") },
      "edit-no-match",
    );
    expect(refused.content).toMatch(/already/i);
    expect(refused.content).toMatch(/\b2\b/);
  });

  it("E21 refuses replace_all that changes nothing", async () => {
    const at = openWorkspace(String.raw`printf 'a a\n' > f`);
    await at.refuses("edit", { path: "f", edits: [{ old_text: "a", new_text: "a", replace_all: true }] });
  });

  it("E22 replaces all without looking at what it has put in", async () => {
    const at = openWorkspace(String.raw`printf 'a b a\n' > f; printf 'aaaa\n' > g`);
    await at.does("edit", { path: "f", edits: [{ old_text: "a", new_text: "aa", replace_all: true }] });
    expect(at.text("f")).toBe("aa b aa\n");
    await at.does("edit", { path: "g", edits: [{ old_text: "aa", new_text: "b", replace_all: true }] });
    expect(at.text("g")).toBe("bb\n");
  });

  it("E23 refuses an edit of a missing file, a directory and a binary file, changing nothing", async () => {
    const at = openWorkspace(String.raw`mkdir d; printf 'a\x00\x01b' > bin`);
    const missing = await at.refuses("edit", { path: "nope", edits: one("a", "b") }, "path-missing");
    expect(missing.content).toContain("nope");
    await at.refuses("edit", { path: "d", edits: one("a", "b") }, "path-is-directory");
    const out = await at.call("edit", { path: "bin", edits: one("b", "c") });
    expect(at.hex("bin")).toBe(out.isError ? "61000162" : "61000163");
  });

  it("E22 edits an empty file in no way", async () => {
    const at = openWorkspace(": > f");
    await at.refuses("edit", { path: "f", edits: one("a", "b") }, "edit-no-match");
  });

  it("E23 shows the line that differs in nothing but its indentation or case", async () => {
    const at = openWorkspace(String.raw`printf 'if (x) {\n\treturn Value;\n}\n' > f`);
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: one("\treturn value;", "\treturn 1;") },
      "edit-no-match",
    );
    expect(refused.content).toContain("return Value;");
    expect(refused.content).toMatch(/\b2\b/);
  });
});
