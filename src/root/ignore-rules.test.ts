import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { openRoot } from "./open-root.ts";
import { locate } from "./resolve.ts";
import { pump } from "./search-pump.ts";
import { walkTree } from "./walk.ts";
import { EVERYTHING, startCounts } from "./walk-counts.ts";

let around: string;
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-ignore-")));
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(around, dirname(path)), { recursive: true });
    writeFileSync(join(around, path), text, "latin1");
  }
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: around, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
}

/** The files that a walk of `path` shows, relative to it. */
async function walkFiles(
  options: { root?: string; path?: string; extraIgnore?: string[] } = {},
): Promise<string[]> {
  const root = openRoot({ root: join(around, options.root ?? "."), extraIgnore: options.extraIgnore });
  const place = await locate(root, { path: options.path ?? ".", link: "follow", mustExist: true });
  if (isRefusal(place)) throw new Error(place.code);
  const found: string[] = [];
  const work = walkTree({ root, place, withholds: () => undefined, steering: EVERYTHING }, startCounts());
  await pump(work, {
    signal: new AbortController().signal,
    take: ({ path, kind, notWalked }) => {
      if (kind === "file" && notWalked !== true) found.push(path);
    },
  });
  return found.filter((path) => !path.endsWith(".gitignore"));
}

describe("ignore rules", () => {
  it("hold in every folder below the file that they stand in (P12)", async () => {
    git("init", "-q");
    write({ "pkg/.gitignore": "tmp/\n", "pkg/tmp/a": "", "pkg/sub/tmp/b": "", "pkg/c": "" });
    expect(await walkFiles()).toEqual(["pkg/c"]);
  });

  it.each([
    ["/lib/\n!/lib/k.js\n", "lib/k.js", []],
    ["out/**\n!out/x/y\n", "out/x/y", []],
    ["*\n!src\n", "src/h.txt", []],
    ["*\n!*/\n!*.ts\n", "src/a.ts", ["src/a.ts"]],
  ])("re-include nothing below an excluded directory: %j (P14)", async (rules, file, shown) => {
    git("init", "-q");
    write({ ".gitignore": rules, [file]: "" });
    expect(await walkFiles()).toEqual(shown);
  });

  it("are read outside a repository too, from the root down", async () => {
    write({
      ".gitignore": "above\n",
      "root/.gitignore": "*.log\n",
      "root/a.log": "",
      "root/above": "",
      "root/b": "",
    });
    expect(await walkFiles({ root: "root" })).toEqual(["above", "b"]);
  });

  it("come from above the root where the root is inside a repository", async () => {
    git("init", "-q");
    write({
      ".gitignore": "*.log\n/root/only\n",
      "root/a.log": "",
      "root/only": "",
      "root/sub/only": "",
      "root/b": "",
    });
    expect(await walkFiles({ root: "root" })).toEqual(["b", "sub/only"]);
  });

  it("do not hide a root that lies in an ignored folder", async () => {
    git("init", "-q");
    write({ ".gitignore": "work/\n*.log\n", "work/root/a": "", "work/root/b.log": "" });
    expect(await walkFiles({ root: "work/root" })).toEqual(["a", "b.log"]);
  });

  it("stop at a repository inside the repository", async () => {
    git("init", "-q");
    write({ ".gitignore": "*.log\n", "inner/a.log": "", "b.log": "" });
    execFileSync("git", ["init", "-q", "inner"], { cwd: around });
    expect(await walkFiles()).toEqual(["inner/a.log"]);
  });

  it("take .git/info/exclude, and let a .gitignore overrule it", async () => {
    git("init", "-q");
    write({
      ".git/info/exclude": "*.tmp\n",
      "a.tmp": "",
      "keep/.gitignore": "!*.tmp\n",
      "keep/b.tmp": "",
      c: "",
    });
    expect(await walkFiles()).toEqual(["c", "keep/b.tmp"]);
  });

  it("find the excludes of a linked working tree", async () => {
    write({ "main/x": "" });
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
    const inMain = { cwd: join(around, "main"), env };
    execFileSync("git", ["init", "-q"], inMain);
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
      inMain,
    );
    execFileSync("git", ["worktree", "add", "-q", "../linked"], { ...inMain, stdio: "ignore" });
    write({ "main/.git/info/exclude": "*.tmp\n", "linked/a.tmp": "", "linked/b": "" });
    expect(await walkFiles({ root: "linked" })).toEqual(["b"]);
  });

  it("never come from .ignore, .rgignore or the person's global excludes", async () => {
    write({ ".ignore": "a\n", ".rgignore": "a\n", a: "", b: "" });
    expect(await walkFiles()).toEqual([".ignore", ".rgignore", "a", "b"]);
  });

  it("are joined by the host's, which nothing in the tree brings back", async () => {
    write({ ".gitignore": "!secret\n", secret: "", "sub/secret": "", "sub/a": "", "deep/x/y": "" });
    expect(await walkFiles({ extraIgnore: ["secret", "/deep/x"] })).toEqual(["sub/a"]);
    expect(await walkFiles({ path: "sub", extraIgnore: ["/sub/a"] })).toEqual(["secret"]);
  });

  it.each([
    ["dist/\n", "dist"],
    ["dist/*\n", "dist"],
    ["dist/**\n", "dist"],
    ["/d*\n", "dist/inner"],
  ])("do not hide what is named: %j", async (rules, path) => {
    write({ ".gitignore": rules, "dist/inner/a": "" });
    expect(await walkFiles({ path })).toEqual([path === "dist" ? "inner/a" : "a"]);
  });

  it("do not hide a tool's own folder that ignores itself, once it is named", async () => {
    write({ "cache/.gitignore": "*\n", "cache/v/a": "" });
    expect(await walkFiles()).toEqual([]);
    expect(await walkFiles({ path: "cache" })).toEqual(["v/a"]);
  });

  it("are never read through a link or from what is no file", async () => {
    execFileSync(
      "bash",
      ["-c", "mkdir l f; printf a > rules; ln -s ../rules l/.gitignore; mkfifo f/.gitignore; touch l/a f/a"],
      { cwd: around },
    );
    expect(await walkFiles()).toEqual(["f/a", "l/a", "rules"]);
  });
});

