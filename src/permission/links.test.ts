/**
 * Owns what rules make of links: a path is what it is called, and where it leads; what denies or asks holds for both.
 * Leaves spellings and modes to judge.test.ts, hard links to withhold.test.ts, the fence to root/fenced-paths.test.ts.
 * Rule: every case is one call through the gate on a real tree.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkDecisions } from "../../test/support/decision-rows.ts";
import { type JudgedOptions, openJudged } from "../../test/support/judged-tree.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-links-")));
afterAll(() => rmSync(root, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const link = (path: string, target: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
};
put("config/local.env", "TOKEN=alpha\n");
put("config/open.txt", "alpha open\n");
put("store/prod/db", "alpha db\n");
put("store/prod/deep/key", "alpha key\n");
put("store/test/db", "alpha test\n");
put("vault/key", "alpha vault\n");
put("free/a", "alpha free\n");
put("zone/x/y/b.env", "alpha b\n");
link(".env", "config/local.env");
link("conf/prod", "../store/prod");
link("first", "second");
link("second", "third");
link("third", "config/local.env");
link("secrets/inner", "../vault");
link("middle", "conf");
link("dangling.env", "config/new.env");
link("outside.env", tmpdir());
link("self", ".");
link("app/zone", "../zone/x");
link("round/again", "../round");

const ENV = ["deny reads(.env*)"];
const BY_ENV = "deny by reads(.env*)";
const PROD = ["deny reads(conf/prod/**)"];
const BY_PROD = "deny by reads(conf/prod/**)";

checkDecisions(root, "a rule that names a link", [
  ["fa", ENV, "read", { path: ".env" }, BY_ENV],
  ["fa", ENV, "read", { path: "./.env" }, BY_ENV],
  ["fa", ENV, "read", { path: "conf/../.env" }, BY_ENV],
  ["fa", ENV, "read", { path: `${root}/.env` }, BY_ENV],
  ["fa", ENV, "read", { path: "self/.env" }, BY_ENV],
  ["fa", ENV, "read", { path: "config/local.env" }, BY_ENV],
  ["fa", ENV, "write", { path: ".env", content: "", overwrite: true }, BY_ENV],
  ["fa", ENV, "write", { path: "config/local.env", content: "" }, BY_ENV],
  ["fa", ENV, "edit", { path: ".env", edits: [{ old_text: "a", new_text: "b" }] }, BY_ENV],
  ["fa", ENV, "delete", { path: ".env" }, BY_ENV],
  ["fa", ENV, "delete", { path: "config/local.env" }, BY_ENV],
  ["fa", ENV, "delete", { path: "config", recursive: true }, BY_ENV],
  ["fa", ENV, "move", { from: "config", to: "elsewhere" }, BY_ENV],
  ["fa", ENV, "grep", { pattern: "alpha", path: ".env" }, BY_ENV],
  ["fa", ["ask reads(.env*)"], "read", { path: ".env" }, "ask by reads(.env*)"],
  ["fa", ["deny read(.env)"], "read", { path: ".env" }, "deny by read(.env)"],
  ["fa", ["deny writes(.env)"], "read", { path: ".env" }, "allow"],
  ["fa", ["deny writes(.env)"], "write", { path: ".env", content: "" }, "deny by writes(.env)"],
  ["fa", ["deny reads(**/.env)"], "read", { path: ".env" }, "deny by reads(**/.env)"],
  ["fa", ["deny reads(**/.env)"], "read", { path: "config/local.env" }, "deny by reads(**/.env)"],
  ["fa", ENV, "read", { path: "config/open.txt" }, "allow"],
  ["fa", ["deny reads(first)"], "read", { path: "first" }, "deny by reads(first)"],
  ["fa", ["deny reads(second)"], "read", { path: "first" }, "deny by reads(second)"],
  ["fa", ["deny reads(third)"], "read", { path: "first" }, "deny by reads(third)"],
  ["fa", ["deny reads(first)"], "read", { path: "config/local.env" }, "deny by reads(first)"],
  [
    "fa",
    ["deny reads(dangling.env)"],
    "write",
    { path: "dangling.env", content: "" },
    "deny by reads(dangling.env)",
  ],
  [
    "fa",
    ["deny reads(dangling.env)"],
    "write",
    { path: "config/new.env", content: "" },
    "deny by reads(dangling.env)",
  ],
]);

