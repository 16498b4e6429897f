import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accept, type Fixture, makeFixture, never, pictureOf, placeAt } from "../../test/faults/fixture.ts";
import type { Place } from "../contract/access.ts";
import type { Disk } from "../contract/disk.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { nodeDisk } from "./disk.ts";
import { readWhole } from "./open-file.ts";
import { type Replacement, replaceFile } from "./replace-file.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());

const inBox = (...parts: string[]) => join(fixture.box, ...parts);
const isUser0 = process.getuid?.() === 0;

async function put(path: string, text: string, more: Partial<Replacement> = {}, root: Root = fixture.root) {
  const place: Place = await placeAt(root, path);
  return replaceFile({ root, place, pieces: [Buffer.from(text)], expected: "any", signal: never, ...more });
}

function failing(part: Partial<Disk>): Root {
  return fixture.withDisk({ ...nodeDisk, ...part });
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe("a new file", () => {
  test("is made with its parents, of several pieces, with the mode that the umask leaves", async () => {
    const old = process.umask(0o027);
    try {
      const place = await placeAt(fixture.root, "a/b/c.txt");
      const pieces = [Buffer.from("one "), new Uint8Array(), Buffer.from("two")];
      const done = accept(
        await replaceFile({ root: fixture.root, place, pieces, expected: "absent", signal: never }),
      );
      expect(done).toMatchObject({ created: true, otherNames: 0 });
      expect(done.version.size).toBe(7n);
    } finally {
      process.umask(old);
    }
    expect(pictureOf(fixture.box)).toEqual({ "a/": "750", "a/b/": "750", "a/b/c.txt": "640 one two" });
  });

  test("may be empty", async () => {
    accept(await put("pkg/__init__.py", ""));
    expect(statSync(inBox("pkg/__init__.py")).size).toBe(0);
  });

  test("that exists by now is not replaced where it was expected to be absent", async () => {
    const place = await placeAt(fixture.root, "f");
    writeFileSync(inBox("f"), "theirs");
    const refusal = await replaceFile({
      root: fixture.root,
      place,
      pieces: [],
      expected: "absent",
      signal: never,
    });
    expect(refusal).toMatchObject({ code: "path-exists", facts: { path: "f" } });
    expect(readFileSync(inBox("f"), "utf8")).toBe("theirs");
  });
});

describe("an existing file", () => {
  test.each([0o755, 0o640, 0o600, 0o4755, 0o2644, 0o1644, 0o222])("keeps its mode %o", async (mode) => {
    writeFileSync(inBox("s.sh"), "old");
    chmodSync(inBox("s.sh"), mode);
    accept(await put("s.sh", "new"));
    expect(lstatSync(inBox("s.sh")).mode & 0o7777).toBe(mode);
  });

  test.runIf(isUser0)("keeps its owner and group, and the setuid bit with them", async () => {
    writeFileSync(inBox("f"), "old");
    chownSync(inBox("f"), 1234, 4321);
    chmodSync(inBox("f"), 0o4750);
    accept(await put("f", "new"));
    const stats = lstatSync(inBox("f"));
    expect([stats.uid, stats.gid, stats.mode & 0o7777]).toEqual([1234, 4321, 0o4750]);
  });

  test.runIf(isUser0)("whose owner cannot be kept is left as it is", async () => {
    writeFileSync(inBox("f"), "old");
    chownSync(inBox("f"), 1234, 4321);
    const root = failing({
      open: async (path, flags, mode) => ({
        ...(await nodeDisk.open(path, flags, mode)),
        chown: () => Promise.reject(systemError("EPERM")),
      }),
    });
    const before = pictureOf(fixture.box);
    expect(await put("f", "new", {}, root)).toMatchObject({
      code: "file-owner",
      facts: { uid: 1234, gid: 4321 },
    });
    expect(pictureOf(fixture.box)).toEqual(before);
  });

  test("through a link inside the root is written where the link leads, and the link stays", async () => {
    writeFileSync(inBox("real.txt"), "a");
    symlinkSync("real.txt", inBox("link.txt"));
    accept(await put("link.txt", "b"));
    expect(readlinkSync(inBox("link.txt"))).toBe("real.txt");
    expect(readFileSync(inBox("real.txt"), "utf8")).toBe("b");
  });

  test("that changed since it was read is left as it is, whatever changed", async () => {
    const changes: (() => void)[] = [
      () => writeFileSync(inBox("f"), "longer than before"),
      () => writeFileSync(inBox("f"), "b"),
      () => chmodSync(inBox("f"), 0o600),
      () => utimesSync(inBox("f"), 1, 1),
    ];
    for (const change of changes) {
      writeFileSync(inBox("f"), "a");
      chmodSync(inBox("f"), 0o644);
      const place = await placeAt(fixture.root, "f");
      const { version } = accept(
        await readWhole({ root: fixture.root, place, maxBytes: 100, signal: never }),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      change();
      const before = pictureOf(fixture.box);
      const refusal = await put("f", "mine", { expected: version });
      expect(refusal).toMatchObject({ code: "file-changed", facts: { path: "f", lines: [] } });
      expect(pictureOf(fixture.box)).toEqual(before);
    }
  });

  test("that changes while the new text is flushed is left as it is", async () => {
    writeFileSync(inBox("f"), "a");
    const place = await placeAt(fixture.root, "f");
    const { version } = accept(await readWhole({ root: fixture.root, place, maxBytes: 100, signal: never }));
    const root = failing({
      open: async (path, flags, mode) => {
        const handle = await nodeDisk.open(path, flags, mode);
        return {
          ...handle,
          sync: async () => {
            writeFileSync(inBox("f"), "theirs, in the last moment");
            await handle.sync();
          },
        };
      },
    });
    expect(await put("f", "mine", { expected: version }, root)).toMatchObject({ code: "file-changed" });
    expect(pictureOf(fixture.box)).toEqual({ f: "644 theirs, in the last moment" });
  });

  test("is accepted where it is what was read, and its new version is what is read next", async () => {
    writeFileSync(inBox("f"), "a");
    const place = await placeAt(fixture.root, "f");
    const read = () => readWhole({ root: fixture.root, place, maxBytes: 100, signal: never });
    const first = accept(await put("f", "b", { expected: accept(await read()).version }));
    expect(accept(await read()).version).toEqual(first.version);
    accept(await put("f", "c", { expected: first.version }));
    expect(await put("f", "d", { expected: first.version })).toMatchObject({ code: "file-changed" });
  });

  test("with several hard links is refused, or replaced under this name alone", async () => {
    writeFileSync(inBox("a"), "one\n");
    linkSync(inBox("a"), inBox("b"));
    expect(await put("a", "two\n")).toMatchObject({
      code: "file-hard-links",
      facts: { path: "a", count: 2 },
    });
    expect(readFileSync(inBox("a"), "utf8")).toBe("one\n");
    expect(accept(await put("a", "two\n", { breakHardLinks: true }))).toMatchObject({ otherNames: 1 });
    expect([readFileSync(inBox("a"), "utf8"), readFileSync(inBox("b"), "utf8")]).toEqual(["two\n", "one\n"]);
  });
});

test("the new file has its owner and mode and is flushed before it takes the name, and the name is flushed after", async () => {
  writeFileSync(inBox("f"), "old");
  const log: string[] = [];
  const root = failing({
    open: async (path, flags, mode) => {
      const handle = await nodeDisk.open(path, flags, mode);
      const note =
        <A extends unknown[], R>(name: string, act: (...args: A) => R) =>
        (...args: A): R => {
          log.push(name);
          return act(...args);
        };
      return {
        ...handle,
        write: note("write", handle.write),
        chmod: note("chmod", handle.chmod),
        sync: note("sync", handle.sync),
      };
    },
    renameUnless: (ends, object) => {
      log.push("rename");
      return nodeDisk.renameUnless(ends, object);
    },
  });
  accept(await put("f", "new", {}, root));
  expect(log).toEqual(["write", "chmod", "sync", "rename", "sync"]);
});

test("the new text of a private file is never readable by others, not even under its temporary name", async () => {
  writeFileSync(inBox("f"), "old secret", { mode: 0o600 });
  const modes: number[] = [];
  const root = failing({
    open: async (path, flags, mode) => {
      const handle = await nodeDisk.open(path, flags, mode);
      const write = async (bytes: Uint8Array) => {
        modes.push(Number((await handle.stat()).mode & 0o777n));
        await handle.write(bytes);
      };
      return { ...handle, write };
    },
  });
  const old = process.umask(0);
  try {
    accept(await put("f", "new secret", {}, root));
  } finally {
    process.umask(old);
  }
  expect(modes).toEqual([0o600]);
});

describe("what is no file to write", () => {
  test("directories, FIFOs, sockets and the root are refused at once and stay", async () => {
    mkdirSync(inBox("d"));
    execFileSync("mkfifo", [inBox("p")]);
    expect(await put("d", "x")).toMatchObject({ code: "path-is-directory" });
    expect(await put(".", "x")).toMatchObject({ code: "path-is-directory" });
    expect(await put("p", "x")).toMatchObject({ code: "path-not-regular", facts: { kind: "fifo" } });
    expect(pictureOf(fixture.box)).toEqual({ "d/": "755", p: "special" });
  });

  test("a place that became a link after it was resolved is not written through", async () => {
    writeFileSync(join(fixture.base, "victim"), "original");
    const place = await placeAt(fixture.root, "notes.md");
    symlinkSync("../victim", inBox("notes.md"));
    const write = {
      root: fixture.root,
      place,
      pieces: [Buffer.from("x")],
      expected: "any",
      signal: never,
    } as const;
    expect(await replaceFile(write)).toMatchObject({ code: "path-changed" });
    // The unguarded twin writes outside.
    writeFileSync(place.real, "x");
    expect(readFileSync(join(fixture.base, "victim"), "utf8")).toBe("x");
  });

  test("a parent that became a link to outside after it was resolved is not written through", async () => {
    mkdirSync(join(fixture.base, "out"));
    const place = await placeAt(fixture.root, "d/new/f");
    symlinkSync("../out", inBox("d"));
    const write = {
      root: fixture.root,
      place,
      pieces: [Buffer.from("x")],
      expected: "any",
      signal: never,
    } as const;
    expect(await replaceFile(write)).toMatchObject({ code: "path-changed" });
    expect(readdirSync(join(fixture.base, "out"))).toEqual([]);
    mkdirSync(join(fixture.box, "d", "new"));
    expect(readdirSync(join(fixture.base, "out"))).toEqual(["new"]);
    expect(await replaceFile(write)).toMatchObject({ code: "path-changed" });
  });

  test("protected places are refused here too, whoever forgot to ask", async () => {
    for (const path of [".git/config", ".haft/x", "haft.config.json"]) {
      expect(await put(path, "x")).toMatchObject({ code: "path-protected" });
    }
    expect(readdirSync(fixture.box)).toEqual([]);
  });
});

describe("a failure", () => {
  test("by permissions is a refusal that leaves neither temporary files nor new parents", async () => {
    for (const code of ["EACCES", "EPERM", "EROFS"]) {
      const root = failing({ renameUnless: () => Promise.reject(systemError(code)) });
      const refusal = await put("new/deep/f", "x", {}, root);
      expect(refusal).toMatchObject({ code: "path-denied", facts: { path: "new/deep/f", error: code } });
      expect(readdirSync(fixture.box)).toEqual([]);
    }
  });

  test("a file that may not be written is refused although its directory would allow it", async () => {
    writeFileSync(inBox("f"), "old");
    const root = failing({ access: () => Promise.reject(systemError("EACCES")) });
    expect(await put("f", "new", {}, root)).toMatchObject({
      code: "path-denied",
      facts: { operation: "write" },
    });
    expect(readFileSync(inBox("f"), "utf8")).toBe("old");
  });

  test.skipIf(isUser0)("a file or a directory without the right to write is refused as it is", async () => {
    writeFileSync(inBox("f"), "old");
    chmodSync(inBox("f"), 0o444);
    mkdirSync(inBox("d"));
    chmodSync(inBox("d"), 0o555);
    const before = pictureOf(fixture.box);
    for (const path of ["f", "d/g", "d/new/g"]) {
      expect(await put(path, "new")).toMatchObject({ code: "path-denied", facts: { path, error: "EACCES" } });
    }
    expect(pictureOf(fixture.box)).toEqual(before);
  });

  test("of the disk is thrown as it is, and parents that were there stay", async () => {
    mkdirSync(inBox("old"));
    const root = failing({ renameUnless: () => Promise.reject(systemError("ENOSPC")) });
    await expect(put("old/new/f", "x", {}, root)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(pictureOf(fixture.box)).toEqual({ "old/": "755" });
  });

  test("takes back only directories that are still the ones it made", async () => {
    const root = failing({
      renameUnless: async () => {
        renameSync(inBox("a"), inBox("moved"));
        mkdirSync(inBox("a"));
        throw systemError("EIO");
      },
    });
    await expect(put("a/f", "x", {}, root)).rejects.toMatchObject({ code: "EIO" });
    expect(pictureOf(fixture.box)).toEqual({ "a/": "755", "moved/": "755" });
  });

  test("cancelling before and in the middle leaves the old file alone", async () => {
    writeFileSync(inBox("f"), "old");
    const cancel = new AbortController();
    const root = failing({
      open: async (path, flags, mode) => {
        const handle = await nodeDisk.open(path, flags, mode);
        return {
          ...handle,
          write: async (bytes) => {
            await handle.write(bytes);
            cancel.abort(new Error("enough"));
          },
        };
      },
    });
    await expect(put("f", "new", { signal: cancel.signal }, root)).rejects.toThrow("enough");
    await expect(put("f", "new", { signal: AbortSignal.abort(new Error("early")) })).rejects.toThrow("early");
    expect(pictureOf(fixture.box)).toEqual({ f: "644 old" });
  });

  test("a forged place outside the root is refused", async () => {
    const real = join(fixture.base, "out.txt");
    const place: Place = { asked: "f", real, shown: "f", link: "follow", contained: true };
    const done = await replaceFile({ root: fixture.root, place, pieces: [], expected: "any", signal: never });
    expect(isRefusal(done) && done.code).toBe("path-outside-root");
    expect(readdirSync(fixture.base)).toEqual(["box"]);
  });
});