/** A small generator with a seed, so that a failing case can be run again. */
function makeRandom(seed: number) {
  let state = seed >>> 0;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { next, pick: <T>(items: readonly T[]): T => items[next(items.length)] as T };
}

const NAMES = [
  "a",
  "b",
  "ab",
  "a.b",
  "foo",
  "foo.c",
  "x y",
  "-q",
  "#h",
  "!n",
  "[a]",
  "a\\b",
  "caf\xc3\xa9",
  "n\xe9",
  "A",
  "*",
];
const PIECES = [
  "a",
  "b",
  "foo",
  "*",
  "**",
  "?",
  "/",
  "/",
  "[ab]",
  "[!a]",
  "[^b]",
  "[a-z]",
  "[[:alpha:]]",
  "[]a]",
  "[a",
  "\\*",
  "\\",
  "!",
  "#",
  " ",
  ".c",
  "\\ ",
  "**/",
  "/**",
  "/**/",
  "*.",
  "\xc3\xa9",
  "[\xc3-\xff]",
  "[[:nope:]]",
  "[a-",
  "-",
  "***",
  "\\a",
  "x y",
  "A",
];

function makeRules(random: ReturnType<typeof makeRandom>): string {
  const lines = Array.from({ length: 1 + random.next(5) }, () => {
    const pieces = Array.from({ length: 1 + random.next(5) }, () => random.pick(PIECES)).join("");
    return `${random.next(4) === 0 ? "!" : ""}${pieces}${random.pick(["", "", "/", " ", "\r"])}`;
  });
  return lines.join("\n") + random.pick(["", "\n"]);
}

describe("ignore rules beside git", () => {
  const cases = Number(process.env.HAFT_IGNORE_CASES ?? 60);

  it(`agree with git check-ignore on ${cases} generated trees`, async () => {
    let telling = 0;
    for (let seed = 1; seed <= cases; seed++) {
      const random = makeRandom(seed * 7919);
      rmSync(around, { recursive: true, force: true });
      mkdirSync(around);
      git("init", "-q");
      const folders = ["", ...Array.from({ length: 4 }, () => `${random.pick(NAMES)}/`)];
      folders.push(`${random.pick(folders)}${random.pick(NAMES)}/`);
      for (let i = 0; i < 12; i++) {
        const path = Buffer.from(`${join(around, random.pick(folders))}/`, "latin1");
        try {
          mkdirSync(path, { recursive: true });
          writeFileSync(Buffer.concat([path, Buffer.from(random.pick(NAMES), "latin1")]), "");
        } catch {
          // The name is a folder already.
        }
      }
      for (const folder of new Set(["", random.pick(folders)])) {
        try {
          writeFileSync(
            Buffer.concat([Buffer.from(join(around, folder, ".gitignore"), "latin1")]),
            makeRules(random),
            "latin1",
          );
        } catch {
          // There is no such folder.
        }
      }
      const { shown, hidden } = askGit();
      expect({ seed, shown: await walkFiles() }).toEqual({ seed, shown });
      if (shown.length > 0 && hidden > 0) telling++;
    }
    // Trees of which git hides all or nothing would test little.
    expect(telling).toBeGreaterThan(cases / 4);
  }, 600_000);

  /** The files that git does not ignore, as binary strings in the order of bytes. */
  function askGit(): { shown: string[]; hidden: number } {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
    const all = execFileSync(
      "find",
      [".", "-name", ".git", "-prune", "-o", "-type", "f", "-printf", "%P\\0"],
      { cwd: around },
    );
    const paths = all
      .toString("latin1")
      .split("\0")
      .filter((path) => path !== "");
    let ignored = Buffer.alloc(0);
    try {
      ignored = execFileSync("git", ["check-ignore", "--no-index", "--stdin", "-z"], {
        cwd: around,
        input: all,
        env,
        stdio: ["pipe", "pipe", "ignore"],
      });
    } catch {
      // Status 1 says that nothing is ignored.
    }
    const hidden = new Set(ignored.toString("latin1").split("\0"));
    const shown = paths.filter((path) => !hidden.has(path) && !path.endsWith(".gitignore"));
    return { shown: shown.sort((a, b) => (a < b ? -1 : 1)), hidden: hidden.size };
  }
});
