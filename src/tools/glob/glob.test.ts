import { afterEach, describe, expect, it } from "vitest";
import { type Fixture, type FixtureOptions, makeFixture } from "../../../test/search-fixture.ts";
import { isRefusal } from "../../contract/refusal.ts";
import { globTool } from "./glob.ts";

let fixture: Fixture | undefined;
afterEach(() => {
  fixture?.remove();
  fixture = undefined;
});

function make(script: string): void {
  fixture = makeFixture(script);
}

/** The paths of an answer, without its first line. */
async function glob(pattern: string, path?: string, options?: FixtureOptions): Promise<string[]> {
  return (await answer(pattern, path, options)).split("\n").slice(1);
}

async function answer(pattern: string, path?: string, options?: FixtureOptions): Promise<string> {
  const args = path === undefined ? { pattern } : { pattern, path };
  return (fixture as Fixture).text(globTool, args, options);
}

async function refusal(pattern: string): Promise<string | undefined> {
  const result = await (fixture as Fixture).call(globTool, { pattern });
  return isRefusal(result) ? result.code : undefined;
}

describe("glob", () => {
  it("finds names that hold pattern characters (G01)", async () => {
    make(
      `mkdir -p 'app/[id]' app/i 'app/(grp)' 'app/[[...slug]]'; for d in app/*/; do touch "$d/page.tsx"; done`,
    );
    expect(await glob("app/[id]/page.tsx")).toEqual(["app/[id]/page.tsx", "app/i/page.tsx"]);
    expect(await glob("app/[id]/**")).toContain("app/[id]/page.tsx");
    expect(await glob("app/(grp)/**")).toEqual(["app/(grp)/page.tsx"]);
    expect(await glob("app/[[...slug]]/**")).toEqual(["app/[[...slug]]/page.tsx"]);
    expect(await glob("app/*/page.tsx")).toHaveLength(4);
    expect(await glob("app/[ij]/*")).toEqual(["app/i/page.tsx"]);
    expect(await glob("*.tsx", "app/[id]")).toEqual(["app/[id]/page.tsx"]);
  });

  it("finds dot folders and dotfiles, named or not (G02, G03, G08)", async () => {
    make(
      "mkdir -p .github/workflows .d; touch .github/workflows/ci.yml .eslintrc.json v.ts .h.ts .d/n.ts .ts y",
    );
    expect(await glob(".github/workflows/*.yml")).toEqual([".github/workflows/ci.yml"]);
    expect(await glob(".github/**")).toEqual([".github/workflows/ci.yml"]);
    expect(await glob(".eslintrc.json")).toEqual([".eslintrc.json"]);
    expect(await glob("**/*.ts")).toEqual([".d/n.ts", ".h.ts", ".ts", "v.ts"]);
    expect(await glob("{*.ts,y}")).toEqual([".h.ts", ".ts", "v.ts", "y"]);
  });

  it.each(["", "git init -q;"])(
    "never brings back ignored files, in and outside a repository: %j (G04)",
    async (init) => {
      make(`${init} printf '*.log\\n' > .gitignore; touch kept.ts ig.log`);
      for (const pattern of ["*", "**", "**/*"])
        expect(await glob(pattern)).toEqual([".gitignore", "kept.ts"]);
      expect(await glob("*.log")).toEqual([]);
      expect(await answer("*.log")).toContain("1 ignored");
      expect(await glob("ig.log")).toEqual(["ig.log"]);
    },
  );

  it("follows no link (G06)", async () => {
    make("mkdir d; touch d/f; ln -s . d/link; ln -s .. d/up");
    expect(await glob("**")).toEqual(["d/f", "d/link", "d/up"]);
  });

  it("takes braces with folders, and says that bare parentheses are characters (G09, G10)", async () => {
    make("mkdir d; touch file.txt d/t.txt CON.md p q pq");
    expect(await glob("{file.txt,d/**/*}")).toEqual(["d/t.txt", "file.txt"]);
    expect(await answer("(**/*.md)")).toContain("a parenthesis without");
    expect(await glob("+(*(p)|*(q))")).toEqual(["p", "pq", "q"]);
  });

  it("answers at once whatever the stars (G11)", async () => {
    make("touch $(printf 'a%.0s' $(seq 200))");
    expect(await glob("**************Q**")).toEqual([]);
    expect(await glob("*a*a*a*a*a*a*a*a*a*b")).toEqual([]);
  }, 2_000);

  it("never hides what the pattern begins with", async () => {
    make(
      "git init -q; printf 'dist/\\n' > .gitignore; mkdir -p node_modules/e/node_modules dist/x; touch node_modules/e/p.json node_modules/e/node_modules/q.json dist/x/o.js",
    );
    expect(await glob("node_modules/e/*.json")).toEqual(["node_modules/e/p.json"]);
    expect(await glob("node_modules/**/*.json")).toEqual(["node_modules/e/p.json"]);
    expect(await glob("dist/**")).toEqual(["dist/x/o.js"]);
    expect(await glob("{dist,src}/**/*.js")).toEqual(["dist/x/o.js"]);
    expect(await glob("**", "dist")).toEqual(["dist/x/o.js"]);
    expect(await glob(".git/HEAD")).toEqual([".git/HEAD"]);
    expect(await glob("**/*.js")).toEqual([]);
  });

  it("names the folders left out where the answer is small", async () => {
    make("mkdir -p node_modules target .git; touch a");
    expect((await answer("*.zz")).split("\n")[0]).toBe('no path matches "*.zz"');
    expect((await answer("**/*.zz")).split("\n")[0]).toContain("not walked: .git/, node_modules/, target/");
  });

  it("finds directories by a final slash", async () => {
    make("mkdir -p a/b .c node_modules/d; touch a/f");
    expect(await glob("*/")).toEqual([".c/", "a/"]);
    expect(await glob("**/")).toEqual([".c/", "a/", "a/b/"]);
    expect(await glob("a/b/")).toEqual(["a/b/"]);
  });

  it("sorts whole paths by bytes", async () => {
    make("mkdir a a-b; touch a/x a.ts a-b/x B é");
    expect(await glob("**")).toEqual(["B", "a-b/x", "a.ts", "a/x", "é"]);
  });

  it("says how many there are beyond its limit, exactly", async () => {
    make("touch $(seq 1 30)");
    const text = await answer("*", undefined, { limits: { globMax: 10 } });
    expect(text.split("\n")).toHaveLength(11);
    expect(text).toContain("30 paths match");
    expect(text).toContain("showing the first 10");
  });

  it("is never longer than resultMax", async () => {
    make("touch $(seq -f %050g 1 60)");
    const text = await answer("*", undefined, { limits: { resultMax: 1000 } });
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toMatch(/60 paths match "\*"; showing the first \d+/);
  });

  it("shows names that are not UTF-8, or hold line breaks, in one line (R19)", async () => {
    make("f=\"$(printf 'n\\xe9.txt')\"; touch \"$f\" ok.txt $'x\\ny.txt'");
    expect(await glob("*.txt")).toEqual(["n\\xE9.txt", "ok.txt", "x\\ny.txt"]);
  });

  it("lists a FIFO without opening it (R13)", async () => {
    make("mkdir d; mkfifo d/p; touch d/t");
    expect(await glob("**/*")).toEqual(["d/p", "d/t"]);
  }, 5_000);

  it("leaves the root neither by its pattern nor by a link", async () => {
    make("mkdir ../out; touch ../out/f; ln -s ../out esc; ln -s sub in; mkdir sub; touch sub/f");
    for (const pattern of ["../out/*", "esc/*", "sub/../../out/*", "/etc/*"]) {
      expect([pattern, await refusal(pattern)]).toEqual([pattern, "path-outside-root"]);
    }
    expect(await refusal("*/../../out/*")).toBe("pattern-unsupported");
    expect(await glob("in/*")).toEqual(["sub/f"]);
    expect(await glob(`${(fixture as Fixture).root}/sub/*`)).toEqual(["sub/f"]);
    expect(await glob("sub/../sub/*")).toEqual(["sub/f"]);
  });

  it("refuses !(…), and a path that is no directory", async () => {
    make("touch a");
    expect(await refusal("!(a)")).toBe("pattern-unsupported");
    const result = await (fixture as Fixture).call(globTool, { pattern: "*", path: "a" });
    expect(isRefusal(result) && result.code).toBe("path-not-directory");
  });

  it("leaves out what a rule withholds, and counts it", async () => {
    make("mkdir secrets; touch secrets/a b");
    const withholds = (path: string) => (path.includes("/secrets") ? "reads(secrets/**)" : undefined);
    expect(await answer("**", undefined, { withholds })).toBe(
      '1 path matches "**"; 1 withheld by rule reads(secrets/**)\nb',
    );
  });

  it("stops when it is cancelled", async () => {
    make("touch a");
    const signal = AbortSignal.abort();
    await expect((fixture as Fixture).call(globTool, { pattern: "**" }, { signal })).rejects.toThrow();
  });
});
