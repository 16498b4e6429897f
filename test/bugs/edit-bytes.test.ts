/**
 * Owns the public bug reports about what an edit does to bytes: dollar patterns, line endings, byte order marks, encodings.
 * Leaves matching and atomicity to edit-matching.test.ts. Rule: fixtures are made by bash, results compared as bytes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";

const DOLLARS = "A$&B $$ $' $` $1 $<n>";

describe("edit: text that is put in", () => {
  it("E01 keeps dollar patterns of the new text, on disk and in the diff", async () => {
    const at = openWorkspace(String.raw`printf 'ok();\n' > f.js`);
    const done = await at.edit("f.js", "ok();", 'ok("$&");');
    expect(at.text("f.js")).toBe('ok("$&");\n');
    expect(done.content).toContain('+ok("$&");');
    expect(done.content).not.toContain('ok("ok();");');
  });

  it.each(["f", "f.md", "Makefile", "f.sh"])(
    "E02 keeps every dollar form in a CRLF file named %s",
    async (name) => {
      const at = openWorkspace(String.raw`printf 'one\r\ntwo\r\nthree\r\n' > ${name}`);
      await at.edit(name, "two", DOLLARS);
      expect(at.text(name)).toBe(`one\r\n${DOLLARS}\r\nthree\r\n`);
    },
  );

  it("E02 keeps every dollar form in each edit of a list and with replace_all", async () => {
    const at = openWorkspace(String.raw`printf 'one\r\ntwo\r\nthree\r\ntwo2 two2\r\n' > f`);
    await at.does("edit", {
      path: "f",
      edits: [
        { old_text: "one", new_text: `1${DOLLARS}` },
        { old_text: "three", new_text: "$'3$`" },
        { old_text: "two2", new_text: "$&$$", replace_all: true },
      ],
    });
    expect(at.text("f")).toBe(`1${DOLLARS}\r\ntwo\r\n$'3$\`\r\n$&$$ $&$$\r\n`);
  });

  it("E01 keeps backslash escapes and percent signs of the new text as they are", async () => {
    const at = openWorkspace(String.raw`printf 'v\n' > f`);
    const text = String.raw`"\n" "\\1" \0 %s %d ${"$"}{x} \u0041`;
    await at.edit("f", "v", text);
    expect(at.text("f")).toBe(`${text}\n`);
  });

  it("E01 takes the old text literally, with every character that is special in a pattern", async () => {
    const at = openWorkspace(String.raw`printf 'a.b*c(d)[e]{f}^g$h|i+j?k\\l\naxb\n' > f`);
    await at.edit("f", String.raw`a.b*c(d)[e]{f}^g$h|i+j?k\l`, "done");
    expect(at.text("f")).toBe("done\naxb\n");
  });

  it("E31 deletes with an empty new text", async () => {
    const at = openWorkspace(String.raw`printf 'left right\n' > f`);
    await at.edit("f", "right", "");
    expect(at.text("f")).toBe("left \n");
  });

  it("E31 deletes a whole line with its ending, and the whole text of a file", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb\r\nc\r\n' > f; printf 'all' > g`);
    await at.edit("f", "b\n", "");
    expect(at.text("f")).toBe("a\r\nc\r\n");
    await at.edit("g", "all", "");
    expect(at.bytes("g").length).toBe(0);
  });

  it("E32 writes a multi-byte character at the very end of the new text whole", async () => {
    const at = openWorkspace(String.raw`printf '**x**\n' > f; printf 'x' > g`);
    await at.edit("f", "**x**", "**終わり**");
    expect(at.hex("f")).toBe(`${Buffer.from("**終わり**\n").toString("hex").toUpperCase()}`);
    await at.edit("g", "x", "y😀");
    expect(at.hex("g")).toBe("79F09F9880");
  });

  it("E32 writes combining marks, joined emoji and astral letters of the new text whole", async () => {
    const at = openWorkspace(String.raw`printf 'a\nb' > f`);
    const text = "é e\u0301 👩‍👩‍👧 𝒳 \u{10FFFF}";
    await at.edit("f", "b", text);
    expect(at.text("f")).toBe(`a\n${text}`);
  });
});

describe("edit: line endings", () => {
  const MIXED = String.raw`printf 'a1\na2\nb1\r\nb2\r\n' > f`;

  it("E03 matches the LF part of a mixed file", async () => {
    const at = openWorkspace(MIXED);
    await at.edit("f", "a1\na2", "A1\nA2");
    expect(at.text("f")).toBe("A1\nA2\nb1\r\nb2\r\n");
  });

  it.each([
    ["LF", "a\nb\n", "b", "b\r\nc", "a\nb\nc\n"],
    ["LF", "a\nb\n", "a\nb\n", "a\r\nx\r\n", "a\nx\n"],
    ["CRLF", "a\r\nb\r\n", "a\r\nb", "x\ny", "x\r\ny\r\n"],
    ["LF", "a\nb\r\n", "a", "x\r\ny", "x\ny\nb\r\n"],
  ])(
    "says that those of the file were kept (%s) where others were asked for: %j, %j to %j",
    async (kept, text, from, to, after) => {
      const at = openWorkspace("");
      writeFileSync(join(at.root, "f"), text);
      const done = await at.edit("f", from, to);
      expect(at.text("f")).toBe(after);
      expect(done.content).toContain(
        `[note] edits[0]: the file's line endings were kept (${kept}), not those of new_text; to change them, write the whole file`,
      );
    },
  );

  it.each([
    ["a\nb\n", "a\nb", "a\r\nb", "LF"],
    ["a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", "CRLF"],
  ])("names write where nothing but line endings was to change: %j", async (text, from, to, kept) => {
    const at = openWorkspace("");
    writeFileSync(join(at.root, "f"), text);
    const { content } = await at.refuses(
      "edit",
      { path: "f", edits: [{ old_text: from, new_text: to }] },
      "edit-no-change",
    );
    expect(content).toContain(`The file's line endings are kept (${kept}), whatever those of new_text are.`);
    expect(content).toContain("To change them, write the whole file.");
  });

  it.each([
    ["a\r\nb\r\n", "b", "b\nc"],
    ["a\nb\n", "b", "c\nd"],
    ["a", "a", "b\r\nc"],
    ["a\r\nb\r\n", "b", "b\r\nc"],
  ])("says nothing where none was asked for, or what was asked for is there: %j", async (text, from, to) => {
    const at = openWorkspace("");
    writeFileSync(join(at.root, "f"), text);
    expect((await at.edit("f", from, to)).content).not.toContain("line endings");
  });

  it("E03 matches the CRLF part of a mixed file", async () => {
    const at = openWorkspace(MIXED);
    await at.edit("f", "b1\nb2", "B1\nB2");
    expect(at.text("f")).toBe("a1\na2\nB1\r\nB2\r\n");
  });

  it("E03 matches across the border of a mixed file and leaves the lines around it alone", async () => {
    const at = openWorkspace(MIXED);
    await at.edit("f", "a2\nb1", "X\nY");
    const text = at.text("f");
    expect(text.startsWith("a1\nX")).toBe(true);
    expect(text.endsWith("Y\r\nb2\r\n")).toBe(true);
    expect(text).toMatch(/^a1\nX\r?\nY\r\nb2\r\n$/);
  });

  it("E03 matches text that is sent with CRLF in the LF part of a mixed file", async () => {
    const at = openWorkspace(MIXED);
    await at.edit("f", "a1\r\na2", "A1\r\nA2");
    expect(at.text("f")).toBe("A1\nA2\nb1\r\nb2\r\n");
  });

  it("E03 inserts a line with the ending of the place it lands in", async () => {
    const at = openWorkspace(MIXED);
    await at.edit("f", "b2", "b2\nb3");
    await at.edit("f", "a1", "a0\na1");
    expect(at.text("f")).toBe("a0\na1\na2\nb1\r\nb2\r\nb3\r\n");
  });

  it("E05 does not let the first line decide for the rest", async () => {
    const at = openWorkspace(String.raw`printf 'k1\nk2\r\nk3\r\n' > f`);
    await at.edit("f", "k1", "K1");
    expect(at.text("f")).toBe("K1\nk2\r\nk3\r\n");
  });

  it("E05 keeps a last line that alone ends differently", async () => {
    const at = openWorkspace(String.raw`printf 'k1\r\nk2\r\nk3\n' > f`);
    await at.edit("f", "k2", "K2");
    expect(at.text("f")).toBe("k1\r\nK2\r\nk3\n");
  });

  it.each([
    ["y = 2\nz", "y = 22\nz"],
    ["y = 2\r\nz", "y = 22\r\nz"],
  ])("E06 changes one line of a CRLF file for old text %j", async (oldText, newText) => {
    const at = openWorkspace(String.raw`printf 'x = 1\r\ny = 2\r\nz = 3\r\n' > f`);
    const done = await at.edit("f", oldText, newText);
    expect(at.text("f")).toBe("x = 1\r\ny = 22\r\nz = 3\r\n");
    const changed = done.content.split("\n").filter((line) => /^[+-](?![+-])/.test(line));
    expect(changed.map((line) => line.replace(/\r$/, ""))).toEqual(["-y = 2", "+y = 22"]);
  });

  it("E07 does not convert an ending twice", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb\r\n' > f`);
    await at.edit("f", "b", "b1\r\nb2");
    expect(at.text("f")).toBe("a\r\nb1\r\nb2\r\n");
    expect(at.text("f")).not.toContain("\r\r");
  });

  it("E07 does not convert an ending twice in a list where later edits touch the text of earlier ones", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb\r\n' > f`);
    await at.does("edit", {
      path: "f",
      edits: [
        { old_text: "b", new_text: "b1\nb2" },
        { old_text: "b1\nb2", new_text: "c1\r\nc2\nc3" },
      ],
    });
    expect(at.text("f")).toBe("a\r\nc1\r\nc2\r\nc3\r\n");
  });

  it("E05 keeps lone carriage returns, which end no line", async () => {
    const at = openWorkspace(String.raw`printf 'p\rq\nx\n50%%\r100%%\r\n' > f`);
    await at.edit("f", "x", "y\nz");
    expect(at.text("f")).toBe("p\rq\ny\nz\n50%\r100%\r\n");
  });

  it("E06 gives a patch for CRLF and mixed files that patch applies byte for byte", async () => {
    const at = openWorkspace(String.raw`printf 'k1\nk2\r\nk3\r\np\rq\nlast' > f; cp f ../f.orig`);
    const done = await at.edit("f", "k3", "K3\nK4");
    const patch = done.details.patch;
    expect(typeof patch).toBe("string");
    at.bash(`mkdir ../p; cp ../f.orig ../p/f; cat > ../p/d.patch <<'PATCH_END'\n${patch}\nPATCH_END\n`);
    at.bash("cd ../p && patch --binary -p1 < d.patch && cmp f ../root/f");
  });
});

describe("edit: byte order marks and encodings", () => {
  const BOM = String.raw`printf '\xef\xbb\xbfbonjour\n\xc3\xa9t\xc3\xa9\n' > f.ps1`;

  it("E09 keeps exactly one byte order mark", async () => {
    const at = openWorkspace(BOM);
    await at.edit("f.ps1", "bonjour", "bonsoir");
    expect(at.hex("f.ps1")).toBe("EFBBBF626F6E736F69720AC3A974C3A90A");
  });

  it("E09 matches the first line as read shows it", async () => {
    const at = openWorkspace(BOM);
    const shown = await at.does("read", { path: "f.ps1" });
    const line = /^1\t(.*)$/m.exec(shown.content)?.[1] ?? "";
    expect(line).toBe("bonjour");
    await at.edit("f.ps1", `${line}\n`, "bonsoir\n");
    expect(at.hex("f.ps1")).toBe("EFBBBF626F6E736F69720AC3A974C3A90A");
  });

  it("E09 keeps the mark when the first line is deleted, and when all text is replaced", async () => {
    const at = openWorkspace(`${BOM}; cp f.ps1 g.ps1`);
    await at.edit("f.ps1", "bonjour\n", "");
    expect(at.hex("f.ps1")).toBe("EFBBBFC3A974C3A90A");
    await at.edit("g.ps1", "bonjour\nété\n", "x\n");
    expect(at.hex("g.ps1")).toBe("EFBBBF780A");
  });

  it("E09 keeps exactly one mark whatever is done with U+FEFF in the texts", async () => {
    const edits = [
      ["\uFEFFbonjour", "\uFEFFbonsoir"],
      ["\uFEFFbonjour", "bonsoir"],
      ["bonjour", "\uFEFFbonsoir"],
      ["\uFEFF", ""],
      ["\uFEFF", "x"],
    ] as const;
    for (const [oldText, newText] of edits) {
      for (const all of [false, true]) {
        const at = openWorkspace(BOM);
        const entry = { old_text: oldText, new_text: newText, replace_all: all };
        await at.call("edit", { path: "f.ps1", edits: [entry] });
        expect(at.hex("f.ps1"), JSON.stringify(entry)).toMatch(/^EFBBBF(?!EFBBBF)/);
      }
    }
  });

  it("E10 puts no byte order mark where there was none", async () => {
    const at = openWorkspace(String.raw`printf 'uno dos\r\ntres\r\n' > f`);
    await at.edit("f", "dos", "2");
    expect(at.text("f")).toBe("uno 2\r\ntres\r\n");
    expect(at.bytes("f")[0]).toBe(0x75);
  });

  it("E11 keeps the high bytes of a Latin-1 file in an ASCII edit, or refuses and names the first bad offset", async () => {
    const at = openWorkspace(String.raw`printf 'a=1\n# na\xefve\n' > f`);
    const out = await at.call("edit", { path: "f", edits: [{ old_text: "a=1", new_text: "a=2" }] });
    if (out.isError) {
      expectRefusal(out, "file-encoding");
      expect(out.content).toMatch(/UTF-8/i);
      expect(out.content).toMatch(/\b8\b/);
      expect(at.hex("f")).toBe("613D310A23206E61EF76650A");
    } else {
      expect(at.hex("f")).toBe("613D320A23206E61EF76650A");
    }
  });

  it("E11 edits the very line that holds a bad byte without touching the byte", async () => {
    const at = openWorkspace(String.raw`printf '# na\xefve x\n' > f`);
    await at.edit("f", "ve x", "ve y");
    expect(at.hex("f")).toBe("23206E61EF766520790A");
  });

  it("E11 refuses to put non-ASCII text into a file that is not UTF-8, naming the encoding", async () => {
    const at = openWorkspace(String.raw`printf 'a=1\n# na\xefve\n' > f`);
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: [{ old_text: "a=1", new_text: "a=é" }] },
      "file-encoding",
    );
    expect(refused.content).toMatch(/UTF-8/i);
  });

  it("E12 gives one verdict in read and edit for GBK bytes, and keeps them", async () => {
    const at = openWorkspace(String.raw`printf 'v = 3\n\xb2\xe2\xca\xd4\n' > f`);
    const read = await at.call("read", { path: "f" });
    const edit = await at.call("edit", { path: "f", edits: [{ old_text: "v = 3", new_text: "v = 4" }] });
    expect(edit.isError).toBe(read.isError);
    expect(at.hex("f")).toContain("B2E2CAD4");
    if (!edit.isError) expect(at.hex("f")).toBe("76203D20340AB2E2CAD40A");
  });

  it("E12 keeps GBK bytes in a list of edits and with replace_all", async () => {
    const at = openWorkspace(String.raw`printf 'v = 3\n\xb2\xe2\xca\xd4 v\nw = 3\n' > f`);
    await at.does("edit", {
      path: "f",
      edits: [
        { old_text: " = 3", new_text: ": 4", replace_all: true },
        { old_text: "w", new_text: "W" },
      ],
    });
    expect(at.hex("f")).toBe(
      Buffer.from("v: 4\n\xb2\xe2\xca\xd4 v\nW: 4\n", "latin1").toString("hex").toUpperCase(),
    );
  });

  it.each([
    ["little", String.raw`printf '\xff\xfea\x00=\x001\x00\n\x00' > f`, "FFFE61003D0032000A00"],
    ["big", String.raw`printf '\xfe\xff\x00a\x00=\x001\x00\n' > f`, "FEFF0061003D0032000A"],
  ])(
    "E14 edits a UTF-16 %s endian file correctly, or refuses naming UTF-16",
    async (_name, fixture, edited) => {
      const at = openWorkspace(fixture);
      const before = at.hex("f");
      const out = await at.call("edit", { path: "f", edits: [{ old_text: "a=1", new_text: "a=2" }] });
      if (out.isError) {
        expectRefusal(out, "file-encoding");
        expect(out.content).toMatch(/UTF-16/i);
        expect(at.hex("f")).toBe(before);
      } else {
        expect(at.hex("f")).toBe(edited);
      }
    },
  );

  it("E14 keeps UTF-16 line endings, and never matches across half a character", async () => {
    // U+6100 U+3D00 U+6200 hold the bytes of "a=" shifted by one: no match may start there.
    const at = openWorkspace(String.raw`printf '\xff\xfea\x00\r\x00\n\x00\x00a\x00=\x00bb\x00' > f`);
    const out = expectSuccess(
      await at.call("edit", { path: "f", edits: [{ old_text: "b", new_text: "c\nd" }] }),
    );
    expect(out.isError).toBe(false);
    expect(at.hex("f")).toBe("FFFE61000D000A000061003D006263000D000A006400");
    await at.refuses("edit", { path: "f", edits: [{ old_text: "a=", new_text: "zz" }] }, "edit-no-match");
  });
});
