/**
 * Owns where tools run and pages are converted when things are confined: in a worker that is in a fence itself.
 * Leaves what tools answer there to test/isolation/, breaking it in each phase to its faults. Rule: looked at from outside,
 * by what the system says of the process, for no tool tells where it runs.
 */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openToolsFence } from "../../src/worker/tools-fence.ts";
import { ENTRY, makeWorker } from "../faults/worker-fixture.ts";
import { openIsolated, programFile } from "../isolation/isolated.ts";
import { findLive, rareSeconds, waitForNone } from "../support/live-processes.ts";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
const packageFolder = join(dirname(ENTRY), "../..");
const NAMESPACES = ["mnt", "net", "pid", "ipc", "uts"];

interface Fenced {
  /** The driver, a child of this process; process 1 of the namespace; the worker in it. */
  readonly pids: readonly [driver: number, first: number, worker: number];
  /** Where the worker's own view of the disk begins. */
  readonly view: string;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/** The one worker that is in a fence. */
function findFenced(): Fenced {
  const drivers = childrenOf(process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(probe.program ?? "bwrap"),
  );
  expect(drivers).toHaveLength(1);
  const [driver = 0] = drivers;
  const [first = 0] = childrenOf(driver);
  const [worker = 0] = childrenOf(first);
  return { pids: [driver, first, worker], view: `/proc/${worker}/root` };
}

const openConfined = (confine = "prefer", options: Readonly<Record<string, unknown>> = {}) =>
  openIsolated({}, { confine, ...options });

const errorOf = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
};

const MODES = ["prefer", ...(probe.canCutNetwork ? ["require"] : [])];

describe.runIf(probe.canFence).each(MODES)("the worker of the tools, confine: %s", (confine) => {
  it("has namespaces of its own, no powers but those over files, and a filter", async () => {
    const { root, tools } = openConfined(confine);
    writeFileSync(join(root, "a.txt"), "hello\n");
    expectSuccess(await tools.call("read", { path: "a.txt" }));
    const { pids } = findFenced();
    for (const name of NAMESPACES)
      expect(readlinkSync(`/proc/${pids[2]}/ns/${name}`)).not.toBe(readlinkSync(`/proc/self/ns/${name}`));
    const status = readFileSync(`/proc/${pids[2]}/status`, "utf8");
    // Changing owners, and reading, writing and changing files as their owner may: what root keeps.
    const [, powers = "x"] = /^CapEff:\s*(\w+)$/m.exec(status) ?? [];
    expect(Number.parseInt(powers, 16) & ~0b11011).toBe(0);
    expect(status).toMatch(/^Seccomp:\s*2$/m);
    expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
    const network = readFileSync(`/proc/${pids[2]}/net/dev`, "utf8");
    expect(network.split("\n").slice(2).join()).toMatch(/^\s*lo:[^\n:]*$/);
  });

  it("finds a system that it cannot write, nothing of people, and the root, which it can", async () => {
    const { root, tools } = openConfined(confine);
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    writeFileSync(join(root, "haft.config.json"), "{}");
    expectSuccess(await tools.call("write", { path: "a.txt", content: "x" }));
    const { view } = findFenced();
    const seen = (path: string) => join(view, path);
    const write = (path: string) => errorOf(() => writeFileSync(seen(path), "x"));
    expect(write(join(dirname(ENTRY), "planted.js"))).toBe("EROFS");
    expect(existsSync(join(dirname(ENTRY), "planted.js"))).toBe(false);
    expect(write(join(root, "b.txt"))).toBeUndefined();
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("x");
    for (const held of [".git/hooks/pre-commit", ".git/config", "haft.config.json"])
      expect(write(join(root, held))).toBe("EROFS");
    for (const folder of ["/root", "/run"].filter((path) => existsSync(path) && !root.startsWith(path)))
      expect(
        readdirSync(seen(folder)).filter((name) => !packageFolder.startsWith(`${folder}/${name}`)),
      ).toEqual([]);
    // Of temporary files: the way to the root, and the locks that it shares with every haft of this person.
    const [, base = ""] = /^\/tmp\/([^/]+)/.exec(root) ?? [];
    if (base !== "" && tmpdir() === "/tmp") {
      const locks = `haft-locks-${process.getuid?.()}`;
      const others = readdirSync(seen("/tmp")).filter(
        // A person's folder, or this package, may lie there too.
        (name) => ![process.env.HOME, packageFolder].some((path) => path?.startsWith(`/tmp/${name}`)),
      );
      expect(others.sort()).toEqual([base, locks].sort());
      expect(statSync(seen(join("/tmp", locks))).ino).toBe(statSync(join("/tmp", locks)).ino);
    }
  });
});

