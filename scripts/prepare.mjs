/**
 * Owns what must be there before anything of this repository can run: the packages of the lockfile and a build.
 * Leaves what is run to start.mjs, test.mjs and check.mjs. Rule: Node's own modules only, because it runs
 * before anything is installed; nothing is installed or built again where it is already there.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildAnew } from "./build-dist.mjs";

export const repository = join(import.meta.dirname, "..");
const windows = process.platform === "win32";

/** Runs a program with our standard streams and gives its exit code; a program that cannot start is 127. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: repository, stdio: "inherit", shell: windows, ...options });
  if (done.error) {
    process.stderr.write(`${command} could not be started: ${done.error.message}\n`);
    return 127;
  }
  return done.status ?? 1;
}

/** Runs a program of node_modules/.bin. */
export function runTool(name, args, options) {
  return run(join(repository, "node_modules", ".bin", windows ? `${name}.cmd` : name), args, options);
}

/**
 * Whether what is installed in a folder is what its lockfile asks for. Compared by content and not by time: a checkout
 * touches the lockfile without changing it, and a needless `npm ci` throws away a good node_modules.
 */
export function isInstalled({ folder, mayMiss }) {
  const installedList = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installedList)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedList, "utf8")).packages;
  // Most optional packages are for other systems. Those that we name ourselves are for all, but for what may miss.
  const named = Object.keys(wanted[""].optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  const isOptional = (path, entry) =>
    (entry.optional || entry.devOptional) && (mayMiss(path) || !named.includes(path));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || (installed[path] === undefined && isOptional(path, entry))) return true;
    return installed[path]?.version === entry.version;
  });
}

/** Installs exactly what the lockfile says, where that is not what is there. */
export function installPackages() {
  if (isInstalled({ folder: repository, mayMiss: () => false })) return;
  process.stdout.write("installing the packages of package-lock.json (npm ci)\n");
  const code = run("npm", ["ci", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`);
}

/** Compiles src/ to dist/; no file of a deleted source stays. */
export function build() {
  const errors = buildAnew();
  if (errors !== "") throw new Error(`the build failed:\n${errors}`);
}

/** Ends the process with one line instead of a stack trace: what failed was said by the program that failed. */
export function runMain(main) {
  try {
    process.exitCode = main() ?? 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
