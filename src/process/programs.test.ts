/**
 * Owns the tests of finding ripgrep and of running programs. Rule: real programs, made for the test in a folder of its own.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listRipgreps } from "./find-ripgrep.ts";
import { findRipgrepNow, openPrograms } from "./programs.ts";
import { isUsableRipgrep } from "./ripgrep-version.ts";
import { runProgram } from "./spawn-program.ts";

let around = "";
let root = "";
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-process-")));
  root = join(around, "root");
  mkdirSync(root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(around, { recursive: true, force: true });
});

function makeProgram(folder: string, script: string, name = "rg"): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const list = (path: string, packaged = false) => listRipgreps({ root, path, packaged });

describe("finding ripgrep", () => {
  it("takes the first on PATH, by its real path", () => {
    const first = makeProgram(join(around, "a"), "");
    const second = makeProgram(join(around, "b"), "");
    mkdirSync(join(around, "links"));
    symlinkSync(second, join(around, "links", "rg"));
    expect(list([join(around, "a"), join(around, "links")].join(delimiter))).toEqual([first, second]);
  });

  it("takes none that lies in the root, by whatever way PATH leads there", () => {
    const planted = makeProgram(join(root, "node_modules", ".bin"), "");
    mkdirSync(join(around, "links"));
    symlinkSync(planted, join(around, "links", "rg"));
    symlinkSync(root, join(around, "elsewhere"));
    const ways = [
      join(root, "node_modules", ".bin"),
      join(around, "links"),
      join(around, "elsewhere", "node_modules", ".bin"),
      "node_modules/.bin",
      ".",
      "",
    ];
    expect(list(ways.join(delimiter))).toEqual([]);
  });

  it("passes over folders and files that cannot be executed", () => {
    mkdirSync(join(around, "a", "rg"), { recursive: true });
    mkdirSync(join(around, "b"));
    writeFileSync(join(around, "b", "rg"), "", { mode: 0o644 });
    expect(list([join(around, "a"), join(around, "b")].join(delimiter))).toEqual([]);
  });

  it("falls back on the packaged one, where it is installed", () => {
    const packaged = list("", true);
    if (packaged.length === 0)
      return console.log("skipped: @vscode/ripgrep is not installed for this system");
    expect(packaged).toHaveLength(1);
    expect(existsSync(packaged[0] ?? "")).toBe(true);
  });

  it("takes only what answers as ripgrep 13 or later", async () => {
    expect(isUsableRipgrep("ripgrep 13.0.0\n-SIMD")).toBe(true);
    expect(isUsableRipgrep("ripgrep 15.0.0 (rev 3a612f88b8)\n")).toBe(true);
    expect(isUsableRipgrep("ripgrep 12.1.1\n")).toBe(false);
    expect(isUsableRipgrep("grep (GNU grep) 3.8\n")).toBe(false);
    makeProgram(join(around, "liar"), "exit 0");
    makeProgram(join(around, "broken"), "echo ripgrep 14.0.0; exit 3");
    const good = makeProgram(join(around, "good"), "echo ripgrep 14.1.0");
    vi.stubEnv("PATH", ["liar", "broken", "good"].map((name) => join(around, name)).join(delimiter));
    expect(await openPrograms({ root }).findRipgrep()).toBe(good);
    expect(findRipgrepNow(root)).toBe(good);
  });
});

describe("a program", () => {
  const run = (script: string, signal = new AbortController().signal) =>
    runProgram({
      program: makeProgram(join(around, "bin"), script, "p"),
      args: ["x y", "$HOME"],
      cwd: root,
      signal,
    });

  it("gets its arguments as they are, no input, and gives back what it printed", async () => {
    const end = await run('printf "%s|" "$@"; pwd; cat; exit 3');
    expect(end).toEqual({ kind: "ended", status: 3, output: Buffer.from(`x y|$HOME|${root}\n`) });
  });

  it("sees nothing of the host's secrets", async () => {
    vi.stubEnv("HAFT_TEST_SECRET", "s3cret");
    vi.stubEnv("RIPGREP_CONFIG_PATH", "/x");
    const end = await run("env");
    expect(end.kind === "ended" && end.output.toString()).toMatch(/^PATH=/m);
    expect(end.kind === "ended" && end.output.toString()).not.toMatch(/s3cret|RIPGREP/);
  });

  it("gives back large output whole", async () => {
    const end = await run("head -c 5000000 /dev/zero");
    expect(end.kind === "ended" && end.output.length).toBe(5_000_000);
  });

  it("that cannot be started is told of, not thrown", async () => {
    const signal = new AbortController().signal;
    const end = await runProgram({ program: join(around, "none"), args: [], cwd: root, signal });
    expect(end).toMatchObject({ kind: "not-started" });
  });

  it("is ended with what it started when it is cancelled", async () => {
    const controller = new AbortController();
    const pids = join(root, "pids");
    const running = run(`sleep 60 & echo $! $$ > ${pids}; wait`, controller.signal);
    while (!existsSync(pids) || !readFileSync(pids, "utf8").endsWith("\n")) await sleep(5);
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    for (const pid of readFileSync(pids, "utf8").trim().split(" ")) {
      await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
    }
  });

  it("is not started once it is cancelled", async () => {
    await expect(run(`touch ${join(root, "ran")}`, AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(join(root, "ran"))).toBe(false);
  });
});

/** A zombie that nobody has waited for yet does not run. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
