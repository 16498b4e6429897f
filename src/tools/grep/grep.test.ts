import { existsSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type Fixture, type FixtureOptions, makeFixture } from "../../../test/search-fixture.ts";
import { isRefusal } from "../../contract/refusal.ts";
import { grepTool } from "./grep.ts";

let fixture: Fixture | undefined;
afterEach(() => {
  fixture?.remove();
  fixture = undefined;
});

function make(script: string): Fixture {
  fixture = makeFixture(script);
  return fixture;
}

function ask(args: Record<string, unknown>, options?: FixtureOptions): Promise<string> {
  return (fixture as Fixture).text(grepTool, args, options);
}

/** The answer without its first line. */
async function grep(
  pattern: string,
  args: Record<string, unknown> = {},
  options?: FixtureOptions,
): Promise<string[]> {
  return (await ask({ pattern, ...args }, options)).split("\n").slice(1);
}

async function head(
  pattern: string,
  args: Record<string, unknown> = {},
  options?: FixtureOptions,
): Promise<string> {
  return (await ask({ pattern, ...args }, options)).split("\n")[0] as string;
}

async function refusal(args: Record<string, unknown>) {
  const result = await (fixture as Fixture).call(grepTool, args);
  return isRefusal(result) ? result : undefined;
}

describe("grep: patterns", () => {
  it("takes a pattern that looks like an option of a program for what it is (P01)", async () => {
    const { root } = make(
      `printf '#!/bin/sh\\ntouch PWNED; cat "$1"\\n' > p.sh; chmod +x p.sh; printf -- '--pre=%s/p.sh\\n' "$PWD" > f`,
    );
    const option = `--pre=${root}/p.sh`;
    expect(await grep(option)).toEqual(["f", `1:${option}`]);
    expect(await grep("x", { glob: option })).toEqual([]);
    expect(await refusal({ pattern: "x", path: option })).toMatchObject({ kind: "refusal" });
    expect(existsSync(`${root}/PWNED`)).toBe(false);
  });

  it("takes a pattern that begins with a dash for a pattern (P02)", async () => {
    make("printf 'run --dry, see --help\\nx -> y\\nt -7\\n-zed\\n' > f");
    expect(await grep("--dry")).toEqual(["f", "1:run --dry, see --help"]);
    expect(await grep("--help")).toEqual(["f", "1:run --dry, see --help"]);
    expect(await grep("->")).toEqual(["f", "2:x -> y"]);
    expect(await grep("-7")).toEqual(["f", "3:t -7"]);
    expect(await grep("-zed")).toEqual(["f", "4:-zed"]);
    expect(await grep("--")).toEqual(["f", "1:run --dry, see --help"]);
    expect(await head("--version")).toBe("no matches; searched 1 file");
  });

  it("ends lines before CRLF, and shows no carriage return (P03)", async () => {
    make("printf 'end\\r\\nend\\n' > f");
    for (const pattern of ["end$", "^end$", "d\\b$"])
      expect(await grep(pattern)).toEqual(["f", "1:end", "2:end"]);
  });

  it("searches literally what is no regular expression, and says so (P05)", async () => {
    make("printf 'f(x\\n[\\n*x\\n' > f");
    expect(await grep("f(")).toEqual(["f", "1:f(x"]);
    expect(await grep("[")).toEqual(["f", "2:["]);
    expect(await grep("*x")).toEqual(["f", "3:*x"]);
    expect(await head("f(")).toContain("searched literally");
    expect(await head("(no")).toMatch(/^no matches; searched literally/);
  });

  it("refuses what needs backtracking, with a way out (P10)", async () => {
    make("printf 'foobar\\nfoobaz\\n' > f");
    for (const pattern of ["foo(?!bar)", "(?<=foo)baz", "(a)\\1"]) {
      expect((await refusal({ pattern }))?.code).toBe("pattern-unsupported");
    }
    expect(await grep("a++", { literal: true })).toEqual([]);
  });

  it("takes braces that are no count as text", async () => {
    make("printf 'interface{}\\n' > f");
    expect(await grep("interface{}")).toEqual(["f", "1:interface{}"]);
  });

  it("is case-sensitive unless told otherwise", async () => {
    make("printf 'Foo\\nfoo\\nÉ\\n' > f");
    expect(await grep("foo")).toEqual(["f", "2:foo"]);
    expect(await grep("foo", { ignore_case: true })).toEqual(["f", "1:Foo", "2:foo"]);
    expect(await grep("é", { ignore_case: true })).toEqual(["f", "3:É"]);
  });

  it("crosses lines with multiline, shows all lines of a match, and counts it once", async () => {
    make("printf 'a {\\n  b\\n}\\nc\\na {}\\n' > f");
    expect(await grep("a \\{[^}]*\\}", { multiline: true })).toEqual([
      "f",
      "1:a {",
      "2:  b",
      "3:}",
      "5:a {}",
    ]);
    expect(await head("a \\{[^}]*\\}", { multiline: true })).toMatch(/^2 matches in 1 file/);
    expect(await grep("b\\n\\}")).toEqual(["f", "2:  b", "3:}"]);
  });
});

