import { execFileSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accept, type Fixture, makeFixture, never, pictureOf, placeAt } from "../../test/faults/fixture.ts";
import type { Disk } from "../contract/disk.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { nodeDisk } from "./disk.ts";
import { moveEntry } from "./move-entry.ts";
import { isTemporaryName } from "./temporary-name.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());
const inBox = (...parts: string[]) => join(fixture.box, ...parts);

/** A disk that has every name on a file system of its own, but for the temporary ones. */
const acrossDisk: Disk = {
  ...nodeDisk,
  rename: async (from, to) => {
    const name = String(from).split("/").at(-1) ?? "";
    if (!isTemporaryName(name)) throw Object.assign(new Error("EXDEV"), { code: "EXDEV" });
    await nodeDisk.rename(from, to);
  },
};

/** A disk that finds a name in whatever case it is asked for, as those of macOS and Windows do. */
const foldingDisk: Disk = {
  ...nodeDisk,
  lstat: async (path) => {
    const [parent, name] = [dirname(String(path)), basename(String(path)).toLowerCase()];
    const stored = readdirSync(parent).find((entry) => entry.toLowerCase() === name);
    return nodeDisk.lstat(stored === undefined ? path : join(parent, stored));
  },
};

async function move(
  from: string,
  to: string,
  more: { overwrite?: boolean; root?: Root; signal?: AbortSignal } = {},
) {
  const root = more.root ?? fixture.root;
  return moveEntry({
    root,
    from: await placeAt(root, from, "itself"),
    to: await placeAt(root, to, "itself"),
    overwrite: more.overwrite ?? false,
    signal: more.signal ?? never,
  });
}

describe.each([
  ["by rename", () => fixture.root],
  ["across file systems", () => fixture.withDisk(acrossDisk)],
])("moveEntry %s", (_name, rootOf) => {
  test("moves a file with its mode, creating parents", async () => {
    writeFileSync(inBox("s"), "S");
    chmodSync(inBox("s"), 0o4750);
    expect(accept(await move("s", "a/b/d", { root: rootOf() }))).toEqual({ kind: "file", replaced: false });
    expect(pictureOf(fixture.box)).toEqual({ "a/": "755", "a/b/": "755", "a/b/d": "4750 S" });
  });

  test("moves a tree with modes, times, links and odd names", async () => {
    mkdirSync(inBox("t", "sub"), { recursive: true });
    writeFileSync(inBox("t", "sub", "f"), "F");
    writeFileSync(Buffer.concat([Buffer.from(`${inBox("t")}/n`), Buffer.from([0xe9])]), "odd");
    symlinkSync("sub/f", inBox("t", "in"));
    symlinkSync("/nowhere", inBox("t", "dangling"));
    chmodSync(inBox("t", "sub"), 0o555);
    utimesSync(inBox("t", "sub", "f"), 1000, 2000);
    utimesSync(inBox("t"), 3000, 4000);
    // Only the superuser empties a read-only directory.
    if (process.getuid?.() !== 0) chmodSync(inBox("t", "sub"), 0o755);
    const before = pictureOf(inBox("t"));
    expect(accept(await move("t", "u/v", { root: rootOf() }))).toEqual({
      kind: "directory",
      replaced: false,
    });
    expect(pictureOf(inBox("u", "v"))).toEqual(before);
    expect(lstatSync(inBox("u", "v", "sub", "f")).mtimeMs).toBe(2_000_000);
    expect(lstatSync(inBox("u", "v")).mtimeMs).toBe(4_000_000);
    expect(readdirSync(fixture.box)).toEqual(["u"]);
  });

  test("moves a link itself, dangling or not", async () => {
    writeFileSync(inBox("f"), "F");
    symlinkSync("f", inBox("l"));
    symlinkSync("../nowhere", inBox("out"));
    expect(accept(await move("l", "d/l", { root: rootOf() }))).toMatchObject({ kind: "link" });
    expect(accept(await move("out", "d/out", { root: rootOf() }))).toMatchObject({ kind: "link" });
    expect(pictureOf(fixture.box)).toEqual({
      "d/": "755",
      "d/l": "-> f",
      "d/out": "-> ../nowhere",
      f: "644 F",
    });
  });

  test("refuses a destination that exists: a file, a directory, a dangling link", async () => {
    writeFileSync(inBox("s"), "S");
    writeFileSync(inBox("d"), "KEEP");
    symlinkSync("nowhere", inBox("l"));
    mkdirSync(inBox("dir"));
    mkdirSync(inBox("source"));
    const before = pictureOf(fixture.box);
    for (const [to, kind] of [
      ["d", "file"],
      ["l", "link"],
      ["dir", "directory"],
      [".", "directory"],
    ] as const) {
      expect(await move("s", to, { root: rootOf() })).toMatchObject({ code: "path-exists", facts: { kind } });
    }
    expect(await move("source", "dir", { overwrite: true, root: rootOf() })).toMatchObject({
      code: "path-exists",
    });
    expect(await move("s", "dir", { overwrite: true, root: rootOf() })).toMatchObject({
      code: "path-is-directory",
    });
    expect(pictureOf(fixture.box)).toEqual(before);
  });

  test("replaces a file or a link itself where that is allowed", async () => {
    writeFileSync(inBox("s"), "S");
    writeFileSync(inBox("target"), "T");
    symlinkSync("target", inBox("l"));
    expect(accept(await move("s", "l", { overwrite: true, root: rootOf() }))).toMatchObject({
      replaced: true,
    });
    expect(accept(await move("l", "target", { overwrite: true, root: rootOf() }))).toMatchObject({
      replaced: true,
    });
    expect(pictureOf(fixture.box)).toEqual({ target: "644 S" });
  });

  test("refuses a directory into itself and a source that is its own destination", async () => {
    mkdirSync(inBox("a", "b"), { recursive: true });
    writeFileSync(inBox("f"), "F");
    const before = pictureOf(fixture.box);
    for (const [from, to] of [
      ["a", "a/b/a"],
      ["a", "a"],
      ["a/", "./a"],
      ["a", "a/new/deep"],
      ["f", "f"],
    ] as const) {
      for (const overwrite of [false, true]) {
        expect(await move(from, to, { overwrite, root: rootOf() })).toMatchObject({
          code: "move-into-itself",
        });
      }
    }
    expect(pictureOf(fixture.box)).toEqual(before);
    // A name that only begins alike is not inside.
    accept(await move("a", "ab", { root: rootOf() }));
  });

  test("refuses a protected tree, source and destination as a whole, and creates nothing", async () => {
    mkdirSync(inBox("d", "x", ".GIT"), { recursive: true });
    writeFileSync(inBox("f"), "F");
    writeFileSync(inBox("haft.config.json"), "{}");
    const before = pictureOf(fixture.box);
    expect(await move("d", "new/e", { root: rootOf() })).toMatchObject({
      facts: { by: "git", inside: "d/x/.GIT" },
    });
    expect(await move("f", ".git/hooks/x", { root: rootOf() })).toMatchObject({ facts: { by: "git" } });
    expect(await move("f", ".haft/x", { root: rootOf() })).toMatchObject({ facts: { by: "haft" } });
    expect(await move("haft.config.json", "g", { root: rootOf() })).toMatchObject({
      facts: { by: "configuration" },
    });
    expect(await move(".", "g", { root: rootOf() })).toMatchObject({ facts: { by: "root" } });
    expect(await move("none", "new/g", { root: rootOf() })).toMatchObject({ code: "path-missing" });
    expect(pictureOf(fixture.box)).toEqual(before);
    rmSync(inBox("d", "x", ".GIT"), { recursive: true });
    accept(await move("d", "new/e", { root: rootOf() }));
  });

  test("cancelled before, it changes nothing", async () => {
    writeFileSync(inBox("s"), "S");
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(move("s", "a/d", { root: rootOf(), signal })).rejects.toThrow("enough");
    expect(pictureOf(fixture.box)).toEqual({ s: "644 S" });
  });
});

