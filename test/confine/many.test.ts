/**
 * Owns that rules which withhold or lock many files hold for commands, and cost no mount a file where they name a folder.
 * Leaves single files to promises.test.ts. Rule: what a tool does not show, a shell does not show, and the other way round.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
const FILES = 5_000;
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-many-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function fill(folder: string, files: number, name = (index: number) => `f${index}`): void {
  mkdirSync(join(root, folder, "sub"), { recursive: true });
  for (let index = 0; index < files; index++)
    writeFileSync(join(root, folder, index % 2 === 0 ? "sub" : ".", name(index)), "k3y\n");
}

async function open(deny: readonly string[]) {
  const session = await openSession({
    root,
    ledger: "memory",
    mode: "full-access",
    confine: "prefer",
    rules: { deny },
  });
  const run = async (command: string) => (await session.call("bash", { command })).content;
  return { session, run };
}

describe.runIf(probe.canFence)("of many files", { timeout: 60_000 }, () => {
  it("a folder that is withheld as a whole is empty, and nothing can be made in it", async () => {
    fill("data", FILES);
    mkdirSync(join(root, "data/in/.git"), { recursive: true });
    writeFileSync(join(root, "data/in/.git/config"), "[core]\n");
    const { session, run } = await open(["reads(data/**)"]);
    expect(await run("find data; grep -r k3y . | head -1; cp -r data copy; find copy")).toMatch(
      /^exit code 0\n\[stdout\]\ndata\ncopy$/,
    );
    const answer = await run("cat data/f1");
    expect(answer).toContain("a rule withholds what was to be read: data (reads(data/**))");
    expect(await run("echo x >data/new")).toContain("Read-only file system");
    expect(await run("mkdir data/folder; touch data/sub/new; mv data d; rm -rf data")).toMatch(/busy/);
    expect((await session.call("list", { path: "." })).content).not.toContain("f1");
    expect((await session.call("read", { path: "data/f1" })).isError).toBe(true);
    expect(readFileSync(join(root, "data/f1"), "utf8")).toBe("k3y\n");
    expect(existsSync(join(root, "data/new"))).toBe(false);
    await session.close();
  });

  it("a folder of which a rule locks writing is read and not written", async () => {
    fill("data", FILES);
    const { session, run } = await open(["writes(data/**)"]);
    expect(await run("find data -type f | wc -l; cat data/f1")).toContain(`${FILES}\nk3y`);
    for (const command of ["echo x >data/f1", "echo x >data/sub/f0", "echo x >data/new", "mv data d"])
      expect(await run(command)).toMatch(/Read-only file system|busy/);
    await session.close();
  });

  it("what a rule picks by name is withheld in a folder that is locked as a whole, and beside others", async () => {
    fill("data", 20);
    fill("open", 20);
    for (const path of ["data/sub/.env", "open/.env"]) writeFileSync(join(root, path), "s3cret\n");
    const { session, run } = await open(["writes(data/**)", "reads(**/.env)"]);
    expect(await run("cat data/sub/.env open/.env; cat data/f1 open/f1")).not.toContain("s3cret");
    expect(await run("cat data/f1 open/f1; echo mine >open/f1; cat open/f1")).toContain("k3y\nk3y\nmine");
    await session.close();
  });

  it("a folder of which a person has let a file be read shows that one", async () => {
    fill("data", 6);
    const session = await openSession({
      root,
      ledger: "memory",
      mode: "full-access",
      confine: "prefer",
      rules: { ask: ["reads(data/**)"] },
      approve: async () => ({ allow: "always", rule: "reads(data/f1)" }),
    });
    const answer = await session.call("read", { path: "data/f1" });
    expect(answer.isError, answer.content).toBe(false);
    const shown = await session.call("bash", { command: "cat data/f1 data/f3" });
    expect(shown.content).toContain("k3y");
    expect(shown.content).toContain("data/f3: Permission denied");
    await session.close();
  });

  it("the refusal names the rule that speaks of more files than can be kept apart, and what would work", async () => {
    fill("data", 3_200, (index) => `f${index}.key`);
    const { session, run } = await open(["reads(**/*.key)"]);
    const answer = await run("echo ran");
    expect(answer).toContain("reads(**/*.key) speaks of 3200 files");
    expect(answer).toContain("A rule that names a folder (data/**) keeps it apart as one path");
    expect(answer).not.toMatch(/^ran$/m);
    await session.close();
  });
});

describe.runIf(probe.canFence)("of files that git tracks and a rule withholds", { timeout: 60_000 }, () => {
  it.each(["reads(conf/prod/**)", "reads(conf/prod/k*)"])("none is deleted by a commit: %s", async (rule) => {
    mkdirSync(join(root, "conf/prod/deep"), { recursive: true });
    for (const file of ["conf/prod/key", "conf/prod/deep/key", "a.txt"])
      writeFileSync(join(root, file), "k3y\n");
    const git = (command: string) =>
      spawnSync("bash", ["-c", command], { cwd: root, encoding: "utf8" }).stdout;
    git(
      "git init -q . && git config user.email a@b.c && git config user.name A && git add -A && git commit -qm first",
    );
    const { session, run } = await open([rule, "reads(conf/prod/deep/**)"]);
    for (const command of [
      "git add -A",
      "git commit -am all",
      "git stash",
      "git reset --hard",
      "git add conf",
    ]) {
      const answer = await run(`echo more >>a.txt; ${command}`);
      expect(answer).toContain("a rule withholds what was to be read: conf/prod/");
      expect(answer).toContain("name the other files to git add");
    }
    expect(await run("git add a.txt && git commit -m mine a.txt")).toContain("1 file changed");
    expect(git("git ls-tree -r --name-only HEAD")).toBe("a.txt\nconf/prod/deep/key\nconf/prod/key\n");
    await session.close();
  });
});
