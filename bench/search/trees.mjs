/**
 * Owns the trees that searches are measured on, made in the temporary directory and kept there from run to run:
 * small (about 270 files), medium (about 9,000), large (about 78,000 files with 1.2 GB of text).
 * Rule: each is made from Debian's kernel source package; where that cannot be had, a tree of the same shape is
 * generated from a fixed seed, and the report says which it was.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateTree } from "./generated-tree.mjs";

const PACKAGE = "linux-source-6.1";
const BASE = join(tmpdir(), "haft-search-trees");
/** Parts of the large tree that make the others: about as many files as their names say. */
const PARTS = {
  small: ["mm", "ipc", "init", "certs", "usr", "virt"],
  medium: ["fs", "include", "lib"],
};

/** Makes what is missing; gives the folder of each tree and where they come from. */
export function makeTrees() {
  mkdirSync(BASE, { recursive: true });
  const large = join(BASE, "large");
  if (!existsSync(join(large, ".made"))) makeLarge(large);
  const trees = { large };
  for (const [name, parts] of Object.entries(PARTS)) {
    trees[name] = join(BASE, name);
    if (!existsSync(join(trees[name], ".made"))) makePart(trees[name], large, parts);
  }
  return { trees, source: readFileSync(join(large, ".made"), "utf8") };
}

function makeLarge(large) {
  rmSync(large, { recursive: true, force: true });
  const source = unpackKernel(large) ? `${PACKAGE} of Debian` : generateTree(large);
  writeFileSync(join(large, ".made"), source);
}

function unpackKernel(large) {
  const work = join(BASE, "work");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  try {
    execFileSync("apt-get", ["download", PACKAGE], { cwd: work, stdio: "ignore" });
    const script = `dpkg-deb --fsys-tarfile ${PACKAGE}_*.deb | tar -xO ./usr/src/${PACKAGE}.tar.xz | xz -dc | tar -x`;
    execFileSync("sh", ["-euc", script], { cwd: work });
    renameSync(join(work, PACKAGE), large);
  } catch {
    return false;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  // Debian ignores the whole tree there; upstream does not.
  const ignore = join(large, ".gitignore");
  writeFileSync(ignore, readFileSync(ignore, "utf8").replace(/\n\/\*\n!\/debian\/\n/, "\n"));
  renameEndings(large, /\.dtsi?$/);
  return true;
}

function makePart(tree, large, parts) {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree);
  for (const part of parts.filter((name) => existsSync(join(large, name))))
    cpSync(join(large, part), join(tree, part), { recursive: true });
  cpSync(join(large, ".gitignore"), join(tree, ".gitignore"));
  renameEndings(tree, /\.h$/);
  writeFileSync(join(tree, ".made"), parts.join(" "));
}

/** Some files of each tree end in `.ts`, so that there is something for a glob to find. */
function renameEndings(folder, ending) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) renameEndings(path, ending);
    else if (entry.isFile() && ending.test(entry.name)) renameSync(path, path.replace(ending, ".ts"));
  }
}