describe("moveEntry", () => {
  test("of two names of one file leaves the new one alone", async () => {
    writeFileSync(inBox("a"), "A");
    linkSync(inBox("a"), inBox("b"));
    accept(await move("a", "b", { overwrite: true }));
    expect(pictureOf(fixture.box)).toEqual({ b: "644 A" });
  });

  test("gives a name another case on a disk that folds it, overwrite or not, and loses nothing", async () => {
    const root = fixture.withDisk(foldingDisk);
    writeFileSync(inBox("readme.md"), "R");
    mkdirSync(inBox("dir"));
    accept(await move("readme.md", "README.md", { root }));
    accept(await move("README.md", "Readme.md", { root, overwrite: true }));
    accept(await move("dir", "Dir", { root }));
    expect(pictureOf(fixture.box)).toEqual({ "Dir/": "755", "Readme.md": "644 R" });
  });

  test("replaces nothing unasked on a disk that folds case", async () => {
    const root = fixture.withDisk(foldingDisk);
    writeFileSync(inBox("a"), "A");
    writeFileSync(inBox("B"), "B");
    expect(await move("a", "b", { root })).toMatchObject({ code: "path-exists" });
  });

  test("names the end whose directory may not be written", async () => {
    mkdirSync(inBox("source"));
    writeFileSync(inBox("source", "s"), "S");
    const denied = (call: "access" | "rename") =>
      fixture.withDisk({
        ...nodeDisk,
        [call]: () => Promise.reject(Object.assign(new Error(), { code: "EACCES" })),
      });
    const paths = [];
    for (const call of ["access", "rename"] as const) {
      const refusal = await move("source/s", "a/b", { root: denied(call) });
      expect(refusal).toMatchObject({ code: "path-denied" });
      paths.push(isRefusal(refusal) && refusal.code === "path-denied" ? refusal.facts.path : undefined);
    }
    expect(paths).toEqual(["source/s", "a/b"]);
    expect(readdirSync(fixture.box)).toEqual(["source"]);
  });

  test("removes the parents it made where the rename fails", async () => {
    writeFileSync(inBox("s"), "S");
    const denied = () => Promise.reject(Object.assign(new Error(), { code: "EACCES" }));
    const root = fixture.withDisk({ ...nodeDisk, rename: denied });
    expect(await move("s", "a/b/c", { root })).toMatchObject({ code: "path-denied" });
    expect(readdirSync(fixture.box)).toEqual(["s"]);
  });

  test("across file systems refuses a tree with a FIFO before anything is copied", async () => {
    mkdirSync(inBox("t"));
    execFileSync("mkfifo", [inBox("t", "p")]);
    const root = fixture.withDisk(acrossDisk);
    expect(await move("t", "u", { root })).toMatchObject({
      code: "path-not-regular",
      facts: { path: "t/p", kind: "fifo" },
    });
    expect(await move("t/p", "q", { root })).toMatchObject({ code: "path-not-regular" });
    expect(readdirSync(fixture.box)).toEqual(["t"]);
    expect(accept(await move("t", "u"))).toMatchObject({ kind: "directory" });
  });

  test("across file systems takes a copy away again where it is cancelled in the middle", async () => {
    mkdirSync(inBox("t"));
    for (const name of ["a", "b", "c"]) writeFileSync(inBox("t", name), name);
    const cancel = new AbortController();
    const root = fixture.withDisk({
      ...acrossDisk,
      utimes: async (...args) => {
        await nodeDisk.utimes(...args);
        cancel.abort(new Error("enough"));
      },
    });
    const before = pictureOf(fixture.box);
    await expect(move("t", "n/u", { root, signal: cancel.signal })).rejects.toThrow("enough");
    expect(pictureOf(fixture.box)).toEqual(before);
  });

  test("across file systems leaves both alone where the source changes while it is copied", async () => {
    writeFileSync(inBox("s"), "S");
    const root = fixture.withDisk({
      ...acrossDisk,
      utimes: async (...args) => {
        await nodeDisk.utimes(...args);
        writeFileSync(inBox("s"), "theirs");
      },
    });
    expect(await move("s", "d", { root })).toMatchObject({ code: "file-changed" });
    expect(pictureOf(fixture.box)).toEqual({ s: "644 theirs" });
  });

  test("between two real file systems keeps bytes, mode, times and owner", async (context) => {
    const other = "/dev/shm";
    try {
      accessSync(other, constants.W_OK);
    } catch {
      return context.skip("no second file system to write to");
    }
    if (lstatSync(other).dev === lstatSync(fixture.box).dev) return context.skip("one file system only");
    const away = mkdtempSync(join(other, "haft-move-"));
    try {
      mkdirSync(inBox("t"));
      writeFileSync(inBox("t", "f"), "F".repeat(3_000_000));
      symlinkSync("f", inBox("t", "l"));
      if (process.getuid?.() === 0) {
        chownSync(inBox("t", "f"), 1234, 4321);
        execFileSync("chown", ["-h", "77:88", inBox("t", "l")]);
      }
      chmodSync(inBox("t", "f"), 0o6711);
      utimesSync(inBox("t", "f"), 1000, 2000);
      const [before, file, link] = [
        pictureOf(inBox("t")),
        lstatSync(inBox("t", "f")),
        lstatSync(inBox("t", "l")),
      ];
      const root = fixture.withDisk(nodeDisk);
      const to = {
        asked: "u",
        real: join(away, "u"),
        shown: join(away, "u"),
        link: "itself",
        contained: false,
      } as const;
      const from = await placeAt(root, "t", "itself");
      accept(await moveEntry({ root, from, to, overwrite: false, signal: never }));
      expect(pictureOf(join(away, "u"))).toEqual(before);
      const [fileNow, linkNow] = [lstatSync(join(away, "u", "f")), lstatSync(join(away, "u", "l"))];
      expect([fileNow.uid, fileNow.gid, fileNow.mtimeMs]).toEqual([file.uid, file.gid, file.mtimeMs]);
      expect([linkNow.uid, linkNow.gid]).toEqual([link.uid, link.gid]);
      expect(readdirSync(fixture.box)).toEqual([]);
      expect(readdirSync(away)).toEqual(["u"]);
    } finally {
      rmSync(away, { recursive: true, force: true });
    }
  });

  test("a link to a file that is moved onto by its own name keeps the file", async () => {
    writeFileSync(inBox("f"), "F");
    symlinkSync("f", inBox("l"));
    accept(await move("f", "l", { overwrite: true }));
    expect(readFileSync(inBox("l"), "utf8")).toBe("F");
    expect(readdirSync(fixture.box)).toEqual(["l"]);
  });
});
