/**
 * Owns which settings hold: person, project, flags, trust. Leaves hostile repositories, as a person meets them, to
 * test/surfaces/hostile-repositories.test.ts. Rule: real files.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configure } from "./configure.ts";
import type { Settings } from "./schema.ts";
import { listTrusted, revokeTrust, trustProject } from "./trust.ts";

const LIMITS = { readMax: 1000, grepMax: 100 };

let around = "";
let root = "";
let personPath = "";
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-configure-")));
  root = join(around, "root");
  mkdirSync(root);
  personPath = join(around, "config", "haft", "config.json");
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

function person(value: unknown): void {
  mkdirSync(dirname(personPath), { recursive: true });
  writeFileSync(personPath, JSON.stringify(value));
}

function project(value: unknown): void {
  writeFileSync(join(root, "haft.config.json"), JSON.stringify(value));
}

const look = (flags: Settings = {}) => configure({ root, flags, limits: LIMITS, personPath });

async function trust(): Promise<void> {
  const { file } = look().project;
  if (file.kind !== "read") throw new Error("there is nothing to trust");
  await trustProject(root, file.hash, personPath);
}

describe("a root that is not there", () => {
  it.each(["gone", "file/below"])("has no file that is ignored: %s", (name) => {
    writeFileSync(join(around, "file"), "");
    expect(look().notes).toEqual([]);
    const at = { root: join(around, name), flags: {}, limits: LIMITS, personPath };
    expect(configure(at).notes).toEqual([]);
  });
});

describe("a person's configuration", () => {
  it("says one thing for all roots, another for one, and flags have the last word", () => {
    person({
      mode: "read-only",
      limits: { readMax: 10, grepMax: 5 },
      rules: { deny: ["bash"] },
      roots: {
        [root]: { mode: "full-access", limits: { grepMax: 7 }, rules: { deny: ["write"] } },
        "/other": { prefix: "x_" },
      },
    });
    expect(look().settings).toMatchObject({
      mode: "full-access",
      limits: { readMax: 10, grepMax: 7 },
      rules: { deny: ["bash", "write"] },
    });
    expect(look().settings.prefix).toBeUndefined();
    expect(look({ mode: "workspace-write" }).settings.mode).toBe("workspace-write");
  });

  it.each([
    [{ moed: "read-only" }, /moed \(mode is the nearest name\)/],
    [{ rules: { denny: [] } }, /rules\.denny \(rules\.deny is the nearest name\)/],
    [{ roots: { "/x": { limits: { grepMx: 1 } } } }, /roots\.\/x\.limits\.grepMx \(.*grepMax is the nearest/],
    [{ mode: "readonly" }, /mode: expected one of .*did you mean read-only/],
    [{ tools: ["raed"] }, /did you mean read\?/],
    [{ rules: { deny: ["writse(x)"] } }, /rules\.deny\[0\].*nearest name/],
  ])("%j is an error that names the nearest", (value, words) => {
    person(value);
    expect(() => look()).toThrow(words);
  });
});

describe("a project's configuration", () => {
  it("narrows whatever the person gave", () => {
    person({ mode: "full-access", tools: ["read", "edit", "bash"], limits: { readMax: 500 } });
    project({
      mode: "read-only",
      tools: ["read", "bash"],
      readOnly: true,
      limits: { readMax: 100, grepMax: 3 },
      extraIgnore: ["secrets"],
      rules: { deny: ["writes(src/**)"], ask: ["reads(a)"] },
    });
    const { settings, projectAsks, notes } = look();
    expect(settings).toMatchObject({
      mode: "read-only",
      tools: ["read", "bash"],
      readOnly: true,
      limits: { readMax: 100, grepMax: 3 },
      extraIgnore: ["secrets"],
      rules: { deny: ["writes(src/**)"] },
    });
    expect(projectAsks).toEqual(["reads(a)"]);
    expect(notes).toEqual([]);
  });

  it("narrows what a flag gave, and says so", () => {
    project({ mode: "read-only" });
    expect(look({ mode: "full-access" })).toMatchObject({
      settings: { mode: "read-only" },
      notes: ["haft.config.json narrows the mode full-access to read-only"],
    });
  });

  it.each<[unknown, string, Settings]>([
    [{ mode: "full-access" }, 'mode "full-access"', {}],
    [{ mode: "workspace-write" }, 'mode "workspace-write"', { mode: "read-only" }],
    [{ readOnly: false }, "readOnly false", { readOnly: true }],
    [{ tools: ["read", "bash"] }, "tools bash", { tools: ["read"] }],
    [{ tools: ["commitments"] }, "tools commitments", {}],
    [{ limits: { readMax: 1001 } }, "limits.readMax 1001", {}],
    [{ limits: { readMax: 51 } }, "limits.readMax 51", { limits: { readMax: 50 } }],
    [{ extraIgnore: ["!secrets"] }, "extraIgnore", {}],
    [{ extraIgnore: ["x\n!secrets"] }, "extraIgnore", {}],
    [{ rules: { allow: ["bash"] } }, "rules.allow", {}],
    [{ rules: { allow: 5 } }, "rules.allow 5", {}],
    [{ prefix: "x_" }, 'prefix "x_"', {}],
    [{ allowGenerated: true }, "allowGenerated", {}],
    [{ overwriteUnread: true }, "overwriteUnread", {}],
    [{ strictEdits: false }, "strictEdits", {}],
    [{ ripgrep: "always" }, "ripgrep", {}],
    [{ shell: { env: { pass: ["TOKEN"] } } }, "shell", {}],
    [{ network: { privateHosts: ["localhost:1"] } }, "network", {}],
    [{ browser: { path: "./evil" } }, "browser", {}],
    [{ isolation: "none" }, "isolation", {}],
    [{ confine: "off" }, "confine", {}],
    [{ ledger: "/tmp/x" }, "ledger", {}],
    [{ stateDir: "/tmp/x" }, "stateDir", {}],
    [{ commitments: true }, "commitments", {}],
  ])("%j has no effect before it is trusted, and is named", (value, named, flags) => {
    const before = look(flags).settings;
    project(value);
    const { settings, widening, notes } = look(flags);
    const wanted = "tools" in (value as object) && flags.tools === undefined ? { tools: [] } : {};
    expect(settings).toEqual({ ...before, ...wanted });
    expect(widening).toHaveLength(1);
    expect(widening[0]).toContain(named);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(named);
    expect(notes[0]).toContain(`haft trust ${root}`);
  });

  it("is in force whole once it is trusted, until one byte of it changes or trust is taken back", async () => {
    project({ mode: "full-access", rules: { allow: ["bash"], deny: ["write"] }, limits: { readMax: 5000 } });
    await trust();
    expect(look()).toMatchObject({
      settings: {
        mode: "full-access",
        rules: { allow: ["bash"], deny: ["write"] },
        limits: { readMax: 5000 },
      },
      notes: [],
    });
    expect(listTrusted(personPath)).toEqual([{ root, state: "trusted" }]);
    project({ mode: "full-access", rules: { allow: ["bash", "write"], deny: ["write"] } });
    expect(look().settings).toMatchObject({ rules: { allow: [], deny: ["write"] } });
    expect(look().notes.join()).toContain("has changed since it was trusted");
    expect(listTrusted(personPath)).toEqual([{ root, state: "changed" }]);
    await trust();
    expect(look().settings.rules?.allow).toEqual(["bash", "write"]);
    expect(await revokeTrust(root, personPath)).toBe(true);
    expect(look().settings.rules?.allow).toEqual([]);
    expect(await revokeTrust(root, personPath)).toBe(false);
    expect(listTrusted(personPath)).toEqual([]);
  });

  it("is trusted for one root and for no other that holds the same bytes", async () => {
    project({ commitments: true });
    await trust();
    const copy = join(around, "copy");
    mkdirSync(copy);
    writeFileSync(join(copy, "haft.config.json"), JSON.stringify({ commitments: true }));
    expect(configure({ root: copy, limits: LIMITS, personPath }).settings.commitments).toBeUndefined();
  });

  it("keeps what it denies when it is trusted, whatever the flags say", async () => {
    project({ mode: "workspace-write", rules: { deny: ["bash"] } });
    await trust();
    expect(look({ mode: "full-access" }).settings).toMatchObject({
      mode: "workspace-write",
      rules: { deny: ["bash"] },
    });
  });

  it.each([
    [{ mode: "radonly" }, /did you mean read-only/],
    [{ rules: { deny: ["writse(x)"] } }, /rules\.deny\[0\]/],
    [{ rules: { deny: "write" } }, /rules\.deny: .*array/],
    [{ rules: [] }, /rules: /],
    [{ tools: ["edti"] }, /did you mean edit/],
    [{ limits: { readMax: -1 } }, /limits\.readMax/],
  ])("stops where %j would narrow and cannot be understood", (value, words) => {
    project(value);
    expect(() => look()).toThrow(words);
  });

  it("names each key that is none with the nearest, and follows the rest", () => {
    project({ moed: 1, rules: { denny: [], deny: ["bash"] }, limits: { grepMx: 1 } });
    const { settings, notes } = look();
    expect(settings.rules?.deny).toEqual(["bash"]);
    for (const near of ["mode", "rules.deny", "limits.grepMax"])
      expect(notes.join()).toContain(`(${near} is the nearest name)`);
  });
});
