import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accept, type Fixture, makeFixture, never, pictureOf, placeAt } from "../../test/faults/fixture.ts";
import { nodeDisk } from "./disk.ts";
import { openRoot } from "./open-root.ts";
import { removeEntry } from "./remove-entry.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());
const inBox = (...parts: string[]) => join(fixture.box, ...parts);

async function remove(path: string, recursive = false, root = fixture.root) {
  return removeEntry({ root, place: await placeAt(root, path, "itself"), recursive, signal: never });
}

describe("removeEntry", () => {
  test("removes a file, a FIFO, a link to a directory and a link to outside, each itself", async () => {
    mkdirSync(inBox("A"));
    writeFileSync(inBox("A", "f"), "x");
    symlinkSync("A", inBox("link"));
    symlinkSync("../victim", inBox("out"));
    writeFileSync(join(fixture.base, "victim"), "v");
    execFileSync("mkfifo", [inBox("p")]);
    expect(accept(await remove("link"))).toEqual({ kind: "link", files: 1, directories: 0 });
    expect(accept(await remove("out"))).toMatchObject({ kind: "link" });
    expect(accept(await remove("p"))).toMatchObject({ kind: "other" });
    expect(pictureOf(fixture.box)).toEqual({ "A/": "755", "A/f": "644 x" });
    expect(accept(await remove("A/f"))).toMatchObject({ kind: "file" });
    expect(readFileSync(join(fixture.base, "victim"), "utf8")).toBe("v");
  });

  test("takes a directory only with `recursive`, even an empty one", async () => {
    mkdirSync(inBox("d"));
    expect(await remove("d")).toMatchObject({ code: "path-is-directory", facts: { operation: "delete" } });
    expect(accept(await remove("d", true))).toEqual({ kind: "directory", files: 0, directories: 1 });
  });

  test("removes a tree with links in it and never what they lead to", async () => {
    mkdirSync(inBox("pkg"));
    mkdirSync(inBox("nm", "deep", "er"), { recursive: true });
    mkdirSync(join(fixture.base, "out"));
    writeFileSync(inBox("pkg", "src"), "x");
    writeFileSync(join(fixture.base, "out", "f"), "y");
    symlinkSync("../pkg", inBox("nm", "pkg"));
    symlinkSync("../../out", inBox("nm", "out"));
    writeFileSync(Buffer.concat([Buffer.from(`${inBox("nm", "deep")}/n`), Buffer.from([0xe9])]), "not UTF-8");
    expect(accept(await remove("nm", true))).toEqual({ kind: "directory", files: 3, directories: 3 });
    expect(pictureOf(fixture.box)).toEqual({ "pkg/": "755", "pkg/src": "644 x" });
    expect(readFileSync(join(fixture.base, "out", "f"), "utf8")).toBe("y");
  });

  test.each([".git", ".GIT", ".haft"])("refuses a tree with a %s in it as a whole", async (name) => {
    mkdirSync(inBox("d", "x", name), { recursive: true });
    writeFileSync(inBox("d", "a"), "");
    const before = pictureOf(fixture.box);
    const refusal = await remove("d", true);
    expect(refusal).toMatchObject({ code: "path-protected", facts: { path: "d", inside: `d/x/${name}` } });
    expect(pictureOf(fixture.box)).toEqual(before);
    rmSync(inBox("d", "x", name), { recursive: true });
    expect(accept(await remove("d", true))).toEqual({ kind: "directory", files: 1, directories: 2 });
  });

  test("refuses a worktree's .git file in a tree, the root, what is above it, and the configuration", async () => {
    mkdirSync(inBox("wt"));
    writeFileSync(inBox("wt", ".git"), "gitdir: /x");
    writeFileSync(inBox("haft.config.json"), "{}");
    const before = pictureOf(fixture.box);
    expect(await remove("wt", true)).toMatchObject({ facts: { by: "git", inside: "wt/.git" } });
    expect(await remove(".", true)).toMatchObject({ facts: { by: "root" } });
    expect(await remove("haft.config.json")).toMatchObject({ facts: { by: "configuration" } });
    const above = openRoot({ root: fixture.box, resolve: () => fixture.base });
    expect(await remove("x", true, above)).toMatchObject({ facts: { by: "root" } });
    expect(pictureOf(fixture.box)).toEqual(before);
  });

  test("tells what is missing, and what became a link meanwhile", async () => {
    expect(await remove("none")).toMatchObject({ code: "path-missing" });
    expect(await remove("no/ne")).toMatchObject({ code: "path-missing" });
    mkdirSync(join(fixture.base, "out"));
    writeFileSync(join(fixture.base, "out", "f"), "y");
    mkdirSync(inBox("d"));
    const place = await placeAt(fixture.root, "d/f", "itself");
    execFileSync("rmdir", [inBox("d")]);
    symlinkSync("../out", inBox("d"));
    expect(await removeEntry({ root: fixture.root, place, recursive: true, signal: never })).toMatchObject({
      code: "path-changed",
    });
    expect(existsSync(join(fixture.base, "out", "f"))).toBe(true);
    execFileSync("rm", [place.real]);
    expect(existsSync(join(fixture.base, "out", "f"))).toBe(false);
  });

  test("says how much was gone where it fails in the middle", async () => {
    mkdirSync(inBox("d", "sub"), { recursive: true });
    for (const name of ["a", "b", "sub/c"]) writeFileSync(inBox("d", name), "");
    const root = fixture.withDisk({
      ...nodeDisk,
      rmdir: () => Promise.reject(Object.assign(new Error(), { code: "EACCES" })),
    });
    const refusal = await remove("d", true, root);
    expect(refusal).toMatchObject({ code: "path-denied", facts: { operation: "delete" } });
    expect(JSON.stringify(refusal)).toMatch(/"done":"[23] entries of it were deleted"/);
  });

  test("ends a removal that was cancelled in the middle, where that is soon done", async () => {
    mkdirSync(inBox("d"));
    for (let file = 0; file < 50; file++) writeFileSync(inBox("d", String(file)), "");
    const cancel = new AbortController();
    const root = fixture.withDisk({
      ...nodeDisk,
      unlink: async (path) => {
        cancel.abort(new Error("enough"));
        await nodeDisk.unlink(path);
      },
    });
    const place = await placeAt(root, "d", "itself");
    const removed = await removeEntry({ root, place, recursive: true, signal: cancel.signal });
    expect(removed).toMatchObject({ kind: "directory", files: 50 });
    expect(pictureOf(fixture.box)).toEqual({});
  });

  test("stops where it is cancelled, and a tree of 300 levels is no trouble", async () => {
    mkdirSync(inBox("d"));
    writeFileSync(inBox("d", "a"), "");
    const place = await placeAt(fixture.root, "d", "itself");
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(removeEntry({ root: fixture.root, place, recursive: true, signal })).rejects.toThrow(
      "enough",
    );
    execFileSync("bash", ["-c", "for i in $(seq 300); do mkdir d && cd d || exit 1; done"], {
      cwd: inBox("d"),
    });
    expect(accept(await remove("d", true))).toEqual({ kind: "directory", files: 1, directories: 301 });
    expect(readdirSync(fixture.box)).toEqual([]);
  });
});
