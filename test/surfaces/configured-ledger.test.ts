/**
 * Owns that a person finds what a session kept where the configuration says. Leaves the ledger's commands to
 * cli-ledger.test.ts. Rule: the built program.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HAFT, makeFolder } from "./start-server.ts";

it.each([
  ["ledger", "kept.db"],
  ["stateDir", "state"],
])("haft ledger reads where the person's %s is, below the root and elsewhere", (key, name) => {
  const [root, elsewhere, config] = [makeFolder(), makeFolder(), makeFolder()];
  mkdirSync(join(config, "haft"));
  writeFileSync(
    join(config, "haft", "config.json"),
    JSON.stringify({ roots: { [root]: { [key]: join(elsewhere, name) } } }),
  );
  const haft = (...args: readonly string[]) =>
    spawnSync(process.execPath, [HAFT, ...args, "--root", root], {
      encoding: "utf8",
      env: { ...process.env, XDG_CONFIG_HOME: config },
    });
  expect(haft("call", "list", "{}").status).toBe(0);
  expect(existsSync(join(root, ".haft"))).toBe(false);
  expect(existsSync(join(elsewhere, name))).toBe(true);
  const { stdout, stderr } = haft("ledger", "show", "--json");
  expect(stderr).toBe("");
  expect(stdout).toContain('"list"');
});
