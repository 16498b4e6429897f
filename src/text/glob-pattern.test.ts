import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { compileGlob, type GlobPattern, steerFilter, steerGlob } from "./glob-pattern.ts";
import { binaryOfText } from "./path-text.ts";

function compile(pattern: string): GlobPattern {
  const glob = compileGlob(pattern);
  if (isRefusal(glob)) throw new Error(glob.facts.construct);
  return glob;
}

/** Whether a walk would give this path: folder by folder, as a walk does. */
function matches(pattern: string, path: string, steering = steerGlob(compile(pattern))): boolean {
  const directory = path.endsWith("/");
  const names = binaryOfText(directory ? path.slice(0, -1) : path).split("/");
  const last = names.pop() as string;
  let state: typeof steering.start | undefined = steering.start;
  for (const name of names) {
    state = steering.enter(state, name);
    if (state === undefined) return false;
  }
  return directory ? steering.takesFolder(state, last) : steering.takesFile(state, last);
}

describe("a glob", () => {
  it.each([
    ["*", ["a", ".a"], ["a/b", "a/"]],
    ["*.ts", ["a.ts", ".ts", ".h.ts"], ["a/b.ts", "ats"]],
    ["**/*.ts", ["a.ts", "a/b.ts", ".d/n.ts", "a/b/.c.ts"], ["a.tsx"]],
    ["**", ["a", "a/b", ".a/b"], ["a/"]],
    ["src/**", ["src/a", "src/a/b"], ["src", "srca", "src/"]],
    ["**/x/**", ["x/a", "a/x/b/c"], ["x", "a/x"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/bb"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["?", ["a", "é", "😀"], ["ab", ""]],
    ["[a-c]x", ["ax", "cx"], ["dx", "a"]],
    ["[!a]", ["b", "!"], ["a"]],
    ["[^a]", ["b"], ["a"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["[[:digit:]]*", ["1", "12a"], ["a1"]],
    ["[a", ["[a"], ["a"]],
    ["a[/]b", ["a[/]b"], ["a/b"]],
    ["{a,b}.c", ["a.c", "b.c", "{a,b}.c"], ["c.c"]],
    ["{a,b{c,d}}e", ["ae", "bce", "bde"], ["be"]],
    ["{a}", ["{a}"], ["a"]],
    ["{,a}b", ["b", "ab"], ["bb"]],
    ["{*.ts,y}", [".ts", "a.ts", "y"], ["a.js"]],
    ["{file.txt,d/**/*}", ["file.txt", "d/t.txt", "d/e/f"], ["d"]],
    ["{a,b/**}/c", ["a/c", "b/c", "b/x/c"], ["c"]],
    ["+(*(p)|*(q))", ["p", "q", "pq", "qqp"], ["r", "pr"]],
    ["?(a|b)c", ["c", "ac", "bc"], ["abc"]],
    ["@(a|b)", ["a", "b", "@(a|b)"], ["ab"]],
    ["*(ab)", ["ab", "abab"], ["aba"]],
    ["+(a|b).ts", ["a.ts", "abba.ts"], [".ts"]],
    ["+(a", ["+(a"], ["a"]],
    ["app/[id]/page.tsx", ["app/[id]/page.tsx", "app/i/page.tsx"], ["app/x/page.tsx"]],
    ["app/(grp)/**", ["app/(grp)/page.tsx"], ["app/grp/page.tsx"]],
    ["app/[[...slug]]/**", ["app/[[...slug]]/page.tsx"], ["app/x/y"]],
    ["{{cookiecutter.name}}/*", ["{{cookiecutter.name}}/a"], ["cookiecutter.name/a"]],
    ["\\*", ["*"], ["a"]],
    ["a\\[b", ["a[b"], ["ab"]],
    ["*/", ["a/", ".a/"], ["a", "a/b/"]],
    ["**/", ["a/", "a/b/"], ["a"]],
    ["./a//b", ["a/b"], ["b"]],
    [".github/**", [".github/workflows/ci.yml"], ["github/a"]],
    ["(**/*.md)", ["(a/b.md)"], ["a.md"]],
    ["!a", ["!a"], ["a", "b"]],
  ])("%j takes what it should and nothing else", (pattern, taken, refused) => {
    for (const path of taken) expect([path, matches(pattern, path)]).toEqual([path, true]);
    for (const path of refused) expect([path, matches(pattern, path)]).toEqual([path, false]);
  });

  it("takes a name that is no UTF-8 by its wildcards", () => {
    const { start, takesFile } = steerGlob(compile("n?.txt"));
    expect(takesFile(start, "n\xe9.txt")).toBe(true);
    expect(takesFile(start, "n\xe9\xe8.txt")).toBe(false);
  });

  it("refuses !(…) by name", () => {
    const glob = compileGlob("src/!(*.test).ts");
    expect(isRefusal(glob) && glob.facts).toMatchObject({ construct: "!(*.test)", rewrite: "src/*.ts" });
  });

  it("refuses braces that branch without end", () => {
    const glob = compileGlob("{a/,b}".repeat(12));
    expect(isRefusal(glob) && glob.facts.construct).toContain("more than 1000");
  });

  it("takes braces without a folder in them however many there are", () => {
    expect(matches("{a,b}".repeat(40), "ab".repeat(20))).toBe(true);
  });

  it("is linear on patterns that blow up elsewhere (G11)", () => {
    const name = "a".repeat(200);
    expect(matches("*a*a*a*a*a*a*a*a*a*b", name)).toBe(false);
    expect(matches("**************Q**", name)).toBe(false);
    expect(matches("+(+(+(a)))b", name)).toBe(false);
    expect(matches("+(xy|xyxy)", `${"xy".repeat(200)}x`)).toBe(false);
    expect(matches(`${"**/".repeat(40)}b`, `${"a/".repeat(100)}a`)).toBe(false);
  }, 2_000);

  it("knows the folders and files that it names outright", () => {
    expect([...compile("node_modules/e/*.json").named]).toContain("node_modules/e");
    expect([...compile("{src,dist}/**").named]).toEqual(expect.arrayContaining(["src", "dist"]));
    expect([...compile("app/[id]/*").named]).toContain("app/[id]");
    expect([...compile("**/dist/a").named]).toEqual([]);
  });

  it("as a filter without a slash speaks of names in every folder", () => {
    const filter = (pattern: string) => steerFilter(compile(pattern));
    expect(matches("*.ts", "a/b/c.ts", filter("*.ts"))).toBe(true);
    expect(matches("a/*.ts", "a/c.ts", filter("a/*.ts"))).toBe(true);
    expect(matches("a/*.ts", "x/a/c.ts", filter("a/*.ts"))).toBe(false);
    expect(matches("**", "a/b", filter("**"))).toBe(true);
  });
});

describe("globs beside bash", () => {
  const FILES = [
    "a",
    "b",
    "ab",
    ".h",
    "a.ts",
    "b.js",
    "d/a",
    "d/ab.ts",
    "d/.h/x",
    "d/e/a.ts",
    "d/e/f/b",
    "e/a",
    "e/[a]",
    "x-y",
    "1",
  ];
  const PIECES = [
    "a",
    "b",
    "*",
    "?",
    "**/",
    "/",
    "d",
    "e",
    ".",
    "ts",
    "[ab]",
    "[!a]",
    "[a-e]",
    "{a,b}",
    "{d,e}",
    "+(a|b)",
    "?(a)",
    "@(d|e)",
    "*(b)",
    "x",
    "-",
    "**",
  ];

  it("agree on generated patterns", () => {
    const root = mkdtempSync(join(tmpdir(), "haft-glob-"));
    try {
      for (const file of FILES) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), "");
      }
      const patterns = makePatterns(PIECES, 400);
      const answers = askBash(root, patterns);
      for (const [index, pattern] of patterns.entries()) {
        const found = FILES.filter((file) => matches(pattern, file)).sort();
        expect({ pattern, found }).toEqual({ pattern, found: answers[index] });
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

function makePatterns(pieces: readonly string[], count: number): string[] {
  let state = 42;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const patterns: string[] = [];
  while (patterns.length < count) {
    const pattern = Array.from({ length: 1 + next(4) }, () => pieces[next(pieces.length)]).join("");
    // Bash gives folders for a final slash and for a final `**`; a leading one is absolute.
    if (pattern.startsWith("/") || pattern.endsWith("/") || pattern.includes("//")) continue;
    // It takes `**` beside other characters of a name for two stars, as we do, but `***` differs by version.
    if (pattern.includes("***")) continue;
    patterns.push(pattern);
  }
  return patterns;
}

/** The regular files that bash expands each pattern to. */
function askBash(root: string, patterns: readonly string[]): string[][] {
  const script = patterns
    .map((pattern) => `for f in ${pattern}; do [ -f "$f" ] && printf '%s\\n' "$f"; done; echo =`)
    .join("\n");
  const output = execFileSync(
    "bash",
    ["-O", "extglob", "-O", "globstar", "-O", "dotglob", "-O", "nullglob"],
    {
      cwd: root,
      input: `LC_ALL=C.UTF-8\n${script}\n`,
      encoding: "utf8",
    },
  );
  const answers = output.split("=\n").slice(0, -1);
  return answers.map((text) =>
    [
      ...new Set(
        text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.replace(/^\.\//, "")),
      ),
    ].sort(),
  );
}
