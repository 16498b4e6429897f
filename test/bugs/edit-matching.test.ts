/**
 * Owns the public bug reports about when an edit lands: uniqueness, order, atomicity, loose matches, links, races, cost.
 * Leaves bytes to edit-bytes.test.ts. Rule: a row whose policy allows two outcomes is tested for exactly these two.
 */
import { lstatSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";

const one = (old_text: string, new_text: string) => [{ old_text, new_text }];

describe("edit: texts that are not quite there", () => {
  it("E15 lands on the lines asked for alone, or refuses pointing to the trailing blanks", async () => {
    const at = openWorkspace(String.raw`printf 'keep  \npick me  \nnext\nend\t\n' > f`);
    const before = at.text("f");
    const out = await at.call("edit", { path: "f", edits: one("pick me\nnext", "A\nB") });
    if (out.isError) {
      expectRefusal(out, "edit-no-match");
      expect(at.text("f")).toBe(before);
      expect(out.content).toMatch(/\b2\b/);
      expect(out.content).toMatch(/trailing blank|·|trailing space|trailing whitespace/i);
    } else {
      expect(at.text("f")).toMatch(/^keep {2}\nA(?: {2})?\nB\nend\t\n$/);
    }
  });

  it("E16 keeps the curly quotes of the rest of the line, or refuses naming them", async () => {
    const at = openWorkspace(
      String.raw`printf 'a = \xe2\x80\x9cx\xe2\x80\x9d ; b = \xe2\x80\x9cy\xe2\x80\x9d\n' > f`,
    );
    const before = at.text("f");
    const out = await at.call("edit", { path: "f", edits: one('b = "y"', 'b = "z"') });
    if (out.isError) {
      expectRefusal(out, "edit-no-match");
      expect(at.text("f")).toBe(before);
      expect(out.content).toMatch(/U\+201C|U\+201D/);
    } else {
      expect(at.text("f")).toMatch(/^a = “x” ; b = [“"]z[”"]\n$/);
    }
  });

  it.each([
    ["foo bar", /U\+00A0/],
    ["    if x:", /tab|→/i],
  ])("E17 shows the difference for %j, or announces the loose match", async (oldText, names) => {
    const at = openWorkspace(String.raw`printf 'foo\xc2\xa0bar\n\tif x:\n\t\ty = 1\n' > f`);
    const before = at.hex("f");
    const out = await at.call("edit", { path: "f", edits: one(oldText, `${oldText}!`) });
    if (out.isError) {
      expectRefusal(out, "edit-no-match");
      expect(at.hex("f")).toBe(before);
      expect(out.content).toMatch(names);
    } else {
      expect(out.content).toMatch(/look-alike|indentation|blank|tab/i);
      expect(at.text("f")).toBe(
        oldText.startsWith("foo")
          ? "foo\u00A0bar!\n\tif x:\n\t\ty = 1\n"
          : "foo\u00A0bar\n\tif x:!\n\t\ty = 1\n",
      );
    }
  });

  it("E17 shows the run of blanks that differs and leaves the file alone", async () => {
    const at = openWorkspace(String.raw`printf 'p   q\n' > f`);
    const refused = await at.refuses("edit", { path: "f", edits: one("p q", "p r") }, "edit-no-match");
    expect(refused.content).toMatch(/\b1\b/);
    expect(refused.content).toMatch(/p[ ·]{3}q/);
  });

  it("E19 matches by canonical equivalence and leaves other bytes alone, or says that only normalisation differs", async () => {
    const at = openWorkspace(String.raw`printf 'cafe\xcc\x81 = 1\n' > f`);
    const out = await at.call("edit", { path: "f", edits: one("caf\u00e9 = 1", "caf\u00e9 = 2") });
    if (out.isError) {
      expectRefusal(out, "edit-no-match");
      expect(at.hex("f")).toBe("63616665CC81203D20310A");
      expect(out.content).toMatch(/normali[sz]ation|NFC|NFD/i);
    } else {
      expect(at.text("f")).toBe("cafe\u0301 = 2\n");
    }
  });
});

describe("edit: entries that cannot be meant", () => {
  it("E20 refuses an empty old text and names the entry", async () => {
    const at = openWorkspace("printf 'mn' > f; : > empty");
    const first = await at.refuses("edit", { path: "f", edits: one("", "X") });
    expect(first.content).toContain("edits[0]");
    const second = await at.refuses("edit", { path: "f", edits: [...one("m", "p"), ...one("", "X")] });
    expect(second.content).toContain("edits[1]");
    expect(at.text("f")).toBe("mn");
    const third = await at.call("edit", { path: "empty", edits: one("", "X") });
    expect(at.text("empty")).toBe(third.isError ? "" : "X");
  });

  it("E20 refuses an empty old text with replace_all too", async () => {
    const at = openWorkspace("printf 'mn' > f");
    await at.refuses("edit", { path: "f", edits: [{ old_text: "", new_text: "X", replace_all: true }] });
  });

  it("E20 refuses an empty list of edits, and a missing one", async () => {
    const at = openWorkspace("printf 'mn' > f");
    await at.refuses("edit", { path: "f", edits: [] }, "input-invalid");
    await at.refuses("edit", { path: "f" }, "input-invalid");
  });

  it("E21 refuses an edit that changes nothing and tells no one of a change", async () => {
    const told: unknown[] = [];
    const at = openWorkspace(String.raw`printf 'a\n' > f`, {
      afterWrite: (paths: unknown) => told.push(paths),
    });
    const same = await at.refuses("edit", { path: "f", edits: one("a", "a") });
    expect(same.content).toContain("edits[0]");
    await at.refuses("edit", { path: "f", edits: [...one("a", "b"), ...one("b", "a")] }, "edit-no-change");
    expect(told).toEqual([]);
  });

  it("E21 refuses edits that differ in nothing but the endings that the file decides", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb\r\n' > f`);
    await at.refuses("edit", { path: "f", edits: one("a\nb", "a\r\nb") }, "edit-no-change");
  });
});

