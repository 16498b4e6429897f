/**
 * Owns which programs of the system some tests need, and getting them where that is easy.
 * Leaves skipping to the tests. Rule: a missing program never fails the run; what its absence costs is printed.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const programs = [
  { program: "git", package: "git", costs: "ignore rules are not compared with git's" },
  { program: "patch", package: "patch", costs: "diffs are not applied by patch" },
  { program: "rg", package: "ripgrep", costs: "the two search engines are not compared" },
  { program: "bwrap", package: "bubblewrap", costs: "no command is run confined" },
  { program: "nsenter", package: "util-linux", costs: "none is run without a network" },
  { program: "curl", package: "curl", costs: "the way to the network of such a command is not tried" },
  { program: "chromium", package: "chromium", costs: "no page is opened in a browser" },
];

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}

/** apt-get is used only as root and only for what is missing: never a password prompt, never an upgrade. */
function installWithApt(packages) {
  const quiet = {
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  spawnSync("apt-get", ["update"], { ...quiet, timeout: 180_000 });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], {
    ...quiet,
    timeout: 300_000,
  });
}

export function ensurePrograms() {
  const missing = programs.filter((entry) => !isOnPath(entry.program));
  if (missing.length > 0 && process.getuid?.() === 0 && isOnPath("apt-get")) {
    process.stdout.write(`installing ${missing.map((entry) => entry.package).join(", ")} (apt-get)\n`);
    installWithApt(missing.map((entry) => entry.package));
  }
  for (const entry of programs) {
    if (!isOnPath(entry.program)) process.stdout.write(`${entry.program} was not found: ${entry.costs}\n`);
  }
}
