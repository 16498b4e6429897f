/**
 * Owns the public bug reports about writing: empty and missing content, known files, links, protected places.
 * Leaves the full table of hostile paths to test/hostile-paths. Rule: what is outside the root is compared too.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectRefusal, expectSuccess, mountLoosely } from "../support/loose-toolset.ts";
import { findSuggestedCalls } from "../support/suggested-calls.ts";
import { openWorkspace, runBash } from "../support/workspace.ts";

describe("write: content", () => {
  it("W01 makes an empty file with its parents, and writes blank contents as they are", async () => {
    const at = openWorkspace("");
    await at.does("write", { path: "pkg/__init__.py", content: "" });
    expect(at.bytes("pkg/__init__.py").length).toBe(0);
    for (const [path, content] of [
      ["n", "\n"],
      ["s", "   "],
      ["t", "\t\r\n"],
      ["z", "0"],
      ["f", "false"],
    ] as const) {
      await at.does("write", { path, content });
      expect(at.text(path)).toBe(content);
    }
  });

  it("W01 writes content byte for byte: mixed endings, a byte order mark, NUL, astral characters", async () => {
    const at = openWorkspace("");
    const content = "\uFEFFa\r\nb\nc\rd\u0000e😀\u2028";
    await at.does("write", { path: "f", content });
    expect(at.bytes("f").equals(Buffer.from(content, "utf8"))).toBe(true);
  });

  it("W02 refuses a content that is left out or null, making nothing", async () => {
    const at = openWorkspace("");
    for (const args of [{ path: "x.md" }, { path: "x.md", content: null }, { path: "a/b/x.md" }]) {
      const refused = await at.refuses("write", args, "input-invalid");
      expect(refused.content).toContain("content");
    }
    expect(at.bash("ls -A")).toBe("");
  });

  it("W02 refuses a path that is left out, null or empty", async () => {
    const at = openWorkspace("");
    for (const args of [{ content: "x" }, { path: null, content: "x" }, { path: "", content: "x" }]) {
      const refused = await at.refuses("write", args, "input-invalid");
      expect(refused.content).toContain("path");
    }
  });

  it.each([[{ k: [1, 2] }], [[1, 2]], [5], [true]])("W03 never makes a string of %j", async (content) => {
    const at = openWorkspace("");
    const out = await at.call("write", { path: "a.json", content });
    if (out.isError) {
      expectRefusal(out, "input-invalid");
      expect(out.content).toContain("content");
      expect(out.content).toMatch(/string|text/);
      expect(existsSync(join(at.root, "a.json"))).toBe(false);
    } else {
      expect(JSON.parse(at.text("a.json"))).toEqual(content);
    }
    expect(out.content).not.toContain("[object Object]");
  });
});

describe("write: files that are not known", () => {
  it("W04 refuses to empty a file that was not read", async () => {
    const at = openWorkspace(String.raw`printf 'data\n' > f`);
    const refused = await at.refuses("write", { path: "f", content: "" }, "file-unread");
    expect(refused.content).toMatch(/overwrite/);
    await at.does("write", { path: "f", content: "", overwrite: true });
    expect(at.bytes("f").length).toBe(0);
  });

  it("W04 refuses through every spelling, and takes a read by any spelling", async () => {
    const at = openWorkspace(String.raw`printf 'data\n' > f; ln -s f l; ln -s . d`);
    for (const path of ["./f", "l", "d/f", join(at.root, "f"), "x/../f"]) {
      await at.refuses("write", { path, content: "new" }, "file-unread");
    }
    await at.does("read", { path: "d/l" });
    await at.does("write", { path: "f", content: "new" });
    expect(at.text("f")).toBe("new");
    expect(lstatSync(join(at.root, "l")).isSymbolicLink()).toBe(true);
  });

  it("W04 knows a file that was read line by line", async () => {
    const at = openWorkspace("seq 1 2500 > f");
    for (let offset = 1; offset <= 2_500; offset++)
      await at.tools.call("read", { path: "f", offset, limit: 1 });
    await at.does("write", { path: "f", content: "x\n" });
  });

  it("W04 makes known only what was shown: a search, a listing or a refused read is not a read", async () => {
    const at = openWorkspace("seq 1 30 > f");
    await at.does("grep", { pattern: "7", path: "f" });
    await at.does("list", {});
    await at.refuses("read", { path: "f", offset: 99 });
    await at.refuses("write", { path: "f", content: "x" }, "file-unread");
  });

  it.each([
    ["lines", "seq 1 20000 > f"],
    ["one long line", "head -c 200000 /dev/zero | tr '\\0' x > f"],
    ["UTF-16", String.raw`{ printf '\xff\xfe'; seq 1 9000 | iconv -f UTF-8 -t UTF-16LE; } > f`],
    ["bytes that are not UTF-8", String.raw`for i in $(seq 1 4000); do printf 'caf\xe9 %s\r\n' $i; done > f`],
    ["a byte order mark", String.raw`{ printf '\xef\xbb\xbf'; seq 1 9000; } > f`],
  ])("W04 makes a file of %s known by all of its pages, and not before the last", async (_name, fixture) => {
    const at = openWorkspace(fixture);
    let next: Record<string, unknown> | undefined = { path: "f" };
    while (next !== undefined) {
      expectRefusal(await at.call("write", { path: "f", content: "new" }), "file-unread");
      const page = await at.does("read", next);
      const offered = findSuggestedCalls(page.content, at.tools.names())[0];
      next = offered === undefined ? undefined : { ...offered.args };
    }
    await at.does("write", { path: "f", content: "new" });
    expect(at.text("f")).toBe("new");
  });

  it("W04 counts what was shown before a change as not shown", async () => {
    const at = openWorkspace("seq 1 10 > f");
    await at.does("read", { path: "f", limit: 5 });
    at.bash("sed -i 's/^2$/two/' f");
    await at.does("read", { path: "f", offset: 6 });
    const refused = await at.refuses("write", { path: "f", content: "x" }, "file-changed", "file-unread");
    for (const { name, args } of findSuggestedCalls(refused.content, ["read"])) await at.does(name, args);
    await at.does("write", { path: "f", content: "x" });
  });

  it("W04 keeps a file known through its own edits, and forgets one that was made anew by others", async () => {
    const at = openWorkspace(String.raw`printf 'a\nb\n' > f`);
    await at.does("read", { path: "f" });
    await at.edit("f", "a", "A");
    await at.edit("f", "b", "B");
    await at.does("write", { path: "f", content: "mine\n" });
    at.bash(String.raw`rm f; printf 'theirs\n' > f`);
    await at.refuses("write", { path: "f", content: "x" }, "file-changed", "file-unread");
  });

  it("W04 refuses an edit's file that was never shown, however many edits landed in it", async () => {
    const at = openWorkspace("seq 1 10 > f");
    await at.edit("f", "1\n2\n", "one\ntwo\n");
    await at.refuses("write", { path: "f", content: "x" }, "file-unread");
  });

  it("W04 does not make known what another toolset has read", async () => {
    const at = openWorkspace(String.raw`printf 'data\n' > f`);
    await at.does("read", { path: "f" });
    const other = at.mountAgain();
    expectRefusal(await other.call("write", { path: "f", content: "x" }), "file-unread");
    const trusting = at.mountAgain({ overwriteUnread: true });
    expectSuccess(await trusting.call("write", { path: "f", content: "x" }));
  });

  it("W04 keeps the mode of the file that it overwrites, and takes the umask for a new one", async () => {
    const at = openWorkspace(String.raw`printf 'data\n' > f; chmod 751 f`);
    await at.does("write", { path: "f", content: "x", overwrite: true });
    expect(lstatSync(join(at.root, "f")).mode & 0o777).toBe(0o751);
    await at.does("write", { path: "g", content: "x" });
    const made = at.bash(": > ref; stat -c %a ref").trim();
    expect((lstatSync(join(at.root, "g")).mode & 0o777).toString(8)).toBe(made);
  });

  it("W04 refuses a directory, and a file in the place of a parent directory", async () => {
    const at = openWorkspace("mkdir d; printf x > f");
    await at.refuses("write", { path: "d", content: "x", overwrite: true }, "path-is-directory");
    await at.refuses("write", { path: "f/g", content: "x" }, "path-not-directory");
  });
});

describe("write: links", () => {
  it("W05 refuses a last part that is a link to the outside, in write, edit and read", async () => {
    const at = openWorkspace("printf original > ../victim; ln -s ../victim notes.md");
    await at.refuses("write", { path: "notes.md", content: "x", overwrite: true }, "path-outside-root");
    await at.refuses(
      "edit",
      { path: "notes.md", edits: [{ old_text: "original", new_text: "x" }] },
      "path-outside-root",
    );
    const read = await at.refuses("read", { path: "notes.md" }, "path-outside-root");
    expect(read.content).not.toContain("original");
    expect(readFileSync(join(at.base, "victim"), "utf8")).toBe("original");
  });

  it("W05 refuses a link to a link to the outside, and one whose target takes a roundabout way there", async () => {
    const at = openWorkspace(
      'printf original > ../victim; ln -s ../victim a; ln -s a b; ln -s "../root/../victim" c; mkdir d; ln -s ../../victim d/e',
    );
    for (const path of ["b", "c", "d/e", "d/../b"]) {
      await at.refuses("write", { path, content: "x", overwrite: true }, "path-outside-root");
    }
  });

  it("W07 refuses a linked directory in the middle where the deeper part is missing", async () => {
    const at = openWorkspace("mkdir ../out; ln -s ../out esc");
    await at.refuses("write", { path: "esc/new/dir/f.txt", content: "x" }, "path-outside-root");
    expect(at.bash("ls -A ../out")).toBe("");
  });

  it("W08 follows a linked directory that stays inside, and keeps the link", async () => {
    const at = openWorkspace("mkdir store; ln -s store memory");
    await at.does("write", { path: "memory/a/b.md", content: "note\n" });
    expect(at.text("store/a/b.md")).toBe("note\n");
    expect(lstatSync(join(at.root, "memory")).isSymbolicLink()).toBe(true);
  });

  it("W08 creates what a dangling link inside points to, and keeps the link", async () => {
    const at = openWorkspace("mkdir d; ln -s d/later l");
    const out = await at.call("write", { path: "l", content: "x" });
    expect(lstatSync(join(at.root, "l")).isSymbolicLink()).toBe(true);
    if (!out.isError) expect(at.text("d/later")).toBe("x");
  });
});

describe("write: the root's border", () => {
  it("W09 refuses a sibling whose name begins with the root's name, in every tool", async () => {
    const at = openWorkspace(
      String.raw`mkdir ../root-other; printf 'loot\n' > ../root-other/loot; printf x > mine`,
    );
    const absolute = join(at.base, "root-other/loot");
    for (const path of [absolute, "../root-other/loot"]) {
      const calls: [string, Record<string, unknown>][] = [
        ["read", { path }],
        ["write", { path, content: "x", overwrite: true }],
        ["edit", { path, edits: [{ old_text: "loot", new_text: "x" }] }],
        ["list", { path: join(path, "..") }],
        ["glob", { pattern: "*", path: join(path, "..") }],
        ["grep", { pattern: "loot", path }],
        ["delete", { path }],
        ["move", { from: path, to: "stolen" }],
        ["move", { from: "mine", to: path, overwrite: true }],
      ];
      for (const [name, args] of calls) {
        const refused = await at.refuses(name, args, "path-outside-root");
        expect(refused.content.replaceAll(path, "")).not.toMatch(/\bloot\n/);
      }
    }
  });

  it("W10 takes every spelling of a root that is reached through a link", async () => {
    const at = openWorkspace(String.raw`mkdir real; printf 'in\n' > real/f; ln -s real alias`);
    const alias = mountLoosely(join(at.root, "alias"));
    for (const path of [join(at.root, "alias/f"), join(at.root, "real/f"), "f", "./f"]) {
      const read = expectSuccess(await alias.call("read", { path }));
      expect(read.content).toBe("f: 1 line\n1\tin");
    }
    expectSuccess(await alias.call("write", { path: join(at.root, "alias/g"), content: "x" }));
    expectSuccess(await alias.call("move", { from: join(at.root, "real/g"), to: join(at.root, "alias/h") }));
    expect(at.text("real/h")).toBe("x");
    expectRefusal(await alias.call("read", { path: "../f" }));
    await alias.close();
  });

  it("W10 keeps to the directory that the link led to when it was mounted", async () => {
    const at = openWorkspace(
      String.raw`mkdir one two; printf '1\n' > one/f; printf '2\n' > two/f; ln -s one alias`,
    );
    const alias = mountLoosely(join(at.root, "alias"));
    at.bash("rm alias; ln -s two alias");
    const out = await alias.call("read", { path: "f" });
    expect(out.content).not.toContain("1\t2");
    await alias.close();
  });
});

describe("write: protected places", () => {
  it.each([
    ".GIT/config",
    ".Git/hooks/pre-commit",
    "sub/.git/hooks/x",
    "./a/../.git/config",
    ".git",
    "a/b/.gIt/c",
  ])("W11 refuses %s", async (path) => {
    const at = openWorkspace("mkdir a sub");
    await at.refuses("write", { path, content: "x" }, "path-protected");
    expect(at.bash("ls -A").split("\n").filter(Boolean)).toEqual(["a", "sub"]);
  });

  it.each([
    ".gitignore",
    ".GITIGNORE",
    ".github/a.yml",
    "x.git/a",
    ".gitattributes",
    "git/config",
    ".git-x/a",
    "a.git",
  ])("W11 writes %s", async (path) => {
    const at = openWorkspace("");
    await at.does("write", { path, content: "x" });
    expect(at.text(path)).toBe("x");
  });

  it("W13 refuses git metadata that is reached by another name", async () => {
    const at = openWorkspace("git init -q m; ln -s m/.git g; ln -s m n; mkdir s; ln -s ../m/.git/config s/c");
    for (const path of [
      "g/hooks/post-checkout",
      "m/.git/worktrees/w/config.worktree",
      "n/.git/config",
      "s/c",
      "g/config",
      join(at.root, "g/config"),
    ]) {
      await at.refuses("write", { path, content: "x", overwrite: true }, "path-protected");
    }
    await at.refuses(
      "edit",
      { path: "g/HEAD", edits: [{ old_text: "ref", new_text: "x" }] },
      "path-protected",
    );
  });

  it("W13 refuses to move a tree to a name that makes it git metadata, or out of one", async () => {
    const at = openWorkspace("git init -q m; mkdir h; printf x > h/pre-commit");
    await at.refuses("move", { from: "h", to: "m/.git/hooks2" }, "path-protected");
    await at.refuses("move", { from: "h", to: ".git" }, "path-protected");
    await at.refuses("move", { from: "h/pre-commit", to: "m/.GIT/hooks/pre-commit" }, "path-protected");
    await at.refuses("move", { from: "m/.git/HEAD", to: "HEAD" }, "path-protected");
    await at.refuses("move", { from: "m", to: "k" }, "path-protected");
    await at.refuses("delete", { path: "m", recursive: true }, "path-protected");
    await at.refuses("delete", { path: "m/.git", recursive: true }, "path-protected");
  });

  it("W13 refuses generated files by their header, naming the generator, and not by their body", async () => {
    const at = openWorkspace(
      String.raw`printf '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n' > a.go; printf '# @generated\nx\n' > b.py; { seq 1 200; printf '// Code generated by x. DO NOT EDIT.\n'; } > c.go`,
    );
    const refused = await at.refuses(
      "write",
      { path: "a.go", content: "x", overwrite: true },
      "file-generated",
    );
    expect(refused.content).toContain("protoc-gen-go");
    await at.refuses("edit", { path: "b.py", edits: [{ old_text: "x", new_text: "y" }] }, "file-generated");
    await at.does("edit", { path: "c.go", edits: [{ old_text: "\n77\n", new_text: "\n77!\n" }] });
  });

  it("W09 keeps a root that is spelled with a trailing slash, dots or twice the slash one and the same", async () => {
    const base = openWorkspace("").base;
    mkdirSync(join(base, "r"));
    writeFileSync(join(base, "r/f"), "in\n");
    symlinkSync("r", join(base, "s"));
    for (const spelling of [`${base}/r/`, `${base}//r`, `${base}/r/../r`, `${base}/./r/.`, `${base}/s/`]) {
      const tools = mountLoosely(spelling);
      expectSuccess(await tools.call("read", { path: "f" }));
      expectSuccess(await tools.call("read", { path: `${base}/r/f` }));
      expectRefusal(await tools.call("read", { path: "../root" }), "path-outside-root");
      await tools.close();
    }
    expect(runBash("ls", join(base, "r")).trim()).toBe("f");
  });
});
