/**
 * Owns the file of a person's rules: what is read of it, what saving one changes. Leaves several processes at once to
 * test/surfaces/person-rules.test.ts. Rule: real files.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configurationPath, readPersonRules, savePersonRule } from "./person-rules.ts";

let around = "";
let root = "";
let path = "";
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-rules-")));
  root = join(around, "root");
  mkdirSync(root);
  path = join(around, "config", "haft", "config.json");
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

function write(value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

describe("the rules that a person keeps", () => {
  it("are none where there is no file, and none is made by looking", () => {
    expect(readPersonRules(root, path)).toEqual({ allow: [], ask: [], deny: [] });
    expect(existsSync(path)).toBe(false);
  });

  it("are kept for one root, by its real path, and once", async () => {
    symlinkSync(root, join(around, "link"));
    await savePersonRule(join(around, "link"), "runs(npm test)", path);
    await savePersonRule(root, "runs(npm test)", path);
    expect(readPersonRules(root, path).allow).toEqual(["runs(npm test)"]);
    expect(readPersonRules(around, path).allow).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      roots: { [root]: { rules: { allow: ["runs(npm test)"] } } },
    });
  });

  it("come after those for every root", () => {
    write({
      rules: { deny: ["reads(.env)"], allow: ["bash"] },
      roots: { [root]: { rules: { allow: ["write"] } } },
    });
    expect(readPersonRules(root, path)).toEqual({ allow: ["bash", "write"], ask: [], deny: ["reads(.env)"] });
  });

  it("leave everything else in the file as it is", async () => {
    write({
      theme: { dark: true },
      roots: { [root]: { note: 1, rules: { deny: ["x"] } }, "/other": { a: 2 } },
    });
    await savePersonRule(root, "write", path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      theme: { dark: true },
      roots: { [root]: { note: 1, rules: { deny: ["x"], allow: ["write"] } }, "/other": { a: 2 } },
    });
  });

  it("are an error where the file does not parse, which is not written over", async () => {
    for (const broken of ["{", '{"rules": []}', '{"roots": {"/x": {"rules": {"allow": "write"}}}}']) {
      write(broken);
      expect(() => readPersonRules(root, path)).toThrow(/config\.json is not as it should be/);
      await expect(savePersonRule(root, "write", path)).rejects.toThrow(/Repair or remove it/);
      expect(readFileSync(path, "utf8")).toBe(broken);
    }
  });

  it("are written where a linked file is kept, and the link stays", async () => {
    write({ theme: 1 });
    const kept = join(around, "kept.json");
    renameSync(path, kept);
    symlinkSync(kept, path);
    await savePersonRule(root, "write", path);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({
      theme: 1,
      roots: { [root]: { rules: { allow: ["write"] } } },
    });
  });

  it("are all kept where many are saved at once", async () => {
    const rules = Array.from({ length: 20 }, (_, index) => `runs(task ${index})`);
    await Promise.all(rules.map((rule) => savePersonRule(root, rule, path)));
    expect([...readPersonRules(root, path).allow].sort()).toEqual([...rules].sort());
  });

  it("lie where the person's configuration lies, and a relative place is none", () => {
    expect(configurationPath({ XDG_CONFIG_HOME: "/c" })).toBe("/c/haft/config.json");
    expect(configurationPath({ XDG_CONFIG_HOME: "c" })).toMatch(/\/\.config\/haft\/config\.json$/);
  });
});
