/**
 * Owns that a confined command does not find what haft itself keeps: ledgers, which hold what was read before a rule
 * withheld it. Leaves that nothing of it can be changed to escapes.test.ts. Rule: looked for by the bytes themselves,
 * in all that a command can read of it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { isRoot, probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
const SECRET = "t0ps3cr3t-k3y";
let root: string;
let beside: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-kept-")));
  // Of the folders that a command sees as they are: temporary ones it does not see at all.
  if (isRoot) beside = mkdtempSync("/srv/haft-kept-");
  mkdirSync(join(root, "secrets"));
  writeFileSync(join(root, "secrets/key"), `${SECRET}\n`);
  spawnSync("git", ["init", "-q"], { cwd: root });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  if (isRoot) rmSync(beside, { recursive: true, force: true });
});

/** A session that has read the secret, and a later one to which it is withheld. */
async function openBoth(
  places: string,
  options: { readonly ledger?: string; readonly stateDir?: string } = {},
) {
  const shared = { root, mode: "full-access", ...options } as const;
  const early = await openSession(shared);
  expect((await early.call("read", { path: "secrets/key" })).content).toContain(SECRET);
  // What is not confined finds it: else that nothing is found below would prove nothing.
  expect((await early.call("bash", { command: lookIn(places) })).content).toContain("found");
  await early.close();
  const now = await openSession({ ...shared, confine: "prefer", rules: { deny: ["reads(secrets/**)"] } });
  const run = async (command: string) => (await now.call("bash", { command })).content;
  return { now, run };
}

/** Answers `found` or `none`, and never the secret itself, which the answer would put into the ledger. */
function lookIn(places: string): string {
  const [start, end] = [SECRET.slice(0, 5), SECRET.slice(5)];
  return `k=${start}; grep -rlF "\${k}${end}" ${places} 2>/dev/null | grep -q . && echo found || echo none`;
}

describe.runIf(probe.canFence)("a confined command", { timeout: 60_000 }, () => {
  it("finds of haft's state its own scratch folder, and what keeps git out of it", async () => {
    const { now, run } = await openBoth(".haft");
    expect(await run(`${lookIn(". .haft")}; find .haft -maxdepth 1 | sort`)).toBe(
      "exit code 0\n[stdout]\nnone\n.haft\n.haft/.gitignore\n.haft/scratch",
    );
    expect(await run("cp -r .haft copy; strings .haft/ledger.db* copy/* 2>/dev/null | wc -l")).toContain(
      "[stdout]\n",
    );
    expect(await run(lookIn("copy"))).toContain("none");
    expect(await run("rm -rf copy; git status --porcelain; mktemp >/dev/null && echo made")).toBe(
      "exit code 0\n[stdout]\nmade",
    );
    expect(await run("echo x >.haft/new || echo no")).toContain("no");
    // Seen from outside it is whole.
    expect(readdirSync(join(root, ".haft"))).toContain("ledger.db");
    await now.close();
  });

  it("finds no ledger of another place in the root", async () => {
    mkdirSync(join(root, "logs"));
    const { now, run } = await openBoth("logs", { ledger: join(root, "logs/calls.db") });
    expect(await run(lookIn("logs .haft"))).toContain("none");
    expect(await run("ls logs")).toContain("calls.db");
    await now.close();
  });

  it.runIf(isRoot)("finds no state that is kept outside of the root", async () => {
    const { now, run } = await openBoth(beside, { stateDir: join(beside, "state") });
    expect(await run(`${lookIn(beside)}; mktemp >/dev/null && echo made`)).toBe(
      "exit code 0\n[stdout]\nnone\nmade",
    );
    await now.close();
    const other = await openBoth(`${beside}/calls.db*`, { ledger: join(beside, "calls.db") });
    expect(await other.run(lookIn(`${beside}/calls.db*`))).toContain("none");
    await other.now.close();
  });

  it("does not record as deleted what of it a repository tracks", async () => {
    mkdirSync(join(root, ".haft"));
    writeFileSync(join(root, ".haft/notes"), "a person's own\n");
    const commit = "git add -f .haft/notes && git -c user.name=a -c user.email=a@b commit -qm x";
    expect(spawnSync("bash", ["-c", commit], { cwd: root }).status).toBe(0);
    const { now, run } = await openBoth(".haft");
    await run("git -c user.name=a -c user.email=a@b commit -qam y");
    expect(spawnSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).stdout).toContain(".haft/notes");
    await now.close();
  });
});
