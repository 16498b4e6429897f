import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Place } from "../contract/access.ts";
import { OutsideRootError } from "../contract/errors.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { openRoot } from "./open-root.ts";
import { locate, under } from "./resolve.ts";

let base: string;
let box: string;
let root: Root;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-resolve-")));
  box = join(base, "box");
  mkdirSync(join(box, "a", "b"), { recursive: true });
  writeFileSync(join(box, "a", "f.txt"), "f");
  mkdirSync(join(base, "box-other"));
  writeFileSync(join(base, "box-other", "loot"), "loot");
  root = openRoot({ root: box });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function find(
  path: string,
  use: Partial<{ link: "follow" | "itself"; mustExist: boolean }> = {},
  at = root,
) {
  return locate(at, { path, link: use.link ?? "follow", mustExist: use.mustExist ?? false });
}

async function shownOf(path: string, use: Parameters<typeof find>[1] = {}, at = root): Promise<string> {
  const place = await find(path, use, at);
  return isRefusal(place) ? `refused: ${place.code}` : place.shown;
}

async function placeOf(path: string, use: Parameters<typeof find>[1] = {}, at = root): Promise<Place> {
  const place = await find(path, use, at);
  if (isRefusal(place)) throw new Error(place.code);
  return place;
}

describe("locate takes what is inside", () => {
  test.each([
    ["", "."],
    [".", "."],
    ["./a//b/", "a/b"],
    ["a/f.txt", "a/f.txt"],
    ["a/../a/f.txt", "a/f.txt"],
    ["missing/../a/f.txt", "a/f.txt"],
    ["new/deep/file", "new/deep/file"],
    ["../box/a/f.txt", "a/f.txt"],
    ["../nowhere-at-all/../box/a", "a"],
    ["..a", "..a"],
    ["a/...", "a/..."],
  ])("%j is %s", async (path, shown) => {
    expect(await shownOf(path)).toBe(shown);
    expect(under(box, path)).toBe(join(box, shown));
  });

  test("a root reached through a link takes both of its spellings, relative, absolute and with a final slash", async () => {
    const alias = join(base, "alias");
    symlinkSync("box", alias);
    for (const spelling of [alias, `${alias}/`, `${base}//alias`, join(base, "box", "..", "alias")]) {
      const viaLink = openRoot({ root: spelling });
      expect(viaLink.path).toBe(box);
      expect(await shownOf("a/f.txt", {}, viaLink)).toBe("a/f.txt");
      expect(await shownOf(join(alias, "a/f.txt"), {}, viaLink)).toBe("a/f.txt");
      expect(await shownOf(join(box, "a/f.txt"), {}, viaLink)).toBe("a/f.txt");
      expect(await shownOf(alias, {}, viaLink)).toBe(".");
      expect(under(spelling, join(alias, "a/f.txt"))).toBe(join(box, "a/f.txt"));
      expect(under(spelling, join(box, "new"))).toBe(join(box, "new"));
    }
  });

  test("a link that stays inside leads to its target, also where the rest does not exist yet", async () => {
    mkdirSync(join(box, "store"));
    symlinkSync("store", join(box, "memory"));
    symlinkSync(join(box, "store"), join(box, "absolute"));
    symlinkSync("../box/store", join(box, "around"));
    for (const link of ["memory", "absolute", "around"]) {
      expect(await shownOf(`${link}/a/b.md`)).toBe("store/a/b.md");
      expect(under(box, `${link}/a/b.md`)).toBe(join(box, "store/a/b.md"));
    }
  });

  test("`..` after a link goes up from where the link leads", async () => {
    symlinkSync("a/b", join(box, "deep"));
    expect(await shownOf("deep/../f.txt")).toBe("a/f.txt");
  });

  test("a dangling link to inside is its missing target, or itself where that is asked for", async () => {
    symlinkSync("a/none", join(box, "dangling"));
    expect(await shownOf("dangling")).toBe("a/none");
    expect(await shownOf("dangling", { link: "itself" })).toBe("dangling");
    expect(await shownOf("dangling/", { link: "itself" })).toBe("dangling");
  });

  test("a link that is meant itself is not followed, wherever it leads", async () => {
    symlinkSync("../box-other", join(box, "out"));
    expect(await shownOf("out", { link: "itself" })).toBe("out");
  });
});