describe("grep: what is searched", () => {
  it("says that there is no match, and what was searched (P06)", async () => {
    make("mkdir empty; echo x > f");
    expect(await ask({ pattern: "zzz_not_there" })).toBe("no matches; searched 1 file");
    expect(await ask({ pattern: "x", path: "empty" })).toBe("no matches; searched 0 files");
    expect(await ask({ pattern: "x", glob: "*.zz" })).toBe(
      'no matches; searched 0 files; no file matches glob "*.zz"',
    );
  });

  it("never brings ignored files back by an include filter (P11)", async () => {
    make(
      "git init -q; printf 'gen/\\n' > .gitignore; mkdir gen; printf 'k\\n' > gen/a.ts; printf 'k\\n' > b.ts",
    );
    for (const glob of ["**", "*.ts", "**/*.ts"]) expect(await grep("k", { glob })).toEqual(["b.ts", "1:k"]);
  });

  it("leaves out nested ignored folders (P12)", async () => {
    make(
      "git init -q; mkdir -p pkg/tmp pkg/sub/tmp; printf 'tmp/\\n' > pkg/.gitignore; for d in pkg pkg/tmp pkg/sub/tmp; do echo k > $d/f; done",
    );
    expect(await grep("k")).toEqual(["pkg/f", "1:k"]);
  });

  it("says where only an ignored file matches, with the call that shows it", async () => {
    make("printf 'dist/\\n' > .gitignore; mkdir dist; echo needle > dist/x.js; echo hay > a");
    const first = await head("needle");
    expect(first).toContain('an ignored file matches: grep {"pattern":"needle","path":"dist/x.js"}');
    expect(await grep("needle", { path: "dist/x.js" })).toEqual(["dist/x.js", "1:needle"]);
    expect(await head("nowhere")).toBe("no matches; searched 2 files; 1 ignored");
  });

  it("searches a file that is named, whatever hides it", async () => {
    make(
      "git init -q; echo '*' > .gitignore; mkdir -p node_modules/e; echo k > node_modules/e/f; echo k > g",
    );
    expect(await grep("k", { path: "g" })).toEqual(["g", "1:k"]);
    expect(await grep("k", { path: "node_modules/e/f" })).toEqual(["node_modules/e/f", "1:k"]);
    expect(await grep("k", { path: "node_modules" })).toEqual(["node_modules/e/f", "1:k"]);
  });

  it("finds its folder by a name that holds pattern characters (G01)", async () => {
    make("mkdir -p 'app/(grp)'; echo k > 'app/(grp)/page.tsx'");
    expect(await grep("k", { path: "app/(grp)" })).toEqual(["app/(grp)/page.tsx", "1:k"]);
  });

  it("opens no FIFO and no link that it meets (R13, G06)", async () => {
    make("mkdir d; mkfifo d/p; printf 'needle\\n' > d/t; ln -s . d/link; ln -s .. d/up; ln -s t d/l");
    expect(await grep("needle")).toEqual(["d/t", "1:needle"]);
    expect((await refusal({ pattern: "x", path: "d/p" }))?.code).toBe("path-not-regular");
  }, 5_000);

  it("reports a file whose name is not UTF-8 under an escaped name (R19)", async () => {
    make("f=\"$(printf 'n\\xe9.txt')\"; printf 'hit\\n' > \"$f\"; printf 'hit\\n' > ok.txt");
    expect(await grep("hit")).toEqual(["n\\xE9.txt", "1:hit", "ok.txt", "1:hit"]);
  });

  it.skipIf(process.getuid?.() !== 0)("names what it may not read, and reports the rest (P04)", async () => {
    make(
      "mkdir ok no; printf 'pear\\n' > ok/n; printf 'pear\\n' > locked; chmod 000 no locked; chmod -R a+rX .. ok",
    );
    fixture?.shell("chmod 000 no locked");
    process.seteuid?.(65_534);
    try {
      expect(await ask({ pattern: "pear" })).toBe(
        "1 match in 1 file; searched 1 file; not readable: locked (EACCES), no (EACCES)\nok/n\n1:pear",
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  it("leaves out what a rule withholds, and counts it", async () => {
    make("mkdir secrets; echo k > secrets/a; echo k > b");
    const withholds = (path: string) => (path.includes("/secrets") ? "reads(secrets/**)" : undefined);
    expect(await ask({ pattern: "k" }, { withholds })).toBe(
      "1 match in 1 file; searched 1 file; 1 withheld by rule reads(secrets/**)\nb\n1:k",
    );
  });

  it("filters by globs, also relative to the root, also by what they leave out", async () => {
    make("mkdir -p src/x; for f in a.ts a.js src/b.ts src/b.test.ts src/x/c.ts; do echo k > $f; done");
    const files = (glob: string, path?: string) =>
      grep("k", { glob, mode: "files", ...(path === undefined ? {} : { path }) });
    expect(await files("*.ts")).toEqual(["a.ts", "src/b.test.ts", "src/b.ts", "src/x/c.ts"]);
    expect(await files("src/*.ts")).toEqual(["src/b.test.ts", "src/b.ts"]);
    expect(await files("src/*.ts", "src")).toEqual(["src/b.test.ts", "src/b.ts"]);
    expect(await files("x/*.ts", "src")).toEqual(["src/x/c.ts"]);
    expect(await files("!*.test.ts", "src")).toEqual(["src/b.ts", "src/x/c.ts"]);
  });

  it("decodes UTF-16 with a mark, skips binary files, shows other bytes by their encoding (R17)", async () => {
    make(
      "printf '\\xff\\xfef\\x00\\xe9\\x00\\r\\x00\\n\\x00x\\x00' > le; printf '\\xfe\\xff\\x00f\\x00\\xe9' > be; printf 'f\\xe9\\n' > lat; printf 'f\\0f\\n' > bin; printf '\\xef\\xbb\\xbffoo\\n' > bom",
    );
    expect(await grep("^f")).toEqual(["be", "1:fé", "bom", "1:foo", "lat", "1:fé", "le", "1:fé"]);
    expect(await head("^f")).toContain("skipped 1 binary");
  });

  it("counts a file with a NUL for nothing, wherever the NUL is", async () => {
    make("{ yes needle | head -n 300000; printf '\\0'; } > big; echo needle > small");
    expect(await ask({ pattern: "needle" })).toBe(
      "1 match in 1 file; searched 1 file; skipped 1 binary\nsmall\n1:needle",
    );
    expect(await grep("needle", { mode: "files" })).toEqual(["small"]);
  });

  it("says of a binary file that was asked for itself that it was not searched", async () => {
    make("printf 'needle\\0' > bin; printf needle > text");
    expect(await head("needle", { path: "bin" })).toBe(
      'no matches; searched 0 files; skipped 1 binary; this file itself is binary and was not searched; see what it is: read {"path":"bin"}',
    );
    expect(await head("nothing")).not.toContain("this file itself");
  });

  it("numbers the lines of a file that is longer than what is held of it, from its first match on", async () => {
    make("seq 1 700000 > big; printf '\\xef\\xbb\\xbf' | cat - big > marked");
    for (const path of ["big", "marked"]) {
      const rows = await grep("^(1|300000|300003|699999)$", { path, context: 1 });
      expect(rows.slice(1)).toEqual([
        ...["1:1", "2-2", "--", "299999-299999", "300000:300000", "300001-300001"],
        ...["300002-300002", "300003:300003", "300004-300004", "--"],
        ...["699998-699998", "699999:699999", "700000-700000"],
      ]);
      expect((await grep("^69999[89]$", { path })).slice(1)).toEqual(["699998:699998", "699999:699999"]);
      expect(await grep("^69999[89]$", { path, mode: "count" })).toEqual([`${path}:2`]);
    }
  });

  it("searches a sparse file of 3 GiB within bounds (R18)", async () => {
    make("seq 1 100 > big.log; truncate -s 3G big.log");
    expect(await head("^7$", { path: "big.log" })).toContain("skipped 1 binary");
  }, 10_000);
});

describe("grep: what is shown", () => {
  it("shows context once, numbered, with gaps", async () => {
    make("seq 1 30 > f");
    expect(await grep("^(5|7|20)$", { context: 2 })).toEqual([
      "f",
      "3-3",
      "4-4",
      "5:5",
      "6-6",
      "7:7",
      "8-8",
      "9-9",
      "--",
      "18-18",
      "19-19",
      "20:20",
      "21-21",
      "22-22",
    ]);
    expect(await grep("^(1|30)$", { context: 1 })).toEqual(["f", "1:1", "2-2", "--", "29-29", "30:30"]);
  });

  it("numbers lines and keeps context across the pieces in which a long file is read", async () => {
    make("seq 1 400000 > f");
    const lines = await grep("^(\\d*)99999$", { context: 2 });
    expect(lines.slice(0, 6)).toEqual([
      "f",
      "99997-99997",
      "99998-99998",
      "99999:99999",
      "100000-100000",
      "100001-100001",
    ]);
    for (const line of lines.slice(1)) if (line !== "--") expect(line).toMatch(/^(\d+)[:-]\1$/);
    expect(lines.filter((line) => line.includes(":"))).toHaveLength(4);
  });

  it("shows a window around a match in a long line, with its column (P08)", async () => {
    make(`python3 -c "print('x'*300000+'stats'+'y'*349000)" > m.js`);
    const text = await ask({ pattern: "stats" });
    expect(text.length).toBeLessThan(4_000);
    expect(text).toContain("xstatsy");
    expect(text).toContain("… [column 300001 of 649005]");
    expect((await ask({ pattern: "x" })).length).toBeLessThan(4_000);
  });

  it("cuts a long line between characters", async () => {
    make(`python3 -c "print('😀'*1000+'needle'+'é'*1000)" > f`);
    for (const lineWindow of [10, 11, 12, 13]) {
      const text = await ask({ pattern: "needle" }, { limits: { lineWindow } });
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain("\ufffd");
      expect(text).toContain("needle");
      expect(text).toContain("[column 1001 of 2006]");
    }
  });

  it("shows at most its limit, clamps a larger one aloud, and counts the rest exactly", async () => {
    make("seq 1 300 > f; seq 1 50 > g");
    const result = await (fixture as Fixture).call(grepTool, { pattern: "\\d", limit: 1000 });
    if (isRefusal(result)) throw new Error(result.code);
    expect(result.notes?.map(({ text }) => text)).toEqual(["limit is at most 100, so 100 was used"]);
    expect(result.content.split("\n")).toHaveLength(102);
    expect(result.content).toMatch(/^350 matches in 2 files; showing the first 100; searched 2 files/);
    expect(await grep("\\d", { limit: 3 })).toEqual(["f", "1:1", "2:2", "3:3"]);
  });

  it("stops counting in a large tree, and says at least", async () => {
    make("for i in 1 2 3 4 5; do seq 1 400000 > f$i; done");
    const first = await head("\\d", { limit: 3 });
    expect(first).toMatch(
      /^at least [\d,]+ matches in at least \d files?; showing the first 3; searched at least/,
    );
  });

  it("is never longer than resultMax, and says what is shown", async () => {
    make("seq -f 'line %060g' 1 100 > f");
    const text = await ask({ pattern: "line" }, { limits: { resultMax: 2000 } });
    expect(text.length).toBeLessThanOrEqual(2000);
    const shown = text.split("\n").filter((line) => /^\d+:/.test(line)).length;
    expect(text).toContain(`100 matches in 1 file; showing the first ${shown}`);
  });

  it("lists files, and counts", async () => {
    make("mkdir d; seq 1 5 > d/a; echo 1 > b; echo x > c");
    expect(await ask({ pattern: "\\d", mode: "files" })).toBe(
      "2 files have matches; searched 3 files\nb\nd/a",
    );
    expect(await ask({ pattern: "\\d", mode: "count" })).toBe(
      "6 matches in 2 files; searched 3 files\nb:1\nd/a:5",
    );
    expect(await ask({ pattern: "\\d", mode: "files", limit: 1 })).toContain(
      "2 files have matches; showing the first 1 file",
    );
  });

  it("orders files by the bytes of their paths", async () => {
    make("mkdir a a-b; for f in a/x a.ts a-b/x B é; do echo k > $f; done");
    expect(await grep("k", { mode: "files" })).toEqual(["B", "a-b/x", "a.ts", "a/x", "é"]);
  });

  it("makes the calls that it suggests", async () => {
    make("seq 1 200 > f");
    const call = /for all files: grep (\{.*?\})/.exec(await head("\\d", { ignore_case: true }));
    const args = JSON.parse(call?.[1] ?? "") as Record<string, unknown>;
    expect(args).toEqual({ pattern: "\\d", ignore_case: true, mode: "files" });
    expect(await ask(args)).toBe("1 file has matches; searched 1 file\nf");
  });

  it("gives the same bytes twice", async () => {
    make("for i in $(seq 1 40); do seq $i 60 > f$i; done");
    expect(await ask({ pattern: "5", context: 1 })).toBe(await ask({ pattern: "5", context: 1 }));
  });

  it("lets the host's event loop turn, and stops soon after it is cancelled", async () => {
    make("for i in 1 2 3 4 5 6; do seq 1 900000 > f$i; done");
    const abort = new AbortController();
    const call = (fixture as Fixture).call(
      grepTool,
      { pattern: "(a|1)+[k-z]", mode: "count" },
      { signal: abort.signal },
    );
    let turns = 0;
    const timer = setInterval(() => {
      turns++;
      if (turns === 5) abort.abort();
    }, 1);
    await expect(call).rejects.toThrow();
    clearInterval(timer);
    expect(turns).toBeLessThan(50);
  });
});
