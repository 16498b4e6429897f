/**
 * Owns the public bug reports about special files, searched trees, huge files and names that are not UTF-8.
 * Leaves plain reading to read.test.ts. Rule: a call that could hang is given a guard, never a sleep.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

describe("special files", () => {
  it("R12 refuses a FIFO and a link to a device at once, in every tool", { timeout: 10_000 }, async () => {
    const at = openWorkspace("mkfifo p; ln -s /dev/zero z");
    for (const path of ["p", "./p"]) {
      await at.refuses("read", { path }, "path-not-regular");
      await at.refuses("write", { path, content: "x", overwrite: true }, "path-not-regular");
      await at.refuses("edit", { path, edits: [{ old_text: "a", new_text: "b" }] }, "path-not-regular");
      await at.refuses("read", { path, grep: "x" });
      await at.refuses("grep", { pattern: "x", path });
    }
    for (const name of ["read", "list", "grep", "glob"]) {
      await at.refuses(name, { path: "z", pattern: "x" }, "path-outside-root");
    }
    await at.refuses("write", { path: "z", content: "x", overwrite: true }, "path-outside-root");
    expect(lstatSync(join(at.root, "p")).isFIFO()).toBe(true);
  });

  it("R12 refuses a FIFO that is reached through a link inside the root", { timeout: 10_000 }, async () => {
    const at = openWorkspace("mkdir d; mkfifo d/p; ln -s d/p l");
    await at.refuses("read", { path: "l" }, "path-not-regular");
    await at.refuses("write", { path: "l", content: "x", overwrite: true }, "path-not-regular");
  });

  it("R12 refuses a socket without connecting to it", { timeout: 10_000 }, async () => {
    const at = openWorkspace(`python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.bind('s')"`);
    await at.refuses("read", { path: "s" }, "path-not-regular");
    await at.refuses("write", { path: "s", content: "x", overwrite: true }, "path-not-regular");
  });

  it("R13 walks past a FIFO in a tree, listing it without opening it", { timeout: 10_000 }, async () => {
    const at = openWorkspace(String.raw`mkdir d; mkfifo d/p; printf 'needle\n' > d/t`);
    const grep = await at.does("grep", { pattern: "needle" });
    expect(grep.content).toContain("d/t\n1:needle");
    const glob = await at.does("glob", { pattern: "**/*" });
    expect(glob.content.split("\n")).toContain("d/t");
    const list = await at.does("list", { path: "d" });
    expect(list.content).toMatch(/^p\b.*(fifo|pipe)/im);
    expect(list.content).toMatch(/^t\b/m);
    expect((await at.does("read", { path: "d" })).content).toBe(list.content);
    expect((await at.does("read", { path: ".", grep: "needle" })).content).toContain("1:needle");
  });
});

describe("huge files", () => {
  it("R18 reads the first lines of 3 GiB, and searches it in bounds or says that it is skipped", {
    timeout: 60_000,
  }, async () => {
    const at = openWorkspace("seq 1 100 > big.log; truncate -s 3G big.log");
    const done = await at.does("read", { path: "big.log", limit: 5 });
    expect(done.content).toContain("1\t1\n2\t2\n3\t3\n4\t4\n5\t5");
    expect(done.content).not.toContain("6\t6");
    const grep = await at.does("grep", { pattern: "^7$", path: "big.log" });
    expect(grep.content).toMatch(/^7:7$|binary|large|skipped/im);
  });

  it("R18 reads no further than the answer needs where lines come before NULs", async () => {
    const at = openWorkspace("seq 1 100 > big.log; truncate -s 3G big.log");
    const page = await at.does("read", { path: "big.log", offset: 90, limit: 5 });
    expect(page.content).toContain("90\t90\n91\t91\n92\t92\n93\t93\n94\t94");
  });
});

describe("names that are not UTF-8", () => {
  const ODD = String.raw`f="$(printf 'n\xe9.txt')"; printf 'hit\n' > "$f"; printf 'hit\n' > ok.txt`;

  it("R19 reports the good file, and the odd one with an escaped name", async () => {
    const at = openWorkspace(ODD);
    const list = await at.does("list", {});
    expect(list.content).toMatch(/^ok\.txt\b/m);
    expect(list.content).toMatch(/n\\xE9\.txt/i);
    const glob = await at.does("glob", { pattern: "*.txt" });
    expect(glob.content.split("\n")).toContain("ok.txt");
    expect(glob.content).toMatch(/n\\xE9\.txt|skipped/i);
    const grep = await at.does("grep", { pattern: "hit" });
    expect(grep.content).toContain("ok.txt\n1:hit");
    expect(grep.content).toMatch(/n\\xE9\.txt|skipped|unreadable/i);
    for (const out of [list, glob, grep]) expect(out.content).not.toContain("\uFFFD");
  });

  it("R19 survives an odd name of a directory, of a link and in a link's target", async () => {
    const at = openWorkspace(
      String.raw`d="$(printf 'd\xff')"; mkdir "$d"; printf 'hit\n' > "$d/in.txt"; ln -s "$d/in.txt" l; ln -s ok "$(printf 'l\xfe')"; printf 'hit\n' > ok`,
    );
    const list = await at.does("list", {});
    expect(list.content).toMatch(/d\\xFF\//i);
    await at.does("list", { depth: 3 });
    await at.does("glob", { pattern: "**/*" });
    const grep = await at.does("grep", { pattern: "hit" });
    expect(grep.content).toContain("ok\n1:hit");
  });

  it("R19 deletes and moves a tree that holds odd names", async () => {
    const at = openWorkspace(
      String.raw`mkdir t u; printf x > "t/$(printf 'n\xe9')"; printf y > "u/$(printf 'n\xe9')"`,
    );
    await at.does("delete", { path: "t", recursive: true });
    await at.does("move", { from: "u", to: "v" });
    expect(at.bash("ls -A").trim()).toBe("v");
    expect(at.bash("cat v/*")).toBe("y");
  });

  it("R19 names the odd neighbour of a missing path without a fault", async () => {
    const at = openWorkspace(ODD);
    const refused = await at.refuses("read", { path: "né.txt" }, "path-missing");
    expect(refused.content).toMatch(/n\\xE9\.txt/i);
    expect(refused.content).toContain("ok.txt");
  });
});