describe.runIf(probe.canFence)("a confined worker of tools", () => {
  it("converts pages and reads documents, also where tools run in the host", async () => {
    const fence = { confine: "prefer", probe: () => probe, packageFolder } as const;
    const worker = makeWorker({ fence });
    const { signal } = new AbortController();
    const page = { html: "<p>hello <b>you</b></p>", url: "http://a.test/", maxChars: 1_000, signal };
    expect(await worker.pages.convert({ ...page, format: "markdown" })).toMatchObject({ kind: "converted" });
    findFenced();
    await worker.remove();
  });

  const ENDS = [
    ["the worker, killed", 2, "SIGKILL"],
    ["the worker, stopped", 2, "SIGSTOP"],
    ["process 1 of its namespace, killed", 1, "SIGKILL"],
    ["the driver of the fence, killed", 0, "SIGKILL"],
    ["the driver of the fence, stopped with all in it", 0, "SIGSTOP"],
  ] as const;

  it.each(ENDS)("%s: costs one call at most, and nothing is left", async (_what, index, signal) => {
    const bounds = { beatMs: 100, missedBeats: 10 };
    const { root, tools } = openIsolated({ bounds }, { confine: "prefer" });
    writeFileSync(join(root, "a.txt"), "hello\n");
    expectSuccess(await tools.call("read", { path: "a.txt" }));
    const seconds = rareSeconds();
    expectSuccess(await tools.call("bash", { command: `sleep ${seconds}`, background: true }));
    const { pids } = findFenced();
    process.kill(pids[index], signal);
    if (index === 0 && signal === "SIGSTOP") process.kill(pids[2], signal);
    // On a busy machine it may answer once more before it is gone.
    const outputs = [1, 2, 3].map(() => () => tools.call("read", { path: "a.txt" }));
    let lost = 0;
    for (const call of outputs) {
      const output = await call();
      if (!output.isError) continue;
      lost += 1;
      expect(output.refusal.code).toBe("worker-lost");
      expect(output.content).toMatch(
        /^read failed: the process that runs tools (was ended by SIGKILL|did not answer)/,
      );
    }
    expect(lost).toBeLessThanOrEqual(1);
    expect(expectSuccess(await tools.call("jobs", {})).content).toContain("job_1 running");
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 5_000 }).toEqual([]);
    await tools.close();
    expect(findLive(root)).toEqual([]);
    expect(await waitForNone(seconds, 0)).toEqual([]);
  });

  it("is ended by cancelling a call in which it hangs, and by closing", async () => {
    const { root, tools } = openIsolated({ entry: programFile("broken-worker.mjs") }, { confine: "prefer" });
    const host = new AbortController();
    const calling = tools.call("read", { path: "loop-before" }, { signal: host.signal });
    await expect.poll(() => findLive(root).length, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    host.abort();
    expectRefusal(await calling, "call-cancelled");
    await expect.poll(() => findLive(root), { timeout: 3_000 }).toEqual([]);
    const again = tools.call("read", { path: "loop-before" });
    await expect.poll(() => findLive(root).length, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await tools.close();
    expect((await again).isError).toBe(true);
    expect(findLive(root)).toEqual([]);
  });

  it("ends with a host that is killed, while it hangs", { timeout: 60_000 }, async () => {
    const { root } = openConfined();
    const seconds = rareSeconds();
    const args = [programFile("host-that-hangs.mjs"), root, `sleep ${seconds}`, "prefer"];
    const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    await new Promise((resolve) => host.stdout.once("data", resolve));
    expect(findLive(root).length).toBeGreaterThan(1);
    host.kill("SIGKILL");
    await expect.poll(() => findLive(root), { timeout: 25_000 }).toEqual([]);
    expect(await waitForNone(seconds, 25_000)).toEqual([]);
  });

  it("finds the root that is there now, where it was removed and made anew", async () => {
    const { root, tools } = openConfined();
    writeFileSync(join(root, "a.txt"), "old\n");
    expectSuccess(await tools.call("read", { path: "a.txt" }));
    rmSync(root, { recursive: true });
    expectRefusal(await tools.call("read", { path: "a.txt" }), "path-missing");
    mkdirSync(root);
    writeFileSync(join(root, "b.txt"), "new\n");
    expect(expectSuccess(await tools.call("read", { path: "b.txt" })).content).toContain("new");
    expectSuccess(await tools.call("write", { path: "c.txt", content: "x" }));
    expect(readFileSync(join(root, "c.txt"), "utf8")).toBe("x");
  });

  it("reaches what a host's own resolve leads to outside of the root, once it has led there", async () => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "haft-elsewhere-")));
    const resolve = (path: string, of: { root: string }) =>
      path.startsWith("@") ? join(elsewhere, path.slice(1)) : join(of.root, path);
    const { tools } = openConfined("prefer", { resolve });
    expectSuccess(await tools.call("write", { path: "a.txt", content: "x" }));
    expect(existsSync(join(findFenced().view, elsewhere))).toBe(false);
    const [, written] = await Promise.all([
      tools.call("read", { path: "a.txt" }),
      tools.call("write", { path: "@b.txt", content: "y" }),
    ]);
    expectSuccess(written);
    expect(readFileSync(join(elsewhere, "b.txt"), "utf8")).toBe("y");
    expectSuccess(await tools.call("read", { path: "a.txt" }));
    await tools.close();
    rmSync(elsewhere, { recursive: true });
  });

  it("sweeps up what a killed writer left where it writes, and nothing of one that lives", async () => {
    const { root, tools } = openConfined();
    expectSuccess(await tools.call("list", {}));
    const { newTemporaryName } = await import("../../src/root/temporary-name.ts");
    const living = newTemporaryName();
    const gone = living.replace(/^\.haft-\w+-/, `.haft-${(2 ** 22 + 1).toString(36)}-`);
    mkdirSync(join(root, "sub"));
    for (const name of [living, gone]) writeFileSync(join(root, "sub", name), "half");
    expectSuccess(await tools.call("write", { path: "sub/a.txt", content: "x" }));
    expect(readdirSync(join(root, "sub")).sort()).toEqual([living, "a.txt"].sort());
  });

  it("shares the locks of edits with the worker of another toolset", async () => {
    const { root, tools, mountAgain } = openConfined();
    const other = mountAgain();
    writeFileSync(join(root, "a.txt"), "start\n");
    const editing = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? tools : other).call("edit", {
        path: "a.txt",
        edits: [{ old_text: "start\n", new_text: `start\n${index}\n` }],
      }),
    );
    for (const output of await Promise.all(editing)) expectSuccess(output);
    expect(readFileSync(join(root, "a.txt"), "utf8").trim().split("\n")).toHaveLength(13);
  });
});

describe("where no fence can be had", () => {
  const cannot = { canFence: false, canCutNetwork: false, canHaveNoNetwork: false };
  const nothing = { driver: "none", ...cannot, why: "there is none" } as const;
  const open = (confine: "prefer" | "require") =>
    openToolsFence({
      confine,
      probe: () => ({ ...nothing, isSuperuser: false, isContainer: false }),
      packageFolder,
      entry: ENTRY,
      root: { path: "/nonexistent" } as never,
    });

  it("prefer goes on, and says so once; require has no worker", () => {
    const preferred = open("prefer");
    expect(preferred.put()).toEqual({ kind: "open", why: "there is none" });
    expect([preferred.takeOpen(), preferred.takeOpen()]).toEqual(["there is none", undefined]);
    expect(open("require").put()).toEqual({ kind: "refused", error: "there is none" });
  });

  it.runIf(!probe.canFence)(
    "a host is told by a note on the first result, and the model is not",
    async () => {
      const { tools } = openConfined();
      const outputs = [await tools.call("list", {}), await tools.call("list", {})];
      expect(outputs.map(({ notes }) => notes.map(({ audience }) => audience))).toEqual([["host"], []]);
      expect(outputs[0]?.content).toBe(outputs[1]?.content);
    },
  );
});
