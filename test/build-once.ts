/**
 * Owns that dist/ says what src/ says before a test runs what is built. Leaves compiling to tsc.
 * Rule: several runs side by side do not collide: one builds, the others wait, and each file is replaced as a whole
 * and only where it changed, so that a process that another run has just started finds every file it needs.
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
import { setTimeout as sleep } from "node:timers/promises";

const repository = join(import.meta.dirname, "..");
const src = join(repository, "src");
const dist = join(repository, "dist");
const cache = join(repository, "node_modules", ".cache");
/** Its time says of which moment's sources dist/ is. */
const stamp = join(dist, "index.js");
const lock = join(cache, "haft-build.lock");

export default async function buildOnce(): Promise<void> {
  if (!isStale()) return;
  mkdirSync(cache, { recursive: true });
  await takeLock();
  try {
    if (isStale()) build();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isStale(): boolean {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  const sources = readdirSync(src, { recursive: true, encoding: "utf8" });
  return sources.some((path) => !path.endsWith(".test.ts") && modifiedAt(join(src, path)) > built);
}

/** A folder's time changes when a file in it is removed. What vanishes meanwhile is old. */
function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function build(): void {
  const begun = new Date();
  const fresh = join(repository, `.dist-${process.pid}`);
  try {
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    const done = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", fresh], {
      cwd: repository,
      encoding: "utf8",
    });
    // What does not compile yet may be of no concern to the tests that run; the check of types tells of it.
    if (done.status !== 0) process.stderr.write(`dist/ is built from sources with errors:\n${done.stdout}`);
    if (!existsSync(join(fresh, "index.js"))) throw new Error(`dist/ could not be built: ${done.stderr}`);
    exchange(fresh);
    utimesSync(stamp, begun, begun);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Each file by renaming: whoever opens it finds the old one or the new one, whole. */
function exchange(fresh: string): void {
  const files = listFiles(fresh);
  for (const path of files) {
    const [from, to] = [join(fresh, path), join(dist, path)];
    const stands = existsSync(to);
    if (stands && readFileSync(from).equals(readFileSync(to))) continue;
    if (stands) chmodSync(from, statSync(to).mode);
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  const kept = new Set(files);
  for (const path of listFiles(dist)) if (!kept.has(path)) rmSync(join(dist, path), { force: true });
  chmodSync(join(dist, "surfaces", "cli", "main.js"), 0o755);
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function takeLock(): Promise<void> {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch {
      if (!isHeld()) rmSync(lock, { force: true });
      else await sleep(100);
    }
  }
}

/** A run that was killed holds no lock. A lock without a number is being written. */
function isHeld(): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
