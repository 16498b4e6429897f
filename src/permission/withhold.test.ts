/**
 * Owns what rules about reading hide from walks, in both search engines. Leaves walking to src/root.
 * Rule: what may not be read by its own path is not seen from above either.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JudgedOptions, makeJudgedTree, openJudged } from "../../test/support/judged-tree.ts";

const tree = makeJudgedTree();
afterAll(() => tree.remove());

async function call(tool: string, args: object, options: Omit<JudgedOptions, "root">): Promise<string> {
  const judged = openJudged({ ...options, root: tree.root });
  const output = await judged.call(tool, args);
  await judged.close();
  return output.content;
}

const deny = (rule: string) => ({ rules: { deny: [rule] } });

describe("a path that may not be read", () => {
  it("is left out of every walk and counted with its rule", async () => {
    const rules = deny("reads(secrets/**)");
    const found = await call("grep", { pattern: "alpha" }, rules);
    expect(found).not.toContain("pem");
    expect(found.split("\n")[0]).toContain("2 withheld by rule reads(secrets/**)");
    expect(await call("glob", { pattern: "**/*.pem" }, rules)).toMatch(/^no path matches.*withheld by rule/);
    expect(await call("glob", { pattern: "link/*.pem" }, rules)).not.toContain("key.pem\n");
    expect(await call("glob", { pattern: "secrets/deep/*" }, rules)).toContain("1 withheld");
    expect(await call("list", { path: "secrets" }, rules)).toBe(
      "secrets: empty directory; 2 withheld by rule reads(secrets/**)",
    );
    expect(await call("read", { path: ".", grep: "alpha" }, rules)).not.toContain("pem");
    expect(await call("list", { depth: 9 }, rules)).not.toMatch(/^secrets\/./m);
  });

  it("is left out by a folder's own name, too", async () => {
    const found = await call("list", { depth: 9 }, deny("reads(secrets)"));
    expect(found).toContain("1 withheld by rule reads(secrets)");
    expect(found).not.toMatch(/^secrets/m);
  });

  it("is hidden by a rule about one tool in the walks of that tool alone", async () => {
    const rules = deny("grep(secrets/**)");
    expect(await call("grep", { pattern: "alpha" }, rules)).not.toContain("pem");
    expect(await call("read", { path: ".", grep: "alpha" }, rules)).not.toContain("pem");
    expect(await call("glob", { pattern: "**/*.pem" }, rules)).toContain("secrets/key.pem");
  });

  it("stays hidden where nobody was asked about it, and is shown in the call that a person allowed", async () => {
    const rules = {
      rules: { ask: ["reads(secrets/**)"] },
      approve: async () => ({ allow: "once" }) as const,
    };
    expect(await call("grep", { pattern: "alpha" }, rules)).toContain("withheld by rule reads(secrets/**)");
    expect(await call("grep", { pattern: "alpha", path: "secrets/deep" }, rules)).toContain("alpha more");
  });

  it("is shown in walks once a person has allowed it from now on", async () => {
    const judged = openJudged({
      root: tree.root,
      rules: { ask: ["reads(secrets/**)"] },
      approve: async () => ({ allow: "always", rule: "reads(secrets/**)" }),
    });
    await judged.call("read", { path: "secrets/key.pem" });
    expect((await judged.call("grep", { pattern: "alpha more" })).content).toContain("secrets/deep/more.pem");
    await judged.close();
  });
});

describe("hints about a missing path", () => {
  it("name nothing that may not be read", async () => {
    const plain = await call("read", { path: "docs/key.pem" }, {});
    expect(plain).toContain("secrets/key.pem");
    expect(await call("read", { path: "docs/key.pem" }, deny("reads(secrets/**)"))).not.toContain(
      "secrets/key",
    );
    expect(await call("read", { path: "SECRETS/key.pem" }, deny("reads(secrets)"))).not.toContain("secrets");
    expect(await call("read", { path: "secrets/kex.pem" }, deny("reads(**/key.pem)"))).not.toContain(
      "key.pem",
    );
  });
});