describe("edit: order, uniqueness and atomicity", () => {
  it("E22 applies edits in order, each on what the ones before left", async () => {
    const at = openWorkspace(String.raw`printf 'a\n' > f; printf 'a b\n' > g`);
    await at.does("edit", { path: "f", edits: [...one("a", "b"), ...one("b", "c")] });
    expect(at.text("f")).toBe("c\n");
    const refused = await at.refuses(
      "edit",
      { path: "g", edits: [...one("a", "b"), ...one("b", "c")] },
      "edit-ambiguous",
    );
    expect(refused.content).toContain("edits[1]");
    expect(at.text("g")).toBe("a b\n");
  });

  it("E22 finds text that an earlier edit has joined, and misses text that it has split", async () => {
    const at = openWorkspace(String.raw`printf 'ab-cd\nxyz\n' > f`);
    await at.does("edit", { path: "f", edits: [...one("-", ""), ...one("abcd", "W")] });
    expect(at.text("f")).toBe("W\nxyz\n");
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: [...one("y", "-"), ...one("xyz", "no")] },
      "edit-no-match",
    );
    expect(refused.content).toContain("edits[1]");
  });

  it("E22 counts overlapping occurrences", async () => {
    const at = openWorkspace(String.raw`printf 'aaa\n' > f; printf 'x\nx\nx\n' > g`);
    await at.refuses("edit", { path: "f", edits: one("aa", "b") }, "edit-ambiguous");
    await at.refuses("edit", { path: "g", edits: one("x\nx\n", "y\n") }, "edit-ambiguous");
  });

  it("E22 quotes the line of every place of an ambiguous text", async () => {
    const at = openWorkspace(String.raw`printf 'hit\nno\nhit\nno\nno\nhit\n' > f`);
    const refused = await at.refuses("edit", { path: "f", edits: one("hit", "x") }, "edit-ambiguous");
    for (const line of ["1", "3", "6"]) expect(refused.content).toMatch(new RegExp(`\\b${line}\\b`));
  });

  it("E23 writes nothing where a middle edit misses, and shows the closest region", async () => {
    const at = openWorkspace(String.raw`printf 'a\nb\nc\n' > f`);
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: [...one("a", "A"), ...one("zzz", "Z"), ...one("c", "C")] },
      "edit-no-match",
    );
    expect(refused.content).toContain("edits[1]");
  });

  it("E23 shows the region that the missed text comes closest to, with its line numbers", async () => {
    const lines = "function add(a, b) {|  const sum = a + b;|  return sum;|}".split("|").join(String.raw`\n`);
    const at = openWorkspace(String.raw`seq 1 40 > f; printf '${lines}\n' >> f; seq 1 40 >> f`);
    const refused = await at.refuses(
      "edit",
      { path: "f", edits: one("  const sum = a - b;\n  return sum;", "  return a - b;") },
      "edit-no-match",
    );
    expect(refused.content).toContain("const sum = a + b;");
    expect(refused.content).toMatch(/\b42\b/);
  });

  it("E23 writes nothing where the last edit is ambiguous or a later one has no path to land", async () => {
    const at = openWorkspace(String.raw`printf 'a\nb\nb\n' > f`);
    await at.refuses("edit", { path: "f", edits: [...one("a", "A"), ...one("b", "B")] }, "edit-ambiguous");
  });
});

