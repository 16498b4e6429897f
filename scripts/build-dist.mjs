/**
 * Owns making dist/ say what src/ says. Leaves compiling to tsc, the command line to bundle-cli.mjs. Rule: runs side by side do not collide. One builds,
 * the others wait; each file is replaced as a whole and only where it changed, so that a process that another run has
 * just started finds every file it needs; a file of a deleted source does not stay.
 *
 * Vitest calls what is exported by default before any test: what runs in a process of its own runs as built.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

const repository = join(import.meta.dirname, "..");
const src = join(repository, "src");
const dist = join(repository, "dist");
const cache = join(repository, "node_modules", ".cache");
/** Its time says of which moment's sources dist/ is. */
const stamp = join(dist, "index.js");
const lock = join(cache, "haft-build.lock");

/** What does not compile may be of no concern to the tests that run; the check of types tells of it. */
export default function buildWhereStale() {
  if (!isStale()) return;
  const errors = withLock(() => (isStale() ? build() : ""));
  if (errors !== "") process.stderr.write(`dist/ is built from sources with errors:\n${errors}\n`);
}

/** Builds whatever stands there. Gives what the compiler has to say, nothing where all is well. */
export function buildAnew() {
  return withLock(build);
}

function isStale() {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  const sources = readdirSync(src, { recursive: true });
  return sources.some((path) => !path.endsWith(".test.ts") && modifiedAt(join(src, path)) > built);
}

/** A folder's time changes when a file in it is removed. What vanishes meanwhile is old. */
function modifiedAt(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function build() {
  const begun = new Date();
  // Beside dist/, so that what source maps say of src/ holds; always the same, so that the bundle's names are too.
  const fresh = join(repository, ".dist-fresh");
  rmSync(fresh, { recursive: true, force: true });
  try {
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    const done = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", fresh], {
      cwd: repository,
      encoding: "utf8",
    });
    if (!existsSync(join(fresh, "index.js")))
      throw new Error(`dist/ could not be built: ${done.stdout}${done.stderr}`);
    bundleCommandLine(fresh);
    exchange(fresh);
    utimesSync(stamp, begun, begun);
    return done.status === 0 ? "" : `${done.stdout}${done.stderr}`;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** In a process of its own: the bundler is a package, and this file is loaded before there are any. */
function bundleCommandLine(folder) {
  const bundle = join(import.meta.dirname, "bundle-cli.mjs");
  const done = spawnSync(process.execPath, [bundle, folder], { cwd: repository, encoding: "utf8" });
  if (done.status !== 0)
    throw new Error(`the command line could not be bundled: ${done.stdout}${done.stderr}`);
}

/** Each file by renaming: whoever opens it finds the old one or the new one, whole. */
function exchange(fresh) {
  const files = listFiles(fresh);
  for (const path of files) {
    const [from, to] = [join(fresh, path), join(dist, path)];
    if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
    if (path === join("surfaces", "cli", "main.js")) chmodSync(from, 0o755);
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  const kept = new Set(files);
  for (const path of listFiles(dist)) if (!kept.has(path)) rmSync(join(dist, path), { force: true });
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function withLock(act) {
  mkdirSync(cache, { recursive: true });
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isHeld()) rmSync(lock, { force: true });
    return false;
  }
}

/** A run that was killed holds no lock. A lock without a number is being written. */
function isHeld() {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
