/** Where the system has no paths through descriptors, as macOS and Windows: the same operations on compared paths. */
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { acrossDisk } from "../../test/faults/faulty-disk.ts";
import { accept, type Fixture, makeFixture, never, pictureOf, placeAt } from "../../test/faults/fixture.ts";
import { openDirectory } from "./directory.ts";
import { nodeDisk } from "./disk.ts";
import { moveEntry } from "./move-entry.ts";
import { openFile, readWhole } from "./open-file.ts";
import { removeEntry } from "./remove-entry.ts";
import { replaceFile } from "./replace-file.ts";

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  return { ...fs, existsSync: (path: string) => path !== "/proc/self/fd" && fs.existsSync(path) };
});

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
  mkdirSync(join(fixture.base, "out"));
  writeFileSync(join(fixture.base, "out", "f"), "outside");
  mkdirSync(join(fixture.box, "d"));
  writeFileSync(join(fixture.box, "d", "f"), "inside");
});
afterEach(() => fixture.remove());

/** What an attacker does between check and use. */
function swapForLink(): void {
  renameSync(join(fixture.box, "d"), join(fixture.box, "aside"));
  symlinkSync("../out", join(fixture.box, "d"));
}

const outside = () => pictureOf(join(fixture.base, "out"));

describe("without descriptors", () => {
  test("directories are reached by their path", async () => {
    const directory = await openDirectory(nodeDisk, join(fixture.box, "d"));
    expect(directory?.self).toBe(join(fixture.box, "d"));
    expect(await directory?.isSame()).toBe(true);
    swapForLink();
    expect(await directory?.isSame()).toBe(false);
    expect(await openDirectory(nodeDisk, join(fixture.box, "d"))).toBeUndefined();
  });

  test("reading, writing, moving by rename and by copy, and removing work", async () => {
    const { root } = fixture;
    const signal = never;
    const place = await placeAt(root, "new/f");
    const pieces = [Buffer.from("text")];
    accept(await replaceFile({ root, place, pieces, expected: "absent", signal }));
    expect(accept(await readWhole({ root, place, maxBytes: 9, signal })).bytes.toString()).toBe("text");
    const to = await placeAt(root, "new/g", "itself");
    accept(
      await moveEntry({ root, from: await placeAt(root, "new/f", "itself"), to, overwrite: false, signal }),
    );
    const across = fixture.withDisk(acrossDisk);
    const ends = { from: await placeAt(root, "new", "itself"), to: await placeAt(root, "newer", "itself") };
    accept(await moveEntry({ root: across, ...ends, overwrite: false, signal }));
    expect(pictureOf(fixture.box)).toMatchObject({ "newer/": "755", "newer/g": "644 text" });
    accept(await removeEntry({ root, place: ends.to, recursive: true, signal }));
    expect(readdirSync(fixture.box)).toEqual(["d"]);
  });

  test("a directory that was exchanged before is refused", async () => {
    const { root } = fixture;
    const place = await placeAt(root, "d/f");
    swapForLink();
    const before = outside();
    expect(await openFile(root, place)).toMatchObject({ code: "path-changed" });
    expect(await replaceFile({ root, place, pieces: [], expected: "any", signal: never })).toMatchObject({
      code: "path-changed",
    });
    expect(await removeEntry({ root, place, recursive: true, signal: never })).toMatchObject({
      code: "path-changed",
    });
    expect(outside()).toEqual(before);
  });

  test("a directory that is exchanged while the new text is flushed is refused before the rename", async () => {
    const root = fixture.withDisk({
      ...nodeDisk,
      open: async (path, flags, mode) => {
        const handle = await nodeDisk.open(path, flags, mode);
        return {
          ...handle,
          sync: async () => {
            await handle.sync();
            swapForLink();
          },
        };
      },
    });
    const before = outside();
    const place = await placeAt(root, "d/new");
    const done = await replaceFile({ root, place, pieces: [], expected: "absent", signal: never });
    expect(done).toMatchObject({ code: "path-changed" });
    expect(outside()).toEqual(before);
  });

  test("a directory that is exchanged while a file is opened is refused before the first byte", async () => {
    const root = fixture.withDisk({
      ...nodeDisk,
      open: async (path, flags, mode) => {
        swapForLink();
        return nodeDisk.open(path, flags, mode);
      },
    });
    expect(await openFile(root, await placeAt(root, "d/f"))).toMatchObject({ code: "path-changed" });
  });
});