describe("edit: modes and links", () => {
  it.each(["755", "640", "600", "444", "4755"])("E24 keeps the mode %s", async (mode) => {
    const at = openWorkspace(String.raw`printf 'echo one\n' > s.sh; chmod ${mode} s.sh`);
    const before = statSync(join(at.root, "s.sh")).mode & 0o7777;
    const out = await at.call("edit", { path: "s.sh", edits: one("one", "two") });
    expect(statSync(join(at.root, "s.sh")).mode & 0o7777).toBe(before);
    // A file without any write bit may be refused by the system for a plain user; root is not stopped.
    expect(at.text("s.sh")).toBe(out.isError ? "echo one\n" : "echo two\n");
    if (mode !== "444") expectSuccess(out);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "E24 keeps the owner of another user's file when run as root",
    async () => {
      const at = openWorkspace(String.raw`printf 'one\n' > f; chmod 640 f; chown 1234:2345 f`);
      await at.edit("f", "one", "two");
      const stats = statSync(join(at.root, "f"));
      expect([stats.uid, stats.gid, stats.mode & 0o777]).toEqual([1234, 2345, 0o640]);
    },
  );

  it("E26 keeps a link that points inside, and edits what it leads to", async () => {
    const at = openWorkspace("printf a > real.txt; ln -s real.txt link.txt");
    await at.edit("link.txt", "a", "b");
    expect(lstatSync(join(at.root, "link.txt")).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(at.root, "link.txt"))).toBe("real.txt");
    expect(at.text("real.txt")).toBe("b");
  });

  it("E26 keeps a chain of links, a link in the middle, and an absolute link", async () => {
    const at = openWorkspace(
      'mkdir d; printf a > d/real; ln -s d/real one; ln -s one two; ln -s d dd; ln -s "$PWD/d/real" abs',
    );
    await at.edit("two", "a", "b");
    await at.edit("dd/real", "b", "c");
    await at.edit("abs", "c", "d");
    expect(at.text("d/real")).toBe("d");
    for (const link of ["one", "two", "dd", "abs"]) {
      expect(lstatSync(join(at.root, link)).isSymbolicLink(), link).toBe(true);
    }
  });

  it("E27 never splits hard links silently", async () => {
    const at = openWorkspace(String.raw`printf 'one\n' > a; ln a b`);
    const out = await at.call("edit", { path: "a", edits: one("one", "two") });
    expect(statSync(join(at.root, "a")).nlink).toBe(2);
    expect(at.text("a")).toBe(at.text("b"));
    if (out.isError) {
      expectRefusal(out, "file-hard-links");
      expect(out.content).toMatch(/\b2\b/);
      expect(at.text("a")).toBe("one\n");
    } else {
      expect(at.text("a")).toBe("two\n");
    }
  });

  it("E27 lets write replace one name and says that the others keep the old text", async () => {
    const at = openWorkspace(String.raw`printf 'one\n' > a; ln a b; ln a c`);
    const done = await at.does("write", { path: "a", content: "two\n", overwrite: true });
    expect(at.text("a")).toBe("two\n");
    expect(at.text("b")).toBe("one\n");
    expect(done.content).toMatch(/\b2\b.*(name|link)|(name|link).*\b2\b/);
  });
});

describe("edit: changes from elsewhere", () => {
  it("E29 edits what is on disk now", async () => {
    const at = openWorkspace(String.raw`printf 'v1\n' > f`);
    await at.does("read", { path: "f" });
    at.bash(String.raw`printf 'v1\nuser\n' > f`);
    await at.edit("f", "v1", "v2");
    expect(at.text("f")).toBe("v2\nuser\n");
  });

  it("E29 refuses to write over a change that was not seen, and says so", async () => {
    const at = openWorkspace(String.raw`printf 'v1\n' > f`);
    await at.does("read", { path: "f" });
    at.bash(String.raw`printf 'v1\nuser\n' > f`);
    const refused = await at.refuses("write", { path: "f", content: "v1 mine\n" }, "file-changed");
    expect(refused.content).toMatch(/changed/i);
    expect(at.text("f")).toBe("v1\nuser\n");
  });

  it("E29 refuses to write over an unseen change after an edit that landed on it", async () => {
    const at = openWorkspace(String.raw`printf 'v1\n' > f`);
    await at.does("read", { path: "f" });
    at.bash(String.raw`printf 'v1\nuser\n' > f`);
    await at.edit("f", "v1", "v2");
    await at.refuses("write", { path: "f", content: "mine\n" });
    expect(at.text("f")).toBe("v2\nuser\n");
  });

  it("E29 tells a change by content, not by time: same bytes written again stay known, same time does not hide a change", async () => {
    const at = openWorkspace(String.raw`printf 'v1\n' > f; printf 'v1\n' > g; touch -d '2020-01-01' f g`);
    await at.does("read", { path: "f" });
    await at.does("read", { path: "g" });
    at.bash(String.raw`printf 'v1\n' > f; printf 'v2\n' > g; touch -d '2020-01-01' g`);
    await at.does("write", { path: "f", content: "new\n" });
    await at.refuses("write", { path: "g", content: "new\n" }, "file-changed");
  });

  it("E29 lets write follow reads that together showed the whole file, and an own write", async () => {
    const at = openWorkspace("seq 1 10 > f");
    await at.does("read", { path: "f", limit: 5 });
    const partly = await at.refuses("write", { path: "f", content: "x\n" }, "file-unread");
    expect(partly.content).toMatch(/6/);
    await at.does("read", { path: "f", offset: 6 });
    await at.does("write", { path: "f", content: "x\n" });
    await at.does("write", { path: "f", content: "y\n" });
    expect(at.text("f")).toBe("y\n");
  });
});