describe("locate refuses what leads out", () => {
  test.each([
    ["../box-other/loot", "dot-dot"],
    ["a/../../box-other/loot", "dot-dot"],
    ["/etc/passwd", "absolute"],
    ["..", "dot-dot"],
    ["a/b/../../..", "dot-dot"],
  ])("%s", async (path, why) => {
    expect(await find(path)).toMatchObject({ code: "path-outside-root", facts: { path, why } });
    expect(() => under(box, path)).toThrow(OutsideRootError);
  });

  test("a sibling whose name begins with the root's name, absolute", async () => {
    const path = join(base, "box-other", "loot");
    expect(await find(path)).toMatchObject({ code: "path-outside-root", facts: { why: "absolute" } });
    expect(() => under(box, path)).toThrow(/outside the root/);
  });

  test("links to outside: at the end, in the middle, dangling, through another link, to the parent", async () => {
    symlinkSync("../box-other/loot", join(box, "end"));
    symlinkSync("../box-other", join(box, "esc"));
    symlinkSync("../nowhere/x", join(box, "dangling"));
    symlinkSync("esc", join(box, "second"));
    symlinkSync("..", join(box, "up"));
    symlinkSync("/etc/passwd", join(box, "passwd"));
    const paths = [
      "end",
      "esc/new/dir/f.txt",
      "dangling",
      "second/loot",
      "up/box-other/loot",
      "passwd",
      "passwd/x",
    ];
    for (const path of paths) {
      expect(await find(path)).toMatchObject({ code: "path-outside-root", facts: { why: "link" } });
      expect(() => under(box, path)).toThrow(OutsideRootError);
    }
  });

  test("a link to the root itself does not let `..` out", async () => {
    symlinkSync(".", join(box, "self"));
    expect(await shownOf("self/a")).toBe("a");
    expect(await find("self/../box-other/loot")).toMatchObject({ code: "path-outside-root" });
    expect(() => under(box, "self/../box-other/loot")).toThrow(OutsideRootError);
  });

  test("what lies outside is refused alike whether it exists or not, and what kind it is", async () => {
    const answers = [];
    symlinkSync("../box-other/loot", join(box, "l1"));
    symlinkSync("../box-other/none", join(box, "l2"));
    symlinkSync("../box-other/loot/x", join(box, "l3"));
    for (const path of ["l1", "l2", "l3"]) {
      const refusal = await find(path);
      answers.push(isRefusal(refusal) ? { ...refusal.facts, path: "" } : refusal);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

describe("locate refuses what is no path", () => {
  test("NUL, lone surrogates, circles of links, names and paths that are too long", async () => {
    symlinkSync("loop-b", join(box, "loop-a"));
    symlinkSync("loop-a", join(box, "loop-b"));
    symlinkSync("own", join(box, "own"));
    const bad = ["a\0b", "a\ud800", "loop-a", "loop-a/x", "own", "n".repeat(256), `none/${"n".repeat(256)}`];
    for (const path of [...bad, "d/".repeat(2100)]) {
      expect(await shownOf(path)).toBe("refused: path-invalid");
      expect(() => under(box, path)).toThrow(OutsideRootError);
    }
    expect(await shownOf("é".repeat(127))).toBe("é".repeat(127));
  });

  test("what is below a file names the file", async () => {
    expect(await find("a/f.txt/x/y")).toMatchObject({
      code: "path-not-directory",
      facts: { ancestor: "a/f.txt" },
    });
    expect(await find("a/f.txt/../f.txt")).toMatchObject({ code: "path-not-directory" });
  });
});

describe("a name that only looks like the asked one", () => {
  test.each([
    ["Shot 1.01\u202fAM.png", "Shot 1.01 AM.png", "Shot 1.01<U+202F>AM.png"],
    ["a\u00a0b", "a b", "a<U+00A0>b"],
    ["cafe\u0301", "caf\u00e9", "cafe<U+0301>"],
  ])("%j is found where exactly one sibling fits, and that is said", async (actual, asked, spelling) => {
    writeFileSync(join(box, actual), "x");
    const place = await placeOf(asked, { mustExist: true });
    expect(place.real).toBe(join(box, actual));
    expect(place.spelling).toBe(spelling);
    expect((await placeOf(asked)).real).toBe(join(box, asked));
  });

  test("in any component, and beside an exact name the exact one is taken", async () => {
    mkdirSync(join(box, "d\u00a0r", "e\u00a0f"), { recursive: true });
    writeFileSync(join(box, "d\u00a0r", "e\u00a0f", "g"), "");
    expect(await shownOf("d r/e f/g", { mustExist: true })).toBe("d\u00a0r/e\u00a0f/g");
    mkdirSync(join(box, "d r"));
    const place = await placeOf("d r", { mustExist: true });
    expect(place.shown).toBe("d r");
    expect(place.spelling).toBeUndefined();
  });

  test("of two that fit none is taken", async () => {
    writeFileSync(join(box, "a\u00a0b"), "");
    writeFileSync(join(box, "a\u202fb"), "");
    expect(await shownOf("a b", { mustExist: true })).toBe("a b");
  });

  test("a twin that is a link to outside is refused like any", async () => {
    symlinkSync("../box-other/loot", join(box, "l\u00a0k"));
    expect(await shownOf("l k", { mustExist: true })).toBe("refused: path-outside-root");
  });
});

describe("a host's own resolver", () => {
  test("may lead outside, which is then shown absolute and marked", async () => {
    symlinkSync("loot", join(base, "box-other", "link"));
    const hooked = openRoot({ root: box, resolve: (path) => join(base, "box-other", path) });
    const place = await placeOf("link", {}, hooked);
    expect(place).toMatchObject({ real: join(base, "box-other", "loot"), contained: false });
    expect(place.shown).toBe(join(base, "box-other", "loot"));
    expect(await shownOf("new", {}, hooked)).toBe(join(base, "box-other", "new"));
  });

  test("may fall back on `under`, whose refusal stays what it is", async () => {
    const hooked = openRoot({ root: box, resolve: async (path, context) => under(context.root, path) });
    expect(await placeOf("a/f.txt", {}, hooked)).toMatchObject({ shown: "a/f.txt", contained: true });
    expect(await find("../x", {}, hooked)).toMatchObject({
      code: "path-outside-root",
      facts: { why: "dot-dot" },
    });
  });

  test("what it throws is the reason; what is no absolute path is refused", async () => {
    const throwing = openRoot({ root: box, resolve: () => Promise.reject(new Error("ask the librarian")) });
    expect(await find("a", {}, throwing)).toMatchObject({
      code: "path-invalid",
      facts: { reason: "ask the librarian" },
    });
    const relative = openRoot({ root: box, resolve: () => "a/b" });
    expect(await shownOf("a", {}, relative)).toBe("refused: path-invalid");
  });
});

describe("a path for another reader", () => {
  test("is what it comes to, in `under` as in locate: a home, an address", async () => {
    for (const path of ["~/x", "~", "$HOME/x", "file:///etc/passwd"]) {
      expect(() => under(box, path)).toThrow(OutsideRootError);
      expect(await find(path)).toMatchObject({ code: "path-outside-root" });
    }
    const address = pathToFileURL(join(box, "a", "f.txt")).href;
    expect(under(box, address)).toBe(join(box, "a", "f.txt"));
    expect(await shownOf(address)).toBe("a/f.txt");
    expect(() => under(box, "file:///a%2Fb")).toThrow("no path of this machine");
  });

  test("is the name itself where the root holds it", async () => {
    mkdirSync(join(box, "~"));
    expect(under(box, "~/x")).toBe(join(box, "~", "x"));
    expect(await shownOf("~/x")).toBe("~/x");
  });
});