describe("another name of a file that may not be read", () => {
  const HIDDEN = deny("reads(secrets/**)");
  const open = () => join(tree.root, "docs/open");
  beforeEach(() => {
    linkSync(join(tree.root, "secrets/deep/more.pem"), open());
    // A file whose other names no rule speaks of stays what it is.
    linkSync(join(tree.root, "docs/readme.md"), join(tree.root, "docs/twin.md"));
  });
  afterEach(() => {
    rmSync(open(), { force: true });
    rmSync(join(tree.root, "docs/twin.md"));
  });

  it("is refused to every tool that is given it", async () => {
    const edits = [{ old_text: "alpha", new_text: "omega" }];
    for (const [tool, args] of [
      ["read", { path: "docs/open" }],
      ["grep", { pattern: "alpha", path: "docs/open" }],
      ["edit", { path: "docs/open", edits }],
      ["delete", { path: "docs/open" }],
      ["move", { from: "docs/open", to: "docs/other" }],
    ] as const) {
      const found = await call(tool, args, HIDDEN);
      expect(found).toContain("the rule deny reads(secrets/**) forbids it");
      expect(found).not.toContain("more");
    }
    expect(readFileSync(open(), "utf8")).toBe("alpha more\n");
    expect(await call("read", { path: "docs/twin.md" }, HIDDEN)).toContain("alpha docs");
  });

  it("is refused where the rule names no folder, and where it is a rule about a tool", async () => {
    expect(await call("read", { path: "docs/open" }, deny("reads(**/*.pem)"))).toContain("forbids it");
    expect(await call("read", { path: "docs/open" }, deny("read({secrets/deep,src}/**)"))).toContain(
      "forbids",
    );
    expect(await call("read", { path: "docs/open" }, deny("grep(secrets/**)"))).toContain("alpha more");
    expect(await call("read", { path: "docs/open" }, deny("writes(secrets/**)"))).toContain("alpha more");
  });

  it("is no way into what is allowed, either", async () => {
    const rules = { mode: "read-only", rules: { allow: ["writes(secrets/**)"] } } as const;
    expect(await call("delete", { path: "docs/open" }, rules)).toContain("is not permitted");
  });

  it("is asked for once a person has to be asked for the hidden name", async () => {
    const asked: string[] = [];
    const rules = {
      rules: { ask: ["reads(secrets/**)"] },
      approve: async ({ rule }: { rule?: string }) => {
        asked.push(rule ?? "");
        return { allow: "once" } as const;
      },
    };
    expect(await call("read", { path: "docs/open" }, rules)).toContain("alpha more");
    expect(asked).toEqual(["reads(secrets/**)"]);
    expect(await call("grep", { pattern: "alpha", path: "docs" }, rules)).not.toContain("docs/open");
  });

  it.each(["never", "always"] as const)("is left out of walks, with ripgrep %s", async (ripgrep) => {
    const rules = { ...HIDDEN, ripgrep };
    const found = await call("grep", { pattern: "alpha", path: "docs" }, rules);
    expect(found).not.toContain("open");
    expect(found).toContain("1 withheld by rule reads(secrets/**)");
    expect(found).toContain("docs/twin.md");
    expect(await call("glob", { pattern: "docs/*" }, rules)).not.toContain("open");
    expect(await call("list", { path: "docs" }, rules)).not.toContain("open");
    expect(await call("read", { path: "docs" }, rules)).not.toContain("open");
    expect(await call("grep", { pattern: "alpha more" }, rules)).toMatch(/^no match.*3 withheld/);
    expect(await call("grep", { pattern: "alpha", path: "docs" }, {})).toContain("docs/open");
  });

  it("is refused and withheld where too much would have to be looked through to tell it", async () => {
    // The root has nine entries and more; `secrets` has two, and `deep` one.
    const both = { rules: { deny: ["reads(secrets/**)", "reads(**/*.pem)"] }, maxEntries: 3 };
    expect(await call("read", { path: "docs/open" }, both)).toMatch(
      /deny reads\(secrets\/\*\*\).*a hard link/,
    );
    expect(await call("read", { path: "docs/twin.md" }, both)).toMatch(
      /deny reads\(\*\*\/\*\.pem\) forbids it \(it is a file with several names.*a copy/,
    );
    expect(await call("read", { path: "src/a.ts" }, both)).toContain("alpha");
    const few = { rules: { deny: ["reads(secrets/**)"] }, maxEntries: 1 };
    expect(await call("read", { path: "docs/open" }, few)).toContain("several names");
    const walked = await call("grep", { pattern: "alpha", path: "docs" }, few);
    expect(walked).toContain("withheld by rule reads(secrets/**)");
    expect(walked).not.toMatch(/open|twin/);
  });

  it("is met whatever other rules are given beside the one that speaks of it", async () => {
    mkdirSync(join(tree.root, "aa-many"));
    try {
      // More than a rule that floats looks through here.
      for (let n = 0; n < 60; n++) writeFileSync(join(tree.root, `aa-many/${n}`), "");
      for (const more of ["reads(**/*.pem2)", "reads(**/x/**)", "reads(*/*.x)", "reads(docs/nothing)"]) {
        const rules = { rules: { deny: [more, "reads(secrets/**)"] }, maxEntries: 50 };
        expect(await call("read", { path: "docs/open" }, rules), more).toContain("forbids it");
        expect(await call("grep", { pattern: "alpha", path: "docs" }, rules), more).not.toContain(
          "docs/open",
        );
      }
    } finally {
      rmSync(join(tree.root, "aa-many"), { recursive: true });
    }
  });

  it.skipIf(process.platform !== "linux")("is left out of walks where it is no UTF-8", async () => {
    const odd = Buffer.concat([Buffer.from(`${tree.root}/docs/odd-`), Buffer.from([0xff])]);
    linkSync(join(tree.root, "secrets/deep/more.pem"), odd);
    const found = await call("grep", { pattern: "alpha", path: "docs" }, HIDDEN);
    expect(found).not.toContain("odd-");
    expect(found).toContain("2 withheld by rule reads(secrets/**)");
    rmSync(odd);
  });
});
