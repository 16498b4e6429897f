/**
 * Owns what rules about reading hide from walks, in both search engines. Leaves walking to src/root.
 * Rule: what may not be read by its own path is not seen from above either.
 */
import { afterAll, describe, expect, it } from "vitest";
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
