/**
 * Owns the public bug reports about moving and deleting: what is already there, trees in themselves, links.
 * Leaves paths that leave the root to test/hostile-paths. Rule: nothing is lost that the call did not name.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

describe("move", () => {
  it("M01 refuses an existing destination, a dangling link included", async () => {
    const at = openWorkspace("printf S > s; printf KEEP > d; ln -s nowhere l; mkdir dir; printf x > dir/x");
    for (const to of ["d", "l", "dir"]) await at.refuses("move", { from: "s", to }, "path-exists");
    expect(at.text("s")).toBe("S");
    expect(at.text("d")).toBe("KEEP");
    expect(readlinkSync(join(at.root, "l"))).toBe("nowhere");
  });

  it("M01 refuses an existing destination for a directory and for a link", async () => {
    const at = openWorkspace("mkdir a b; printf x > a/x; ln -s a/x l; printf KEEP > f");
    await at.refuses("move", { from: "a", to: "b" }, "path-exists");
    await at.refuses("move", { from: "a", to: "f" }, "path-exists");
    await at.refuses("move", { from: "l", to: "f" }, "path-exists");
  });

  it("M01 replaces a file with overwrite, and never a directory that holds something", async () => {
    const at = openWorkspace("printf S > s; printf old > d; mkdir dir; printf x > dir/x; printf T > t");
    await at.does("move", { from: "s", to: "d", overwrite: true });
    expect(at.text("d")).toBe("S");
    await at.refuses("move", { from: "t", to: "dir", overwrite: true });
    expect(at.text("dir/x")).toBe("x");
  });

  it("M01 replaces a link itself with overwrite, not what it leads to", async () => {
    const at = openWorkspace("printf S > s; printf KEEP > d; ln -s d l");
    await at.does("move", { from: "s", to: "l", overwrite: true });
    expect(at.text("d")).toBe("KEEP");
    expect(lstatSync(join(at.root, "l")).isFile()).toBe(true);
  });

  it.each([
    ["delete", { path: "pkg", recursive: true }],
    ["move", { from: "pkg", to: "other" }],
  ])("M03 %s of a tree that holds a repository names where it is", async (tool, args) => {
    const at = openWorkspace(
      "mkdir -p pkg/vendor/x/.git; printf 1 > pkg/vendor/x/.git/HEAD; printf 1 > pkg/a",
    );
    const refused = await at.refuses(tool, args, "path-protected");
    expect(refused.refusal.facts).toMatchObject({ path: "pkg", inside: "pkg/vendor/x/.git" });
    expect(refused.content).toContain("because pkg/vendor/x/.git is a .git directory");
  });

  it("M01 makes parents, and none for a move that is refused", async () => {
    const at = openWorkspace("printf S > s");
    await at.does("move", { from: "s", to: "a/b/s" });
    expect(at.text("a/b/s")).toBe("S");
    await at.refuses("move", { from: "missing", to: "x/y/z" }, "path-missing");
  });

  it.each([
    ["a", "a/b/a"],
    ["a", "a/new"],
    ["a", "a"],
    ["a/", "./a"],
    ["a", "a/."],
    ["a", "a/b/../../a"],
    ["a/b", "a"],
  ])("M02 refuses to move %s to %s and leaves the tree alone", async (from, to) => {
    const at = openWorkspace("mkdir -p a/b; printf x > a/b/x");
    for (const overwrite of [undefined, true]) await at.refuses("move", { from, to, overwrite });
  });

  it("M02 refuses a move into itself through a link, and of a file onto itself", async () => {
    const at = openWorkspace("mkdir -p a/b; printf x > a/f; ln -s a la; ln a/f hard");
    await at.refuses("move", { from: "a", to: "la/b/a", overwrite: true });
    await at.refuses("move", { from: "a/f", to: "la/f", overwrite: true });
    await at.refuses("move", { from: "a/f", to: "./a/f", overwrite: true });
  });

  it("M02 moves to a sibling whose name begins with the source's name", async () => {
    const at = openWorkspace("mkdir -p a; printf x > a/x");
    await at.does("move", { from: "a", to: "a-b/c" });
    expect(at.text("a-b/c/x")).toBe("x");
  });

  it("M02 refuses to move the root, and anything onto it", async () => {
    const at = openWorkspace("printf x > f");
    for (const root of [".", "./", at.root, "f/.."]) {
      await at.refuses("move", { from: root, to: "sub" });
      await at.refuses("move", { from: "f", to: root, overwrite: true });
    }
  });

  it("D02 moves a link itself, whatever it leads to", async () => {
    const at = openWorkspace(
      "mkdir A; touch A/f; ln -s A link; ln -s ../out esc; mkdir ../out; ln -s gone dangling",
    );
    for (const link of ["link", "esc", "dangling"]) {
      const target = readlinkSync(join(at.root, link));
      await at.does("move", { from: link, to: `moved-${link}` });
      expect(readlinkSync(join(at.root, `moved-${link}`))).toBe(target);
    }
    expect(at.bash("ls A")).toBe("f\n");
  });
});

describe("delete", () => {
  it("D01 does not walk into links of a tree that it deletes", async () => {
    const at = openWorkspace(
      "mkdir -p pkg nm ../out; printf x > pkg/src; printf y > ../out/f; ln -s ../pkg nm/pkg; ln -s ../../out nm/out",
    );
    await at.does("delete", { path: "nm", recursive: true });
    expect(at.bash("ls -A")).toBe("pkg\n");
    expect(at.text("pkg/src")).toBe("x");
    expect(at.bash("cat ../out/f")).toBe("y");
  });

  it("D01 does not walk into links deep in a tree, to the root or to itself", async () => {
    const at = openWorkspace(
      "mkdir -p t/a/b keep; printf k > keep/k; ln -s / t/a/slash; ln -s ../../.. t/a/b/up; ln -s . t/a/b/self; ln -s ../../../keep t/a/b/keep; mkfifo t/p",
    );
    await at.does("delete", { path: "t", recursive: true });
    expect(at.bash("find . | sort")).toBe(".\n./keep\n./keep/k\n");
  });

  it("D01 needs recursive for a directory, an empty one too", async () => {
    const at = openWorkspace("mkdir -p d/e; printf x > d/f");
    await at.refuses("delete", { path: "d" });
    await at.refuses("delete", { path: "d/e", recursive: false });
    await at.does("delete", { path: "d/f" });
    await at.does("delete", { path: "d", recursive: true });
    expect(at.bash("ls -A")).toBe("");
  });

  it("D01 deletes one name of a hard link and leaves the other", async () => {
    const at = openWorkspace("printf x > a; ln a b");
    await at.does("delete", { path: "a" });
    expect(at.text("b")).toBe("x");
  });

  it("D02 deletes only the link, without recursive", async () => {
    const at = openWorkspace("mkdir A; touch A/f; ln -s A link; ln -s gone dangling; ln -s self self");
    for (const path of ["link", "dangling", "self"]) await at.does("delete", { path });
    expect(at.bash("find . | sort")).toBe(".\n./A\n./A/f\n");
  });

  it("D02 never deletes the target of a link that is spelled with a trailing slash", async () => {
    const at = openWorkspace("mkdir A; touch A/f; ln -s A link");
    const out = await at.call("delete", { path: "link/", recursive: true });
    expect(at.bash("ls A")).toBe("f\n");
    expect(at.bash("test -L link && echo link || echo gone").trim()).toBe(out.isError ? "link" : "gone");
  });

  it("D02 refuses a missing path and the root, in every spelling", async () => {
    const at = openWorkspace("mkdir d; printf x > d/f");
    await at.refuses("delete", { path: "nope" }, "path-missing");
    for (const path of [".", "./", "d/..", at.root, `${at.root}/`, "/"]) {
      await at.refuses("delete", { path, recursive: true });
    }
  });
});
