import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runBash } from "../../test/support/workspace.ts";
import { openRoot } from "./open-root.ts";
import { openScratch, type Scratch } from "./scratch.ts";

let base: string;
let path: string;

beforeEach(() => {
  // Short, so that sockets fit.
  base = realpathSync(mkdtempSync("/tmp/hs-"));
  path = join(base, "r");
  mkdirSync(path);
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

async function opens(of: { root?: string; agentId?: string; sharedCaches?: boolean } = {}): Promise<Scratch> {
  const root = openRoot({ root: of.root ?? path, agentId: of.agentId });
  const scratch = await openScratch({ root, sharedCaches: of.sharedCaches ?? false });
  if ("error" in scratch) return expect.fail(scratch.error);
  return scratch;
}

describe("scratch", () => {
  it("sends temporary files and caches below .haft/scratch/<agentId>, closed to others", async () => {
    const scratch = await opens({ agentId: "agent_2" });
    const own = join(path, ".haft", "scratch", "agent_2");
    expect(scratch.path).toBe(own);
    expect(scratch.variables).toEqual({
      TMPDIR: join(own, "tmp"),
      TMP: join(own, "tmp"),
      TEMP: join(own, "tmp"),
      XDG_CACHE_HOME: join(own, "cache", "xdg"),
      npm_config_cache: join(own, "cache", "npm"),
      YARN_CACHE_FOLDER: join(own, "cache", "yarn"),
      BUN_INSTALL_CACHE_DIR: join(own, "cache", "bun"),
      PIP_CACHE_DIR: join(own, "cache", "pip"),
      UV_CACHE_DIR: join(own, "cache", "uv"),
    });
    for (const directory of ["..", ".", "tmp", "cache"])
      expect((lstatSync(join(own, directory)).mode & 0o777).toString(8)).toBe("700");
    await scratch.dispose();
  });

  it("leaves the person's caches alone where they are shared", async () => {
    const scratch = await opens({ sharedCaches: true });
    expect(Object.keys(scratch.variables)).toEqual(["TMPDIR", "TMP", "TEMP"]);
    await scratch.dispose();
  });

  it("empties tmp at the end, follows no link in it, and keeps the caches", async () => {
    const scratch = await opens();
    writeFileSync(join(base, "precious"), "kept");
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside", "precious"), "kept");
    runBash(
      `cd tmp && mkdir -p a/.git/b .haft && echo x > a/.git/b/f && ln -s ${base}/outside link && ln -s ${base}/precious file &&
       mkdir closed && echo x > closed/f && chmod 500 closed && mkfifo pipe && printf x > $'\\xff' && echo x > ../cache/kept`,
      scratch.path,
    );
    await scratch.dispose();
    expect(readdirSync(join(scratch.path, "tmp"))).toEqual([]);
    expect(readdirSync(join(scratch.path, "cache"))).toEqual(["kept"]);
    expect(readFileSync(join(base, "outside", "precious"), "utf8")).toBe("kept");
    expect(readFileSync(join(base, "precious"), "utf8")).toBe("kept");
  });

  it("empties nothing through a tmp that a command made a link, and makes it anew the next time", async () => {
    const scratch = await opens();
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside", "precious"), "kept");
    rmSync(join(scratch.path, "tmp"), { recursive: true });
    symlinkSync(join(base, "outside"), join(scratch.path, "tmp"));
    await scratch.dispose();
    const again = await opens();
    expect(lstatSync(join(again.path, "tmp")).isDirectory()).toBe(true);
    await again.dispose();
    expect(readdirSync(join(base, "outside"))).toEqual(["precious"]);
  });

  it("leaves tmp to another session of the same agent; the last one empties it", async () => {
    const [one, other] = [await opens(), await opens()];
    writeFileSync(join(one.path, "tmp", "in-use"), "x");
    await one.dispose();
    expect(readdirSync(join(other.path, "tmp"))).toEqual(["in-use"]);
    await other.dispose();
    expect(readdirSync(other.path).sort()).toEqual(["cache", "tmp"]);
    expect(readdirSync(join(other.path, "tmp"))).toEqual([]);
  });

  it("gives a private folder of the system's where a socket's path would not fit, and removes it", async () => {
    const deep = join(path, "deep".repeat(10));
    mkdirSync(deep);
    const scratch = await opens({ root: deep });
    const { TMPDIR = "", npm_config_cache = "" } = scratch.variables;
    expect(TMPDIR.startsWith(join(realpathSync(tmpdir()), "haft-"))).toBe(true);
    expect((lstatSync(TMPDIR).mode & 0o777).toString(8)).toBe("700");
    expect(npm_config_cache).toBe(join(scratch.path, "cache", "npm"));
    writeFileSync(join(TMPDIR, "left"), "x");
    await scratch.dispose();
    expect(existsSync(TMPDIR)).toBe(false);
  });

  it.each([".haft/scratch", ".haft/scratch/main"])("writes nothing through a link at %s", async (name) => {
    mkdirSync(join(base, "outside"), { mode: 0o700 });
    mkdirSync(join(path, name, ".."), { recursive: true });
    chmodSync(join(path, ".haft"), 0o700);
    chmodSync(join(path, name, ".."), 0o700);
    symlinkSync(join(base, "outside"), join(path, name));
    expect(await openScratch({ root: openRoot({ root: path }), sharedCaches: false })).toEqual({
      error: expect.stringContaining("is a symbolic link"),
    });
    expect(readdirSync(join(base, "outside"))).toEqual([]);
  });

  it("takes no agent id that could be a path", async () => {
    for (const agentId of ["..", "a/b", "", "x".repeat(65)]) {
      const root = openRoot({ root: path, agentId });
      expect(await openScratch({ root, sharedCaches: false })).toHaveProperty("error");
    }
    expect(readdirSync(path)).toEqual([]);
  });
});
