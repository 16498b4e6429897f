import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
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

  it("are kept for one root, by its real path, and once", () => {
    symlinkSync(root, join(around, "link"));
    savePersonRule(join(around, "link"), "runs(npm test)", path);
    savePersonRule(root, "runs(npm test)", path);
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

  it("leave everything else in the file as it is", () => {
    write({
      theme: { dark: true },
      roots: { [root]: { note: 1, rules: { deny: ["x"] } }, "/other": { a: 2 } },
    });
    savePersonRule(root, "write", path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      theme: { dark: true },
      roots: { [root]: { note: 1, rules: { deny: ["x"], allow: ["write"] } }, "/other": { a: 2 } },
    });
  });

  it("are an error where the file does not parse, which is not written over", () => {
    for (const broken of ["{", '{"rules": []}', '{"roots": {"/x": {"rules": {"allow": "write"}}}}']) {
      write(broken);
      expect(() => readPersonRules(root, path)).toThrow(/config\.json is not as it should be/);
      expect(() => savePersonRule(root, "write", path)).toThrow(/Repair or remove it/);
      expect(readFileSync(path, "utf8")).toBe(broken);
    }
  });

  it("lie where the person's configuration lies, and a relative place is none", () => {
    expect(configurationPath({ XDG_CONFIG_HOME: "/c" })).toBe("/c/haft/config.json");
    expect(configurationPath({ XDG_CONFIG_HOME: "c" })).toMatch(/\/\.config\/haft\/config\.json$/);
  });
});
