/**
 * Owns the packages of the benchmark, installed into a folder of their own below the system's temporary one:
 * source files to cut tasks from, and the edit tools of others. Rule: nothing of it ever comes into the project's
 * own dependencies, and no script of a package runs.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Python, C, C++, Java, CSS, TypeScript sources, prose: what the project's own packages hardly have. */
export const SOURCE_PACKAGES: readonly string[] = [
  "node-gyp@12.4.0",
  "tree-sitter@0.25.1",
  "cordova-android@15.1.0",
  "bulma@1.0.4",
  "lodash@4.18.1",
  "assemblyscript@0.28.20",
  "@parcel/watcher@2.6.0",
];

/** Installs them once; a later run finds them. Gives the `node_modules` folder. */
export function installPackages(packages: readonly string[]): string {
  const key = createHash("sha256").update(packages.join("\n")).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `haft-bench-packages-${key}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, "package.json"), '{"private":true}\n');
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
    try {
      execFileSync("npm", ["install", ...quiet, "--legacy-peer-deps", "--omit=optional", ...packages], {
        cwd: fresh,
        stdio: ["ignore", "ignore", "pipe"],
        timeout: 300_000,
      });
      renameSync(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return join(folder, "node_modules");
}
