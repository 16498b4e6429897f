import { execFileSync } from "node:child_process";
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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
import { openRoot } from "./open-root.ts";
import { replaceFile } from "./replace-file.ts";
import { sweepAbandoned } from "./sweep.ts";
import { findWriter, isTemporaryName, newTemporaryName } from "./temporary-name.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  expect(descriptorsInto(fixture.base)).toEqual([]);
  fixture.remove();
});

const mine = newTemporaryName();
const [, pid = "", start = "", space = ""] = /^\.haft-(\w+)-(\w+)-(\w+)-/.exec(mine) ?? [];
/** The name that a process would have used which is no more: no Linux gives out that pid. */
const gone = `.haft-${(2 ** 22 + 1).toString(36)}-1-${space}-abc.tmp`;
const reused = `.haft-${pid}-${start === "1" ? "2" : "1"}-${space}-abc.tmp`;
const elsewhere = `.haft-${pid}-${start}-otherplace-abc.tmp`;

const linux = process.platform === "linux";

describe("a temporary name", () => {
  test("is recognised, and nothing else is", () => {
    expect([mine, gone, reused, elsewhere].map(isTemporaryName)).toEqual([true, true, true, true]);
    const others = [".haft", ".haft-.tmp", mine.slice(1), `${mine}.txt`, mine.toUpperCase(), `a/${mine}`];
    expect(others.filter((name) => isTemporaryName(name))).toEqual([]);
    expect(newTemporaryName()).not.toBe(newTemporaryName());
    expect(mine).toMatch(/^\.haft-[a-z0-9-]+\.tmp$/);
  });

  test("of a person's own that only looks a little like ours is an ordinary name", () => {
    const others = [".haft-abc.tmp", ".haft-my-notes.tmp", ".haft-0000000000000000.tmp", ".haft-a-b-c.tmp"];
    expect(others.filter((name) => isTemporaryName(name))).toEqual([]);
  });

  test.runIf(linux)("tells whether its writer is gone, a pid that was given out again included", () => {
    expect([mine, gone, reused, elsewhere, ".haft-x.tmp"].map(findWriter)).toEqual([
      "alive",
      "gone",
      "gone",
      "unknown",
      "unknown",
    ]);
  });
});

describe.runIf(linux)("sweepAbandoned", () => {
  test("removes no file of a person's, however old", async () => {
    const path = join(fixture.box, ".haft-abc.tmp");
    writeFileSync(path, "mine");
    utimesSync(path, new Date(0), new Date(0));
    await sweepAbandoned(fixture.root, { signal: never });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  test("removes what a writer who is gone left, anywhere but in .git and node_modules, and never through a link", async () => {
    mkdirSync(join(fixture.box, "a", "b"), { recursive: true });
    mkdirSync(join(fixture.base, "out"));
    for (const directory of ["node_modules", ".git"]) mkdirSync(join(fixture.box, directory));
    symlinkSync("../out", join(fixture.box, "link"));
    const left = [join(fixture.base, "out"), join(fixture.box, "node_modules"), join(fixture.box, ".git")];
    const swept = [fixture.box, join(fixture.box, "a"), join(fixture.box, "a", "b")];
    for (const directory of [...left, ...swept]) writeFileSync(join(directory, gone), "x");
    writeFileSync(join(fixture.box, "a", mine), "being written");
    writeFileSync(join(fixture.box, "a", "keep.tmp"), "x");
    await sweepAbandoned(fixture.root, { signal: never });
    for (const directory of left) expect(readdirSync(directory)).toContain(gone);
    for (const directory of swept) expect(readdirSync(directory)).not.toContain(gone);
    expect(readFileSync(join(fixture.box, "a", mine), "utf8")).toBe("being written");
    expect(readdirSync(join(fixture.box, "a"))).toContain("keep.tmp");
  });

  test("waits an hour where it cannot know the writer", async () => {
    const [young, old] = [join(fixture.box, elsewhere), join(fixture.box, elsewhere.replace("abc", "abd"))];
    for (const path of [young, old]) writeFileSync(path, "x");
    utimesSync(old, Date.now() / 1000 - 3700, Date.now() / 1000 - 3700);
    await sweepAbandoned(fixture.root, { signal: never });
    expect(readdirSync(fixture.box)).toEqual([elsewhere]);
  });

  test("leaves what a living writer is writing, however long it takes", async () => {
    writeFileSync(join(fixture.box, mine), "x");
    utimesSync(join(fixture.box, mine), 1000, 1000);
    await sweepAbandoned(fixture.root, { signal: never });
    expect(readdirSync(fixture.box)).toEqual([mine]);
  });

  test.runIf(process.getuid?.() === 0)(
    "waits an hour for the file of somebody else, whose process may be hidden",
    async () => {
      writeFileSync(join(fixture.box, gone), "x");
      chownSync(join(fixture.box, gone), 1234, 1234);
      await sweepAbandoned(fixture.root, { signal: never });
      expect(readdirSync(fixture.box)).toEqual([gone]);
      utimesSync(join(fixture.box, gone), 1000, 1000);
      await sweepAbandoned(fixture.root, { signal: never });
      expect(readdirSync(fixture.box)).toEqual([]);
    },
  );

  test("removes a half-copied tree with read-only directories in it, and a link of that name itself", async () => {
    mkdirSync(join(fixture.box, gone, "deep"), { recursive: true });
    writeFileSync(join(fixture.box, gone, "deep", "f"), "x");
    mkdirSync(join(fixture.base, "out"));
    writeFileSync(join(fixture.base, "out", "f"), "y");
    symlinkSync("../../out", join(fixture.box, gone, "l"));
    symlinkSync("../out", join(fixture.box, gone.replace("abc", "abd")));
    execFileSync("chmod", ["-R", "a-w", join(fixture.box, gone)]);
    await sweepAbandoned(fixture.root, { signal: never });
    expect(readdirSync(fixture.box)).toEqual([]);
    expect(readFileSync(join(fixture.base, "out", "f"), "utf8")).toBe("y");
  });

  test("ends quietly where it is cancelled or may not look", async () => {
    writeFileSync(join(fixture.box, gone), "x");
    await sweepAbandoned(fixture.root, { signal: AbortSignal.abort() });
    expect(readdirSync(fixture.box)).toEqual([gone]);
    const entries = () => {
      throw new Error("no");
    };
    const blind = fixture.withDisk({ ...fixture.root.disk, entries });
    await sweepAbandoned(blind, { signal: never });
    expect(lstatSync(join(fixture.box, gone)).size).toBe(1);
  });

  test("writing sweeps a directory the first time that a root writes into it", async () => {
    const write = async (root = fixture.root) => {
      const place = await placeAt(root, "f");
      accept(await replaceFile({ root, place, pieces: [], expected: "any", signal: never }));
    };
    writeFileSync(join(fixture.box, gone), "x");
    await write();
    expect(readdirSync(fixture.box)).toEqual(["f"]);
    writeFileSync(join(fixture.box, gone), "x");
    await write();
    expect(readdirSync(fixture.box)).toEqual([gone, "f"]);
    await write(openRoot({ root: fixture.box }));
    expect(readdirSync(fixture.box)).toEqual(["f"]);
  });
});
