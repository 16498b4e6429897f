/**
 * Owns more inputs of the kinds that the bug reports on reading and listing are of.
 * Leaves the rows themselves to read.test.ts and read-trees.test.ts. Rule: what is shown is compared whole.
 */
import { describe, expect, it } from "vitest";
import { findSuggestedCalls } from "../support/suggested-calls.ts";
import { openWorkspace } from "../support/workspace.ts";

describe("read: ranges, more of the kind of R01 to R05", () => {
  it("R01 shows exactly the form of the specification", async () => {
    const at = openWorkspace(String.raw`printf 'hello\nworld\n' > hello.txt; printf 'one\n' > one`);
    expect((await at.does("read", { path: "hello.txt" })).content).toBe(
      "hello.txt: 2 lines\n1\thello\n2\tworld",
    );
    expect((await at.does("read", { path: "one" })).content).toBe("one: 1 line\n1\tone");
  });

  it("R01 takes a limit far past the end, and a limit that ends at the last line", async () => {
    const at = openWorkspace("seq 1 10 > f");
    const all = await at.does("read", { path: "f", limit: 1_000_000 });
    expect(all.content.split("\n").slice(1)).toHaveLength(10);
    expect(findSuggestedCalls(all.content, at.tools.names())).toEqual([]);
    const exact = await at.does("read", { path: "f", offset: 3, limit: 8 });
    expect(findSuggestedCalls(exact.content, at.tools.names())).toEqual([]);
    const short = await at.does("read", { path: "f", offset: 3, limit: 7 });
    expect(findSuggestedCalls(short.content, at.tools.names())).toHaveLength(1);
  });

  it("R01 caps a read without a range at 8 KiB on a line border and one with a range at 64 KiB", async () => {
    const at = openWorkspace("seq 100000 199999 > f");
    const plain = await at.does("read", { path: "f" });
    expect(plain.details.bytes).toEqual([0, Math.floor(8192 / 7) * 7]);
    const ranged = await at.does("read", { path: "f", offset: 1 });
    // The page ends where the whole text reaches 65,536 characters, line numbers included.
    expect(ranged.content.length).toBeLessThanOrEqual(65_536);
    expect(ranged.content.length).toBeGreaterThan(64_000);
    const wide = openWorkspace(`python3 -c "print(('y'*999+'\\n')*200, end='')" > f`);
    expect((await wide.does("read", { path: "f", offset: 1 })).details.bytes).toEqual([0, 64_000]);
    expect(plain.content.split("\n")[0]).toContain("100000 lines");
  });

  it("R02 counts lines of a file that ends in a lone CR, and of CR-only text, as one", async () => {
    const at = openWorkspace(String.raw`printf 'a\rb\r' > f`);
    const done = await at.does("read", { path: "f" });
    expect(done.content.split("\n")[0]).toMatch(/\b1 line\b/);
    await at.refuses("read", { path: "f", offset: 2 }, "range-outside");
  });

  it("R05 refuses a column that the line does not have", async () => {
    const at = openWorkspace(String.raw`printf 'short\nsecond\n' > f`);
    await at.refuses("read", { path: "f", offset: 1, column: 99 }, "range-outside");
    await at.refuses("read", { path: "f", column: 0 });
    const done = await at.does("read", { path: "f", offset: 1, limit: 1, column: 3 });
    expect(done.content).toContain("1\tort");
  });

  it("R05 counts columns in characters, not in bytes or halves", async () => {
    const at = openWorkspace(String.raw`printf 'a\xf0\x9f\x98\x80\xe5\xad\x97z\n' > f`);
    expect((await at.does("read", { path: "f", offset: 1, column: 2 })).content).toContain("1\t😀字z");
    expect((await at.does("read", { path: "f", offset: 1, column: 3 })).content).toContain("1\t字z");
    expect((await at.does("read", { path: "f", offset: 1, column: 4 })).content).toContain("1\tz");
  });

  it("R03 tells an empty directory, an empty file and a blank file apart", async () => {
    const at = openWorkspace(String.raw`mkdir d; : > e; printf '\n\n' > b; printf '   ' > s`);
    expect((await at.does("read", { path: "d" })).content).toMatch(/empty|0 entries/);
    expect((await at.does("read", { path: "e" })).content).toMatch(/empty/);
    expect((await at.does("read", { path: "b" })).content).toMatch(/\b2 lines\b/);
    expect((await at.does("read", { path: "s" })).content).toContain("1\t   ");
  });
});

