/**
 * Owns the sizes that keep files readable: 250 lines warn, 400 fail.
 * Leaves the length of functions to the linter's rule, which knows where one ends.
 * Rule: a file over the limit stands in the list below with its reason, and leaves the list when it shrinks.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { repository } from "./prepare.mjs";

const warnLines = 250;
const maxLines = 400;

/** path → why one file is the right place for all of it. */
const allowed = new Map([
  ["test/hostile-paths/hostile-paths.ts", "one table of every evil path, read and extended as a whole"],
]);

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // The official tools have packages of their own below test/.
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.(ts|mjs)$/.test(entry.name)) yield path;
  }
}

let failed = false;
const seen = new Set();
for (const folder of ["src", "test", "scripts", "examples", "bench"]) {
  for (const path of sourceFiles(join(repository, folder))) {
    const name = relative(repository, path).replaceAll("\\", "/");
    const lines = readFileSync(path, "utf8").split("\n").length - 1;
    if (lines > maxLines && !allowed.has(name)) {
      failed = true;
      process.stdout.write(`${name}: ${lines} lines, at most ${maxLines}\n`);
    } else if (lines > warnLines) process.stdout.write(`${name}: ${lines} lines, aim below ${warnLines}\n`);
    if (lines > maxLines) seen.add(name);
  }
}
for (const name of allowed.keys()) {
  if (seen.has(name)) continue;
  failed = true;
  process.stdout.write(`${name} is in the list of long files and need not be\n`);
}
process.exitCode = failed ? 1 : 0;
