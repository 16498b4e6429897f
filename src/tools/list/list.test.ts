import { afterEach, describe, expect, it } from "vitest";
import { type Fixture, type FixtureOptions, makeFixture } from "../../../test/search-fixture.ts";
import { isRefusal } from "../../contract/refusal.ts";
import { listTool } from "./list.ts";

let fixture: Fixture | undefined;
afterEach(() => {
  fixture?.remove();
  fixture = undefined;
});

async function list(
  script: string,
  args: Record<string, unknown> = {},
  options?: FixtureOptions,
): Promise<string> {
  fixture ??= makeFixture(script);
  return fixture.text(listTool, args, options);
}

describe("a name with control characters", () => {
  it("is shown as a JSON argument spells it, the named directory's and a link's target alike", async () => {
    const script =
      "mkdir $'d\\n1'; touch $'d\\n1/nl\\nx' $'gpj.\\u202eexe'; ln -s $'to\\nx' l; printf 'a' > $'f\\n2'";
    expect((await list(script)).split("\n").slice(1)).toEqual([
      "d\\n1/",
      "f\\n2\t1",
      "gpj.\\u202eexe\t0",
      "l -> to\\nx",
    ]);
    expect(await list("", { path: "d\n1" })).toBe("d\\n1: 1 entry\nnl\\nx\t0");
    expect(await list("", { path: "f\n2" })).toBe("f\\n2: no directory but a file of 1 byte\nf\\n2\t1");
  });
});

describe("list", () => {
  it("shows directories first, then the rest by bytes, with sizes, targets and kinds", async () => {
    const text = await list("mkdir b a.d a; printf 12345 > Z; touch c; ln -s nowhere l; mkfifo p");
    expect(text).toBe(".: 7 entries\na/\na.d/\nb/\nZ\t5\nc\t0\nl -> nowhere\np (fifo)");
  });

  it("follows each directory with its own entries", async () => {
    const text = await list("mkdir -p a/b; touch a/b/x a/y z", { depth: 3 });
    expect(text.split("\n").slice(1)).toEqual(["a/", "a/b/", "a/b/x\t0", "a/y\t0", "z\t0"]);
    expect((await list("", { depth: 2 })).split("\n").slice(1)).toEqual(["a/", "a/b/", "a/y\t0", "z\t0"]);
  });

  it("counts what ignore rules hide, and shows what is never walked as one entry", async () => {
    const text = await list(
      "git init -q; printf '*.log\\n' > .gitignore; touch a.log b; mkdir -p node_modules/x target/y",
      { depth: 3 },
    );
    expect(text.split("\n")[0]).toBe(".: 5 entries; 1 ignored");
    expect(text.split("\n").slice(1)).toEqual([
      ".git/ (not walked)",
      "node_modules/ (not walked)",
      "target/ (not walked)",
      ".gitignore\t6",
      "b\t0",
    ]);
  });

  it("shows the contents of a folder that is named, ignored or not", async () => {
    const script = "git init -q; printf 'dist/\\n' > .gitignore; mkdir -p dist node_modules/x; touch dist/a";
    expect(await list(script, { path: "dist" })).toBe("dist: 1 entry\na\t0");
    expect(await list(script, { path: "node_modules" })).toBe("node_modules: 1 entry\nx/");
  });

  it("never shows what haft keeps in the tree, and hides no file that is only named so", async () => {
    const text = await list("mkdir .haft; touch .haft/ledger.db .haft-1a-2b-3c-4d5e.tmp .haft-abc.tmp a");
    expect(text).toBe(".: 2 entries\n.haft-abc.tmp\t0\na\t0");
  });

  it("follows no link below (G06)", async () => {
    const text = await list("mkdir d; touch d/f; ln -s . d/link; ln -s .. d/up", { depth: 20 });
    expect(text.split("\n").slice(1)).toEqual(["d/", "d/f\t0", "d/link -> .", "d/up -> .."]);
  });

  it("filters by name, and by path where the glob has a slash", async () => {
    const script = "mkdir -p src/x; touch a.ts a.js src/b.ts src/x/c.ts";
    expect((await list(script, { glob: "*.ts" })).split("\n")).toEqual([".: 1 matching entry", "a.ts\t0"]);
    expect((await list(script, { glob: "*.ts", depth: 9 })).split("\n").slice(1)).toEqual([
      "a.ts\t0",
      "src/b.ts\t0",
      "src/x/c.ts\t0",
    ]);
    expect((await list(script, { glob: "src/**/*.ts" })).split("\n").slice(1)).toEqual([
      "src/b.ts\t0",
      "src/x/c.ts\t0",
    ]);
    expect(await list(script, { glob: "*.zz" })).toBe(".: no entry matches");
  });

  it("says the total beyond its limit and how to narrow", async () => {
    const text = await list("touch $(seq 1 250)");
    expect(text.split("\n")).toHaveLength(201);
    expect(text).toContain(".: 250 entries; showing the first 200; ");
    expect(text).toContain("narrow with glob");
  });

  it("is never longer than resultMax", async () => {
    const text = await list("touch $(seq -f %050g 1 60)", {}, { limits: { resultMax: 1000 } });
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toContain("60 entries; showing the first");
  });

  it("shows names that are not UTF-8 escaped (R19), and lists a FIFO unopened (R13)", async () => {
    const text = await list('f="$(printf \'n\\xe9.txt\')"; printf hit > "$f"; mkfifo p');
    expect(text).toBe(".: 2 entries\nn\\xE9.txt\t3\np (fifo)");
  });

  it("says of a path that is no directory what it is", async () => {
    const text = await list("printf abc > f", { path: "f" });
    expect(text).toBe("f: no directory but a file of 3 bytes\nf\t3");
  });

  it("names a missing path with what is there", async () => {
    fixture = makeFixture("mkdir src; touch src/a");
    const result = await fixture.call(listTool, { path: "src/nope/deep" });
    expect(isRefusal(result) && result.code).toBe("path-missing");
  });

  it("tells an empty directory from one whose entries are hidden", async () => {
    expect(await list("mkdir e", { path: "e" })).toBe("e: empty directory");
  });

  it("leaves out what a rule withholds, and counts it", async () => {
    const withholds = (path: string) => (path.endsWith(".env") ? "reads(.env)" : undefined);
    expect(await list("touch .env a", {}, { withholds })).toBe(
      ".: 1 entry; 1 withheld by rule reads(.env)\na\t0",
    );
  });
});
