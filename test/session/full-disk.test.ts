/**
 * The disk on which the ledger lies is full, out of files, or not there any more: no call runs that cannot be recorded,
 * nothing changes whose old bytes cannot be kept, what was answered stays whole, and all goes on once there is room.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openLedger } from "../../src/ledger/ledger.ts";
import { LedgerError } from "../../src/ledger/ledger-error.ts";
import { callOf, expectCode, expectDone, makeRoot, open, textOf } from "./session-fixture.ts";

const mounted: string[] = [];
afterEach(() => {
  for (const disk of mounted.splice(0)) execFileSync("umount", ["-l", disk]);
});

/** A disk of its own, mounted below a fresh folder. */
function mountDisk(options: string): string {
  const disk = join(makeRoot(), "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "pipe" });
  mounted.push(disk);
  return disk;
}

const resize = (disk: string, size: string) =>
  execFileSync("mount", ["-o", `remount,size=${size}`, disk], { stdio: "pipe" });

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("umount", ["-l", mountDisk("size=1m")], { stdio: "pipe" });
    mounted.pop();
    return true;
  } catch {
    return false;
  }
}
const isPossible = canMount();
if (!isPossible) process.stderr.write("skipped: a full disk needs mount(8) and the rights of root\n");

/** Text that is like no other, so that it is kept each time. */
const fresh = (bytes: number): string => {
  let text = "";
  while (text.length < bytes) text += `${Math.random()}\n`;
  return text;
};

/** Fills what is left of a disk, to the last byte. */
function fill(disk: string): string {
  const file = join(disk, "filler");
  for (const size of [65_536, 4_096]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
  return file;
}

describe.skipIf(!isPossible)("a session whose ledger lies on a full disk", () => {
  it("loses no answered call while it fills up in the middle of calls, and goes on once there is room", async () => {
    const root = makeRoot();
    const disk = mountDisk("size=2m");
    const path = join(disk, "ledger.db");
    const session = await open(root, { ledger: path });
    const answered: { id: string; content: string }[] = [];
    let refused = 0;
    for (let n = 0; refused < 6; n++) {
      const calls = [0, 1, 2].map((at) =>
        callOf("write", { path: `f${at}.txt`, content: fresh(40_000), overwrite: true }, `w${n}-${at}`),
      );
      for (const result of await session.batch(calls)) {
        if (!result.isError) answered.push(result);
        else {
          refused += 1;
          expect(expectCode(result, "fault")).toMatch(/has no room left on its disk; make room there/);
          expect(result.content).toMatch(/Nothing was changed|Each file is as it was/);
        }
      }
    }
    expect(answered.length).toBeGreaterThan(3);
    const before = [0, 1, 2].map((at) => textOf(root, `f${at}.txt`));
    expectCode(await session.call("write", { path: "f0.txt", content: "no", overwrite: true }), "fault");
    expectCode(await session.call("bash", { command: "touch made" }), "fault");
    expect([0, 1, 2].map((at) => textOf(root, `f${at}.txt`))).toEqual(before);
    expect(existsSync(join(root, "made"))).toBe(false);
    resize(disk, "8m");
    const last = expectDone(await session.call("write", { path: "last.txt", content: "x" }));
    expect(last.notes).toEqual([]);
    await session.close();
    const kept = openLedger({ path });
    for (const { id, content } of answered)
      expect(kept.result(`${session.id}/${id}`)?.content === content, id).toBe(true);
    kept.close();
    const again = await open(root, { ledger: path, sessionId: session.id });
    expectDone(await again.call("recall", { id: last.id }));
  });

  it("changes no file whose old bytes it cannot keep", async () => {
    const root = makeRoot({ "a/b.txt": "", "c.txt": "c\n", "own.txt": "" });
    for (const path of ["a/b.txt", "own.txt"]) writeFileSync(join(root, path), fresh(900_000));
    const before = ["a/b.txt", "own.txt"].map((path) => textOf(root, path));
    const disk = mountDisk("size=700k");
    const session = await open(root, { ledger: join(disk, "ledger.db") });
    const line = before[1]?.split("\n")[0] ?? "";
    for (const [name, args] of [
      ["delete", { path: "a", recursive: true }],
      ["delete", { path: "a/b.txt" }],
      ["move", { from: "c.txt", to: "a/b.txt", overwrite: true }],
      ["write", { path: "own.txt", content: "x", overwrite: true }],
      ["edit", { path: "own.txt", edits: [{ old_text: `${line}\n`, new_text: "new\n" }] }],
    ] as const) {
      const content = expectCode(await session.call(name, args), "fault");
      expect(content).toContain("was not done, because its old bytes could not be kept");
      expect(content).toMatch(/no room left on its disk; make room there\. Nothing was changed\.$/);
    }
    expect(["a/b.txt", "own.txt"].map((path) => textOf(root, path))).toEqual(before);
    expect(textOf(root, "c.txt")).toBe("c\n");
  });

  it("is not opened, with words that say what is missing: room, or room for one more file", async () => {
    for (const [options, prepare, words] of [
      ["size=64k", fill, /has no room left on its disk; make room there/],
      [
        "size=8m,nr_inodes=3",
        (disk: string) => writeFileSync(join(disk, "last"), ""),
        /has no room left on its disk for one more file; make room there/,
      ],
    ] as const) {
      const disk = mountDisk(options);
      const path = join(disk, "ledger.db");
      writeFileSync(path, "");
      prepare(disk);
      const error = errorOf(() => openLedger({ path }).close());
      expect(error?.message).toMatch(words);
      expect(error?.code).toBe("full");
    }
  });

  it("can be pruned once there is a little room, and is as it was where there is none", async () => {
    const root = makeRoot();
    const disk = mountDisk("size=2m");
    const path = join(disk, "ledger.db");
    const session = await open(root, { ledger: path });
    for (let n = 0; n < 3; n++)
      expectDone(await session.call("write", { path: "f.txt", content: fresh(40_000), overwrite: true }));
    await session.close();
    const filler = fill(disk);
    const prune = () => {
      const ledger = openLedger({ path });
      try {
        return ledger.prune({ beforeMs: Date.now() + 1e9 });
      } finally {
        ledger.close();
      }
    };
    const size = statSync(path).size;
    const error = errorOf(prune);
    rmSync(filler);
    // What SQLite has made beside the file may be room enough.
    if (error !== undefined) {
      expect(error.message).toMatch(/no room left on its disk/);
      const whole = openLedger({ path });
      expect(whole.calls(session.id)?.map(({ state }) => state)).toEqual(["done", "done", "done"]);
      whole.close();
      expect(prune()).toMatchObject({ ids: [session.id], calls: 3 });
    }
    const empty = openLedger({ path });
    expect(empty.sessions()).toEqual([]);
    empty.close();
    expect(statSync(path).size).toBeLessThan(size);
  });
});

function errorOf(act: () => unknown): LedgerError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  return undefined;
}
