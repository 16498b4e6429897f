import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { openRoot } from "./open-root.ts";
import { locate } from "./resolve.ts";
import { pump } from "./search-pump.ts";
import { walkRuns, walkTree } from "./walk.ts";
import { EVERYTHING, startCounts } from "./walk-counts.ts";
import { type WalkDisk, walkDisk } from "./walk-disk.ts";

let around: string;
let root: string;
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-walk-")));
  root = join(around, "root");
});
// A path may be longer than Node can remove.
afterEach(() => execFileSync("rm", ["-rf", around]));

function shell(script: string): void {
  execFileSync("bash", ["-euc", `mkdir -p root; cd root; ${script}`], { cwd: around });
}

async function walk(options: { disk?: WalkDisk; signal?: AbortSignal; maxDepth?: number } = {}) {
  const opened = openRoot({ root });
  const place = await locate(opened, { path: ".", link: "follow", mustExist: true });
  if (isRefusal(place)) throw new Error(place.code);
  const counts = startCounts();
  const paths: string[] = [];
  const { disk, maxDepth } = options;
  const request = {
    root: opened,
    place,
    withholds: () => undefined,
    steering: EVERYTHING,
    ...(disk === undefined ? {} : { disk }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
  };
  await pump(walkTree(request, counts), {
    signal: options.signal ?? new AbortController().signal,
    take: ({ path, kind }) => paths.push(kind === "directory" ? `${path}/` : path),
  });
  return { paths, counts };
}

/** A disk on which `act` runs just before the folder whose path ends so is read. */
function actBefore(folder: string, act: () => void): WalkDisk {
  return {
    ...walkDisk,
    readFolder: (real) => {
      if (real.endsWith(folder)) act();
      return walkDisk.readFolder(real);
    },
  };
}

describe("walkTree", () => {
  it("gives whole paths in the order of bytes", async () => {
    shell("mkdir a a-b a/c; touch a.ts a/x a/c/y a-b/z B");
    expect((await walk()).paths).toEqual(["B", "a-b/", "a-b/z", "a.ts", "a/", "a/c/", "a/c/y", "a/x"]);
  });

  it("goes no deeper than it is told", async () => {
    shell("mkdir -p a/b/c");
    expect((await walk({ maxDepth: 2 })).paths).toEqual(["a/", "a/b/"]);
  });

  it("never reads a folder that was exchanged for a link to the outside", async () => {
    shell("mkdir -p d ../out; touch d/mine ../out/theirs z");
    const disk = actBefore("/d", () => {
      renameSync(join(root, "d"), join(root, "moved"));
      symlinkSync(join(around, "out"), join(root, "d"));
    });
    const { paths, counts } = await walk({ disk });
    expect(paths).toEqual(["d/", "z"]);
    expect(counts.unreadable).toEqual([]);
  });

  it("never reads through a folder above that was exchanged for a link to the outside", async () => {
    shell("mkdir -p d/e ../out/e; touch d/e/mine ../out/e/theirs");
    const disk = actBefore("/d/e", () => {
      renameSync(join(root, "d"), join(root, "moved"));
      symlinkSync(join(around, "out"), join(root, "d"));
    });
    expect((await walk({ disk })).paths).toEqual(["d/", "d/e/"]);
  });

  it("opens no file through a folder that was exchanged", () => {
    shell("mkdir -p d ../out; echo mine > d/f; echo theirs > ../out/f");
    const real = `${root}/d/f`;
    const opened = walkDisk.openFile(real);
    if ("error" in opened) throw new Error(opened.error);
    walkDisk.close(opened.fd);
    renameSync(join(root, "d"), join(root, "moved"));
    symlinkSync(join(around, "out"), join(root, "d"));
    expect(walkDisk.openFile(real)).toEqual({ error: "moved" });
    expect(walkDisk.describe(`${root}/d`, [{ name: "f", kind: "file" }]).size).toBe(0);
  });

  it("opens no FIFO, and does not wait for one", () => {
    shell("mkfifo p");
    expect(walkDisk.openFile(`${root}/p`)).toEqual({ error: "moved" });
  });

  it("goes on where a folder vanishes", async () => {
    shell("mkdir a b; touch a/x b/y");
    const disk = actBefore("/a", () => rmSync(join(root, "a"), { recursive: true }));
    const { paths, counts } = await walk({ disk });
    expect(paths).toEqual(["a/", "b/", "b/y"]);
    expect(counts.unreadable).toEqual([]);
  });

  it.each(["EACCES", "EIO", "EMFILE"])("names a folder that fails with %s, and goes on", async (error) => {
    shell("mkdir a b; touch b/y");
    const disk: WalkDisk = {
      ...walkDisk,
      readFolder: (real) => (real.endsWith("/a") ? { error } : walkDisk.readFolder(real)),
    };
    const { paths, counts } = await walk({ disk });
    expect(paths).toEqual(["a/", "b/", "b/y"]);
    expect(counts.unreadable).toEqual([{ path: "a", error }]);
  });

  it("survives names that are not UTF-8, as folders too", async () => {
    shell(`d="$(printf 'n\\xe9')"; mkdir "$d"; touch "$d/x"`);
    expect((await walk()).paths).toEqual(["n\xe9/", "n\xe9/x"]);
  });

  it("names a path that is longer than the system takes, and goes on", async () => {
    shell(
      `n=$(printf 'n%.0s' $(seq 200)); for i in $(seq 30); do mkdir $n; cd $n; done; cd ${root}; touch z`,
    );
    const { paths, counts } = await walk();
    expect(paths.at(-1)).toBe("z");
    expect(counts.unreadable.map(({ error }) => error)).toEqual(["ENAMETOOLONG"]);
  });

  it("stops when it is cancelled, before and between folders", async () => {
    shell("mkdir a b; touch a/x b/y");
    await expect(walk({ signal: AbortSignal.abort() })).rejects.toThrow();
    const abort = new AbortController();
    const slow = actBefore("/a", () => {
      abort.abort();
      const until = performance.now() + 20;
      while (performance.now() < until);
    });
    await expect(walk({ disk: slow, signal: abort.signal })).rejects.toThrow();
  });
});

describe("walkRuns", () => {
  it("ends a run before anything that is left out and counted, and at a folder", async () => {
    shell("touch a b c.o d e; mkdir m; touch m/x m/y z; echo '*.o' > .gitignore");
    const opened = openRoot({ root });
    const place = await locate(opened, { path: ".", link: "follow", mustExist: true });
    if (isRefusal(place)) throw new Error(place.code);
    const counts = startCounts();
    const withholds = (path: string) => (path.endsWith("/y") ? "a rule" : undefined);
    const steering = { ...EVERYTHING, takes: (_: true, { kind }: { kind: string }) => kind === "file" };
    const met: string[] = [];
    for (const run of walkRuns({ root: opened, place, withholds, steering }, counts)) {
      if (run === undefined) continue;
      const names = run.entries.map(({ name }) => run.path + name).join(" ");
      met.push(`${names}; ${counts.ignored} ignored, ${counts.withheld.size} withheld`);
    }
    expect(met).toEqual([
      ".gitignore a b; 0 ignored, 0 withheld",
      "d e; 1 ignored, 0 withheld",
      "m/x; 1 ignored, 0 withheld",
      "z; 1 ignored, 1 withheld",
    ]);
    expect(counts).toMatchObject({ ignored: 1, withheld: new Map([["a rule", 1]]) });
  });
});
