/**
 * Owns getting what stands in test/official: the protocol's own test suite and inspector, AI SDK 7, and the newer Node
 * that they need. Leaves skipping to the tests. Rule: what cannot be had never fails the run; what its absence costs
 * is printed.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isInstalled, repository } from "./prepare.mjs";

const folder = join(repository, "test", "official");
/** Half a minute where the registry answers; one that does not must not hold the run up for long. */
const INSTALL_MAX_MS = 300_000;
/** Of these there is one for each processor, and the others stay away. */
const mayMiss = (path) => /^node_modules\/node-[a-z]+-/.test(path);

export function ensureOfficialTools() {
  if (isInstalled({ folder, mayMiss })) return;
  process.stdout.write("installing the packages of test/official (npm ci)\n");
  // Under `npm test` the settings of this repository come with the environment and win over those of that folder.
  const settings = [
    "--engine-strict=false",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const done = spawnSync("npm", ["ci", ...settings], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
    timeout: INSTALL_MAX_MS,
  });
  if (done.status === 0) return;
  const why = done.error?.message ?? done.stderr.trim().split("\n").slice(0, 4).join(" ");
  process.stdout.write(
    `test/official could not be installed: neither the official suite of MCP, its inspector, AI SDK 7 nor Node 24 is run against (${why})\n`,
  );
}
