/**
 * Owns that what rules withhold cannot be opened in a fence by another name: where a link leads, and hard links.
 * Leaves rules without links to promises.test.ts, haft's own tools to src/permission/links.test.ts.
 * Rule: every command is one that shows the secret without a rule.
 */
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { probe, SECRET, saySkipped } from "./confine-fixture.ts";

saySkipped();

function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-names-")));
  for (const folder of ["conf", "config", "store/prod/deep", "secrets/deep", "plain"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const path of ["config/local.env", "store/prod/key", "store/prod/deep/key", "secrets/deep/key"])
    writeFileSync(join(root, path), `${SECRET}\n`);
  writeFileSync(join(root, "plain/shown"), "shown\n");
  symlinkSync("config/local.env", join(root, ".env"));
  symlinkSync("../store/prod", join(root, "conf/prod"));
  linkSync(join(root, "secrets/deep/key"), join(root, "plain/aaa"));
  return root;
}

async function runAll(deny: readonly string[], commands: readonly string[]) {
  const root = makeRoot();
  const rules = { deny: [...deny] };
  const session = await openSession({
    root,
    ledger: "memory",
    mode: "full-access",
    confine: "prefer",
    rules,
  });
  const answers: string[] = [];
  for (const command of commands) answers.push((await session.call("bash", { command })).content);
  await session.close();
  rmSync(root, { recursive: true, force: true });
  return answers;
}

const ROWS: readonly (readonly [rule: string, commands: readonly string[]])[] = [
  ["reads(.env*)", ["cat .env", "cat config/local.env", "rm -f .env; true", "cat config/local.env"]],
  ["reads(**/.env)", ["cat .env", "cat config/local.env"]],
  [
    "reads(conf/prod/**)",
    ["cat conf/prod/key", "cat store/prod/key", "cat store/prod/deep/key", "mv conf x", "cat store/prod/key"],
  ],
  ["reads(conf/*/key)", ["cat store/prod/key"]],
  ["reads(secrets/**)", ["cat plain/aaa", "cat secrets/deep/key"]],
  ["reads(secrets/deep/key)", ["cat plain/aaa"]],
];

describe.runIf(probe.canFence)("a command that is confined", () => {
  it.each(ROWS)(
    "does not open what %s withholds by another name",
    { timeout: 60_000 },
    async (rule, commands) => {
      const free = await runAll([], commands);
      expect(free.join("\n")).toContain(SECRET);
      const shut = await runAll([rule], [...commands, "cat plain/shown"]);
      expect(shut.join("\n")).not.toContain(SECRET);
      expect(shut.at(-1)).toContain("shown");
    },
  );
});

/** Outside of the root, and where a fence shows what is there. */
const SHOWN = "/srv";

function canMakeOutside(): boolean {
  try {
    accessSync(SHOWN, constants.W_OK);
    return true;
  } catch {
    console.warn(`what links lead to outside of the root is not tried: ${SHOWN} cannot be written`);
    return false;
  }
}

describe.runIf(probe.canFence && canMakeOutside())("a link of a withheld name that leads outside", () => {
  it("does not show there what is withheld", { timeout: 60_000 }, async () => {
    const outside = mkdtempSync(join(SHOWN, "haft-outside-"));
    const root = makeRoot();
    try {
      writeFileSync(join(outside, "env"), `${SECRET}\n`);
      mkdirSync(join(outside, "prod"));
      writeFileSync(join(outside, "prod/key"), `${SECRET}\n`);
      symlinkSync(join(outside, "env"), join(root, "out.env"));
      symlinkSync(join(outside, "prod"), join(root, "out"));
      symlinkSync("/", join(root, "top"));
      const run = async (deny: readonly string[]) => {
        const rules = { deny: [...deny] };
        const session = await openSession({
          root,
          ledger: "memory",
          mode: "full-access",
          confine: "prefer",
          rules,
        });
        const commands = [
          "cat out.env",
          "cat out/key",
          `cat ${outside}/env ${outside}/prod/key`,
          "cat plain/shown",
        ];
        const answers: string[] = [];
        for (const command of commands) answers.push((await session.call("bash", { command })).content);
        await session.close();
        return answers;
      };
      expect((await run([])).filter((content) => content.includes(SECRET))).toHaveLength(3);
      const shut = await run(["reads(out.env)", "reads(out/**)", "reads(top/**)"]);
      expect(shut.join("\n")).not.toContain(SECRET);
      expect(shut.at(-1)).toContain("shown");
    } finally {
      for (const folder of [outside, root]) rmSync(folder, { recursive: true, force: true });
    }
  });
});
