import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  accept,
  descriptorsInto,
  type Fixture,
  makeFixture,
  never,
  placeAt,
} from "../../test/faults/fixture.ts";
import { isRefusal } from "../contract/refusal.ts";
import { nodeDisk } from "./disk.ts";
import { inspect } from "./inspect.ts";
import { openFile, readWhole } from "./open-file.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  expect(descriptorsInto(fixture.base)).toEqual([]);
  fixture.remove();
});
const inBox = (...parts: string[]) => join(fixture.box, ...parts);

async function read(path: string, maxBytes = 1000, root = fixture.root) {
  return readWhole({ root, place: await placeAt(root, path), maxBytes, signal: never });
}

describe("openFile", () => {
  test("reads at any position, and less at the end", async () => {
    writeFileSync(inBox("f"), "0123456789");
    const file = accept(await openFile(fixture.root, await placeAt(fixture.root, "f")));
    expect(file.size).toBe(10);
    expect((await file.read(3, 4)).toString()).toBe("3456");
    expect((await file.read(8, 100)).toString()).toBe("89");
    expect((await file.read(50, 1)).length).toBe(0);
    await file.close();
  });

  test("reads the far end of a sparse file of 3 GiB without its beginning", async () => {
    writeFileSync(inBox("big"), "");
    truncateSync(inBox("big"), 3 * 2 ** 30);
    const file = accept(await openFile(fixture.root, await placeAt(fixture.root, "big")));
    expect((await file.read(3 * 2 ** 30 - 2, 10)).equals(Buffer.alloc(2))).toBe(true);
    await file.close();
    expect(await read("big")).toMatchObject({
      code: "file-too-large",
      facts: { bytes: 3 * 2 ** 30, maxBytes: 1000 },
    });
  });

  test("never opens a FIFO, a socket or a device, and is not kept waiting by one", async () => {
    execFileSync("mkfifo", [inBox("p")]);
    const server = createServer().listen(inBox("s"));
    await new Promise((resolve) => server.once("listening", resolve));
    const opened: string[] = [];
    const root = fixture.withDisk({
      ...nodeDisk,
      open: (path, flags, mode) => {
        opened.push(String(path));
        return nodeDisk.open(path, flags, mode);
      },
    });
    expect(await read("p", 10, root)).toMatchObject({ code: "path-not-regular", facts: { kind: "fifo" } });
    expect(await read("s", 10, root)).toMatchObject({ code: "path-not-regular", facts: { kind: "socket" } });
    expect(opened.filter((path) => /\/[ps]$/.test(path))).toEqual([]);
    server.close();
    if (process.getuid?.() !== 0) return;
    execFileSync("mknod", [inBox("z"), "c", "1", "5"]);
    expect(await read("z")).toMatchObject({ code: "path-not-regular", facts: { kind: "device" } });
  });

  test("tells directories, missing files and what is below a missing directory", async () => {
    mkdirSync(inBox("d"));
    expect(await read("d")).toMatchObject({ code: "path-is-directory", facts: { operation: "read" } });
    expect(await read(".")).toMatchObject({ code: "path-is-directory" });
    expect(await read("none")).toMatchObject({ code: "path-missing" });
    expect(await read("no/ne")).toMatchObject({ code: "path-missing" });
  });

  test("a file or a parent that became a link to outside after it was resolved is not read", async () => {
    mkdirSync(join(fixture.base, "out"));
    writeFileSync(join(fixture.base, "out", "f"), "secret");
    mkdirSync(inBox("d"));
    writeFileSync(inBox("d", "f"), "mine");
    const place = await placeAt(fixture.root, "d/f");
    rmSync(inBox("d", "f"));
    symlinkSync("../../out/f", inBox("d", "f"));
    expect(await openFile(fixture.root, place)).toMatchObject({ code: "path-changed" });
    rmSync(inBox("d"), { recursive: true });
    symlinkSync("../out", inBox("d"));
    expect(await openFile(fixture.root, place)).toMatchObject({ code: "path-changed" });
    expect(await inspect(fixture.root, place)).toMatchObject({ code: "path-changed" });
    // The unguarded twin reads it.
    expect(execFileSync("cat", [place.real], { encoding: "utf8" })).toBe("secret");
  });

  test.each([
    ["a link to outside", () => symlinkSync("../secret", inBox("f"))],
    ["a FIFO", () => execFileSync("mkfifo", [inBox("f")])],
  ])("a file that becomes %s between the look and the opening is not read", async (_name, exchange) => {
    writeFileSync(join(fixture.base, "secret"), "secret");
    writeFileSync(inBox("f"), "mine");
    const place = await placeAt(fixture.root, "f");
    const root = fixture.withDisk({
      ...nodeDisk,
      open: (path, flags, mode) => {
        if (String(path).endsWith("/f")) {
          rmSync(inBox("f"));
          exchange();
        }
        return nodeDisk.open(path, flags, mode);
      },
    });
    const refusal = await readWhole({ root, place, maxBytes: 100, signal: never });
    expect(["path-changed", "path-not-regular"]).toContain(
      isRefusal(refusal) ? refusal.code : refusal.bytes.toString(),
    );
  });

  test("what may not be read is a refusal, what breaks is thrown", async () => {
    writeFileSync(inBox("f"), "x");
    const failing = (code: string) =>
      fixture.withDisk({
        ...nodeDisk,
        open: (path, flags, mode) =>
          String(path).endsWith("/f")
            ? Promise.reject(Object.assign(new Error(code), { code }))
            : nodeDisk.open(path, flags, mode),
      });
    expect(await read("f", 10, failing("EACCES"))).toMatchObject({
      code: "path-denied",
      facts: { operation: "read" },
    });
    await expect(read("f", 10, failing("EIO"))).rejects.toMatchObject({ code: "EIO" });
  });
});

describe("readWhole", () => {
  test("gives all bytes up to the bound, and none past it", async () => {
    const bytes = Buffer.alloc(20_000_000, "0123456789");
    writeFileSync(inBox("f"), bytes);
    expect(accept(await read("f", bytes.length)).bytes.equals(bytes)).toBe(true);
    expect(await read("f", bytes.length - 1)).toMatchObject({ code: "file-too-large" });
    writeFileSync(inBox("e"), "");
    expect(accept(await read("e", 0)).bytes.length).toBe(0);
  });

  test("stops where it is cancelled", async () => {
    writeFileSync(inBox("f"), "x");
    const place = await placeAt(fixture.root, "f");
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(readWhole({ root: fixture.root, place, maxBytes: 9, signal })).rejects.toThrow("enough");
  });
});

describe("inspect", () => {
  test("tells what is at a place without following it", async () => {
    mkdirSync(inBox("d"));
    writeFileSync(inBox("f"), "x");
    symlinkSync("d", inBox("l"));
    execFileSync("mkfifo", [inBox("p")]);
    const kindOf = async (path: string) =>
      accept(await inspect(fixture.root, await placeAt(fixture.root, path, "itself")));
    expect(await kindOf("d")).toMatchObject({ kind: "directory" });
    expect(await kindOf(".")).toMatchObject({ kind: "directory" });
    expect(await kindOf("f")).toMatchObject({ kind: "file", stats: { size: 1n } });
    expect(await kindOf("l")).toMatchObject({ kind: "link", target: "d" });
    expect(await kindOf("p")).toMatchObject({ kind: "fifo" });
    expect(await kindOf("none")).toEqual({ kind: "missing" });
    expect(await kindOf("no/ne")).toEqual({ kind: "missing" });
  });
});
