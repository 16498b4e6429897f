/**
 * Owns which folders are held while files are opened, on a real disk.
 * Leaves searching to tools/grep/. Rule: what is opened lies in the folder that was verified, and nothing stays open.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolderOpener } from "./folder-opener.ts";
import { type WalkDisk, walkDisk } from "./walk-disk.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-opener-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The disk, and the folders that were held on it. */
function watch(): { disk: WalkDisk; held: string[]; open: () => number } {
  const held: string[] = [];
  let open = 0;
  const disk: WalkDisk = {
    ...walkDisk,
    holdFolder(real) {
      held.push(real.slice(root.length));
      open++;
      return walkDisk.holdFolder(real);
    },
    release(folder) {
      open--;
      walkDisk.release(folder);
    },
  };
  return { disk, held, open: () => open };
}

function make(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), path);
  }
}

function readThrough(opener: ReturnType<typeof makeFolderOpener>, path: string): string {
  const end = path.lastIndexOf("/") + 1;
  const opened = opener.open({ folder: `${root}/${path.slice(0, end)}`, name: path.slice(end) });
  if ("error" in opened) return opened.error;
  const bytes = Buffer.alloc(400);
  const read = walkDisk.read(opened.fd, bytes, { offset: 0, length: 400, position: 0 });
  walkDisk.close(opened.fd);
  return typeof read === "number" ? bytes.toString("utf8", 0, read) : read.error;
}

describe("opening the files of a walk", () => {
  it("holds the folders above, to which the order of paths comes back", () => {
    make("a", "d/b", "d/e/c", "d/f", "g");
    const { disk, held, open } = watch();
    const opener = makeFolderOpener(disk);
    for (const path of ["a", "d/b", "d/e/c", "d/f", "g"]) expect(readThrough(opener, path)).toBe(path);
    expect(held).toEqual(["/", "/d/", "/d/e/"]);
    opener.close();
    expect(open()).toBe(0);
  });

  it("tells a folder from one whose name goes on", () => {
    make("d/b", "de/c", "d.x/y");
    const opener = makeFolderOpener(walkDisk);
    for (const path of ["d/b", "de/c", "d.x/y", "d/b"]) expect(readThrough(opener, path)).toBe(path);
    opener.close();
  });

  it("holds no more than a few of however many levels", () => {
    const levels = Array.from({ length: 60 }, (_, depth) => "n/".repeat(depth));
    make(...levels.map((level) => `${level}f`));
    const { disk, open } = watch();
    const opener = makeFolderOpener(disk);
    for (const level of levels) {
      expect(readThrough(opener, `${level}f`)).toBe(`${level}f`);
      expect(open()).toBeLessThanOrEqual(16);
    }
    for (const level of levels.reverse()) expect(readThrough(opener, `${level}f`)).toBe(`${level}f`);
    opener.close();
    expect(open()).toBe(0);
  });

  it.skipIf(process.platform !== "linux")(
    "stays in the folder that it held, whatever stands in its place",
    () => {
      make("d/mine", "out/mine");
      const opener = makeFolderOpener(walkDisk);
      expect(readThrough(opener, "d/mine")).toBe("d/mine");
      renameSync(join(root, "d"), join(root, "moved"));
      symlinkSync("out", join(root, "d"));
      expect(readThrough(opener, "d/mine")).toBe("d/mine");
      opener.close();
      const before = readdirSync("/proc/self/fd").length;
      expect(readThrough(makeFolderOpener(walkDisk), "d/mine")).toMatch(/ELOOP|ENOTDIR|moved/);
      expect(readdirSync("/proc/self/fd").length).toBe(before);
    },
  );
});
