/**
 * Owns that what is kept apart stays so from one command to the next. Leaves the attempts to moved-away.ts.
 * Rule: each succeeds unconfined first; confined, what was to be kept is still there too.
 */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { probe, saySkipped } from "./confine-fixture.ts";
import { MOVES, type Move, RULES, SECRET } from "./moved-away.ts";

saySkipped();
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const rows = MOVES.filter(({ needs }) => needs === undefined || has(needs));
const KEPT = ["conf/prod/key", "many/x/.env", "deep/a/b/locked.txt", "packages/app/.git/config"];

function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-moved-")));
  for (const folder of ["conf/prod", "many/x", "deep/a/b", "packages/app", "linked"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["conf/prod/key", "many/x/.env"]) writeFileSync(join(root, file), `${SECRET}\n`);
  writeFileSync(join(root, "deep/a/b/locked.txt"), "theirs\n");
  spawnSync("git", ["init", "-q", join(root, "packages/app")]);
  symlinkSync("../packages/app/.git", join(root, "linked/.git"));
  return root;
}

async function attempt({ commands, effect }: Move, confine: "off" | "prefer" | "require") {
  const root = makeRoot();
  const kept = KEPT.map((path) => readFileSync(join(root, path), "utf8"));
  // Unconfined, a rule would refuse what names a withheld path: it is the system that is tried here.
  const rules = confine === "off" ? {} : { deny: RULES };
  const session = await openSession({ root, ledger: "memory", mode: "full-access", confine, rules });
  const answers: string[] = [];
  for (const command of commands) answers.push((await session.call("bash", { command })).content);
  await session.close();
  const hasEscaped = effect?.(root) ?? answers.some((content) => /^ESCAPED$/m.test(content));
  const read = (path: string) => spawnSync("cat", [join(root, path)], { encoding: "utf8" }).stdout;
  const isKept = KEPT.every((path, index) => read(path) === kept[index]);
  rmSync(root, { recursive: true, force: true });
  return { hasEscaped, isKept, content: answers.join("\n---\n") };
}

describe.runIf(probe.canFence)("what is kept apart", () => {
  it.each(rows.map((row) => [row.about, row] as const))("%s", { timeout: 60_000 }, async (_about, row) => {
    const free = await attempt(row, "off");
    expect(free.hasEscaped, free.content).toBe(true);
    const { hasEscaped, isKept, content } = await attempt(row, "prefer");
    expect({ hasEscaped, isKept }, content).toEqual({ hasEscaped: false, isKept: true });
  });
});