checkDecisions(root, "a rule that leads through a link", [
  ["fa", PROD, "read", { path: "conf/prod/db" }, BY_PROD],
  ["fa", PROD, "read", { path: "store/prod/db" }, BY_PROD],
  ["fa", PROD, "read", { path: "store/prod/deep/key" }, BY_PROD],
  ["fa", PROD, "read", { path: "middle/prod/db" }, BY_PROD],
  ["fa", PROD, "write", { path: "conf/prod/new", content: "" }, BY_PROD],
  ["fa", PROD, "write", { path: "store/prod/new/deeper", content: "" }, BY_PROD],
  ["fa", PROD, "delete", { path: "store", recursive: true }, BY_PROD],
  ["fa", PROD, "delete", { path: "conf/prod" }, BY_PROD],
  ["fa", PROD, "move", { from: "conf", to: "conf2" }, BY_PROD],
  ["fa", PROD, "read", { path: "store/test/db" }, "allow"],
  ["fa", ["deny reads(conf/*/db)"], "read", { path: "store/prod/db" }, "deny by reads(conf/*/db)"],
  ["fa", ["deny reads(conf/*/db)"], "read", { path: "store/prod/deep/key" }, "allow"],
  ["fa", ["deny reads(middle/prod/**)"], "read", { path: "store/prod/db" }, "deny by reads(middle/prod/**)"],
  ["fa", ["deny reads(secrets/**)"], "read", { path: "vault/key" }, "deny by reads(secrets/**)"],
  ["fa", ["deny reads(secrets)"], "read", { path: "vault/key" }, "deny by reads(secrets)"],
  ["fa", ["deny reads(**/secrets/**)"], "read", { path: "vault/key" }, "deny by reads(**/secrets/**)"],
  [
    "fa",
    ["deny reads(**/zone/y/*.env)"],
    "read",
    { path: "zone/x/y/b.env" },
    "deny by reads(**/zone/y/*.env)",
  ],
  ["fa", ["deny reads(self/vault/**)"], "read", { path: "vault/key" }, "deny by reads(self/vault/**)"],
  ["fa", ["deny reads(round/**)"], "read", { path: "free/a" }, "allow"],
]);

checkDecisions(root, "a rule that allows and a link", [
  ["ro", ["allow writes(.env)"], "write", { path: ".env", content: "" }, "deny"],
  ["ro", ["allow writes(conf/prod/**)"], "write", { path: "conf/prod/db", content: "" }, "deny"],
  [
    "ro",
    ["allow writes(store/**)"],
    "write",
    { path: "conf/prod/db", content: "" },
    "allow by writes(store/**)",
  ],
]);

async function call(tool: string, args: object, options: Omit<JudgedOptions, "root">): Promise<string> {
  const judged = openJudged({ ...options, root });
  const output = await judged.call(tool, args);
  await judged.close();
  return output.content;
}

describe("walks under a rule that names a link", () => {
  it.each(["never", "always"] as const)(
    "leave out the link and where it leads, with ripgrep %s",
    async (ripgrep) => {
      const env = { rules: { deny: ["reads(.env*)"] }, ripgrep };
      const found = await call("grep", { pattern: "alpha" }, env);
      expect(found).not.toContain("local.env");
      expect(found).toMatch(/^.*withheld by rule reads\(\.env\*\)/);
      expect(await call("grep", { pattern: "alpha", path: "config" }, env)).toMatch(
        /1 withheld by rule reads\(\.env\*\)/,
      );
      expect(await call("list", {}, env)).toMatch(/1 withheld by rule reads\(\.env\*\)/);
      expect(await call("list", { path: "config" }, env)).toMatch(/^config.*1 withheld/);
      expect(await call("glob", { pattern: "**/*.env" }, env)).not.toContain("local.env");
      const prod = { rules: { deny: ["reads(conf/prod/**)"] }, ripgrep };
      expect(await call("grep", { pattern: "alpha", path: "store" }, prod)).toMatch(/2 withheld|1 withheld/);
      expect(await call("grep", { pattern: "alpha", path: "store" }, prod)).not.toContain("store/prod");
      expect(await call("list", { path: "conf/prod" }, prod)).not.toContain("db");
      const floating = { rules: { deny: ["reads(*/prod/d?)"] }, ripgrep };
      expect(await call("list", { path: "conf/prod" }, floating)).not.toContain("db");
    },
  );
});

describe("a link that is made or removed while a session is open", () => {
  it("holds from the next call on, and what it led to is not opened by removing it", async () => {
    const judged = openJudged({ root, rules: { deny: ["reads(later/**)"] } });
    const read = async (path: string) => (await judged.call("read", { path })).content;
    expect(await read("free/a")).toContain("alpha free");
    link("later", "free");
    expect(await read("free/a")).toContain("deny reads(later/**) forbids it");
    rmSync(join(root, "later"));
    link("later", "store/test");
    expect(await read("store/test/db")).toContain("deny reads(later/**) forbids it");
    expect(await read("free/a")).toContain("deny reads(later/**) forbids it");
    rmSync(join(root, "later"));
    await judged.close();
  });
});

describe("a denial by a link", () => {
  it("tells which rule and why, and no name that was not given", async () => {
    const judged = openJudged({ root, rules: { deny: ["reads(.env*)", "reads(secrets/**)"] } });
    const given = await judged.judge("read", { path: ".env" });
    expect(given).toMatchObject({
      outcome: "deny",
      rule: "reads(.env*)",
      reason: "the rule deny reads(.env*) forbids it: by the link that is followed from .env",
      effects: ["reads(config/local.env)"],
    });
    const target = (await judged.call("read", { path: "vault/key" })).content;
    expect(target).toContain(
      "the rule deny reads(secrets/**) forbids it (a link of a name that the rule speaks of leads there)",
    );
    expect(target).not.toContain("inner");
    await judged.close();
  });
});