describe("read: bytes, more of the kind of R07 to R17", () => {
  it("R07 keeps a character whole that lies across the end of a capped page", async () => {
    for (const shift of [0, 1, 2, 3]) {
      const at = openWorkspace(`python3 -c "print('a'*${shift}+'😀'*5000)" > f`);
      const page = await at.does("read", { path: "f" });
      expect(page.content).not.toContain("\uFFFD");
      expect(page.content.split("\n")[1]).toMatch(/^1\ta*(?:😀)+$/u);
    }
  });

  it("R08 takes UTF-8 for text wherever a sniffed sample would end", async () => {
    for (const count of [65535, 65534, 65533, 8191, 511, 4095]) {
      const at = openWorkspace(`python3 -c "print('a'*${count}+'字'*10)" > f`);
      const done = await at.does("read", { path: "f", limit: 1 });
      expect(done.content.split("\n")[0]).not.toMatch(/UTF-8|GB|Shift|binary/i);
    }
  });

  it("R08 shows text before NULs, and refuses the part with NULs", async () => {
    const at = openWorkspace(String.raw`{ seq 1 3; printf 'a\x00b\n'; } > f`);
    const head = await at.does("read", { path: "f", limit: 3 });
    expect(head.content).toContain("3\t3");
    await at.refuses("read", { path: "f" }, "file-binary");
    await at.refuses("read", { path: "f", offset: 4 }, "file-binary");
  });

  it("R08 decodes UTF-16 with astral characters and CRLF, and says both", async () => {
    const at = openWorkspace(
      String.raw`printf '\xf0\x9f\x98\x80 caf\xc3\xa9\r\nzwei\r\n' | iconv -f UTF-8 -t UTF-16BE > b; printf '\xfe\xff' | cat - b > f`,
    );
    const done = await at.does("read", { path: "f" });
    expect(done.content.split("\n").slice(1, 3)).toEqual(["1\t😀 café", "2\tzwei"]);
    expect(done.content.split("\n")[0]).toMatch(/CRLF/);
    expect(done.content.split("\n")[0]).toMatch(/UTF-16BE/);
  });

  it("R08 survives UTF-16 of odd length and with half a pair, without half a character in the text", async () => {
    const at = openWorkspace(
      String.raw`printf '\xff\xfea\x00\x3d\xd8b\x00\n\x00' > f; printf '\xff\xfea\x00b' > g; printf '\xff\xfe' > h`,
    );
    for (const path of ["f", "g", "h"]) await at.does("read", { path });
  });

  it("R17 shows control characters without harm, and never ends a line at one", async () => {
    const at = openWorkspace(String.raw`printf 'a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e\x1b[31mf\n' > f`);
    const done = await at.does("read", { path: "f" });
    expect(done.content.split("\n")[0]).toMatch(/\b1 line\b/);
    expect(done.content.split("\n")).toHaveLength(2);
  });
});

describe("list, more of the kind of R13 and R19", () => {
  it("R13 lists directories first, then files, each by bytes, with sizes and the targets of links", async () => {
    const at = openWorkspace(
      "mkdir b A; printf 12345 > B.txt; printf 1 > a.txt; ln -s a.txt link; ln -s gone dangling; : > .hidden",
    );
    const rows = (await at.does("list", {})).content.split("\n").slice(1);
    expect(rows.map((row) => /^[^\s(]+/.exec(row)?.[0])).toEqual([
      "A/",
      "b/",
      ".hidden",
      "B.txt",
      "a.txt",
      "dangling",
      "link",
    ]);
    expect(rows.find((row) => row.startsWith("B.txt"))).toMatch(/\b5\b/);
    expect(rows.find((row) => row.startsWith("link"))).toContain("a.txt");
    expect(rows.find((row) => row.startsWith("dangling"))).toContain("gone");
  });

  it("R13 hides what is ignored and says how much, and what is never walked stands as one entry", async () => {
    const at = openWorkspace(
      String.raw`printf '*.log\nbuild/\n' > .gitignore; touch a.log b.log keep.txt; mkdir build node_modules; touch node_modules/x`,
    );
    const { content } = await at.does("list", { depth: 3 });
    expect(content).toContain("keep.txt");
    expect(content).not.toMatch(/a\.log|b\.log|node_modules\/x/);
    expect(content).toMatch(/node_modules\/ \(not walked\)/);
    expect(content).toMatch(/\b3\b.*(hidden|ignored)/i);
  });

  it("R13 refuses to list a file and a missing directory, with what would work", async () => {
    const at = openWorkspace("mkdir -p src/lib; touch src/lib/a.ts f");
    const file = await at.call("list", { path: "f" });
    expect(file.content).toMatch(/no directory|not a directory/i);
    const missing = await at.refuses("list", { path: "src/libs" }, "path-missing");
    expect(missing.content).toContain("src");
    expect(missing.content).toContain("lib/");
  });

  it("R14 names same-named files elsewhere and near spellings for a missing path", async () => {
    const at = openWorkspace("mkdir -p a/b/c src; touch a/b/c/config.ts src/server.ts");
    const elsewhere = await at.refuses("read", { path: "config.ts" }, "path-missing");
    expect(elsewhere.content).toContain("a/b/c/config.ts");
    const near = await at.refuses("read", { path: "src/sevrer.ts" }, "path-missing");
    expect(near.content).toContain("server.ts");
  });

  it("R19 shows control characters of names escaped in every tool, so that no name adds a line of its own", async () => {
    const name = "a\nb: 3 lines\u001B[2J\rc";
    const at = openWorkspace(String.raw`printf 'hit\n' > $'a\nb: 3 lines\e[2J\rc'`);
    const outputs = [
      await at.call("write", { path: `${name}-new`, content: "hit\n" }),
      await at.does("write", { path: name, content: "hit\n", overwrite: true }),
      await at.does("read", { path: name }),
      await at.does("list", {}),
      await at.does("glob", { pattern: "*" }),
      await at.does("grep", { pattern: "hit" }),
      await at.does("edit", { path: name, edits: [{ old_text: "hit", new_text: "hot" }] }),
      await at.refuses("read", { path: name, offset: 9 }),
      await at.refuses("read", { path: "missing" }),
      await at.refuses("read", { path: `${name}/x` }),
      await at.refuses("write", { path: `${name}/x`, content: "" }),
      await at.refuses("move", { from: name, to: name }),
      await at.does("move", { from: name, to: "plain" }),
      await at.call("move", { from: "plain", to: name }),
      await at.call("delete", { path: name }),
    ];
    for (const { content } of outputs) {
      expect(content).not.toMatch(/\u001B|\r/);
      expect(content).not.toMatch(/^b: 3 lines/m);
    }
  });

  it("R19 says over 200 entries how many there are", async () => {
    const at = openWorkspace("touch $(seq -f 'f%04g' 1 250)");
    const { content } = await at.does("list", {});
    expect(content).toMatch(/\b250\b/);
    expect(content.split("\n").filter((row) => /^f\d{4}/.test(row))).toHaveLength(200);
  });
});
