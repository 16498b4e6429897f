/**
 * Owns what `confine` promises: what happens where there is no fence, what rules mean for commands, how ends are told.
 * Leaves escapes to escapes.test.ts. Rule: a promise that cannot be kept is refused or said aloud, never dropped.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OptionsError, openSession } from "../../src/index.ts";
import { type FenceOptions, findFault } from "../../src/worker/fence-options.ts";
import { type ConfinementProbe, probeConfinement } from "../../src/worker/look-for-programs.ts";
import { makeWorker } from "../faults/worker-fixture.ts";
import { mountLoosely } from "../support/loose-toolset.ts";
import { canBePlainUser } from "../support/plain-user.ts";
import { LOOPBACK, writeProgram } from "../web/browser-fixture.ts";
import { isRoot, probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-promise-")));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const NOTHING: ConfinementProbe = {
  driver: "none",
  canFence: false,
  canHaveNoNetwork: false,
  canCutNetwork: false,
  why: "bubblewrap (the program bwrap) is not installed",
  isSuperuser: false,
  isContainer: false,
};

describe("where nothing can be confined", () => {
  const options = (confine: FenceOptions["confine"]) => ({
    confine,
    probe: () => NOTHING,
    packageFolder: "/nonexistent",
  });

  it("prefer runs the command and says so", async () => {
    const worker = makeWorker({ fence: options("prefer") });
    const end = await worker.run("echo ran");
    expect(end.kind === "ended" && end.fence?.open).toBe(NOTHING.why);
    await worker.remove();
  });

  it("require runs nothing", async () => {
    const worker = makeWorker({ fence: options("require") });
    expect(await worker.run("touch ran")).toEqual({ kind: "not-started", error: NOTHING.why });
    const program = { program: process.execPath, args: ["-p", "1"], cwd: worker.root };
    const end = await worker.programs.run({ ...program, signal: new AbortController().signal });
    expect(end).toEqual({ kind: "not-started", error: NOTHING.why });
    await worker.remove();
  });

  it.each(["prefer", "require"] as const)("a browser is not taken for confined under %s", async (confine) => {
    const html = writeProgram("#!/bin/sh\necho '<html><p>a page</p></html>'\n");
    const network = { privateHosts: ["page.test:8080"], lookup: LOOPBACK };
    const scratch = async () => ({ variables: { TMPDIR: root } });
    const worker = makeWorker({ fence: options(confine), browser: { path: html, network }, scratch });
    const visit = { url: "http://page.test:8080/", waitMs: 0, screenshot: false, maxBytes: 1_000 };
    const visited = await worker.browser?.visit({ ...visit, signal: new AbortController().signal });
    if (confine === "prefer") expect(visited).toMatchObject({ kind: "page", open: NOTHING.why });
    else
      expect(visited?.kind === "refused" && visited.refusal.facts).toMatchObject({
        reason: "not-started",
        lastWords: NOTHING.why,
      });
    await worker.remove();
  });

  it("a network that cannot be taken away is no fault where it is kept", () => {
    const half = { ...NOTHING, canFence: true, why: "no network namespaces" };
    expect(findFault(half, "prefer")).toBeUndefined();
    expect(findFault(half, "require")).toBe("the network cannot be taken away: no network namespaces");
  });
});

describe("the option confine", () => {
  it("takes off, prefer and require, and nothing else", () => {
    for (const confine of ["on", true, "", null])
      expect(() => mountLoosely(root, { confine })).toThrow(
        'option confine: expected "off", "prefer" or "require"',
      );
  });

  it.runIf(!probe.canCutNetwork)("throws at mounting where it requires what cannot be had", () => {
    expect(() => mountLoosely(root, { confine: "require" })).toThrow(OptionsError);
  });

  it("tries the machine once", () => {
    const of = { root: "/nonexistent", path: process.env.PATH };
    expect(probeConfinement(of)).toBe(probeConfinement(of));
  });
});

describe.runIf(probe.canFence)("a confined command", () => {
  it.each([
    ["exit 0", "exit code 0"],
    ["exit 3", "exit code 3"],
    ["kill -9 $$", "killed by SIGKILL"],
    ["kill -TERM $$", "killed by SIGTERM"],
    ["kill -INT $$", "killed by SIGINT"],
    ["kill -PIPE $$", "killed by SIGPIPE"],
    ["nosuch", "exit code 127 (command not found)"],
    ["false | true", "exit code 0"],
    ["cd /; :", "exit code 0"],
    ["kill -9 -1; exit 4", "exit code 4"],
    ["kill -9 1; exit 5", "exit code 5"],
    ["echo $$ $PPID >/dev/null; echo $SHLVL; echo $0", "exit code 0"],
    ["(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 6", "exit code 6"],
    ["for i in $(seq 200); do (true &); done; exit 7", "exit code 7"],
  ])("ends as an unconfined one: %s", { timeout: 60_000 }, async (command, head) => {
    const free = mountLoosely(root, { tools: ["bash"] });
    const fenced = mountLoosely(root, { tools: ["bash"], confine: "prefer" });
    const answer = await fenced.call("bash", { command });
    expect(answer.content.split(/[\n;]/)[0]).toBe(head);
    if (!command.includes("-9")) expect(answer.content).toBe((await free.call("bash", { command })).content);
    await Promise.all([free.close(), fenced.close()]);
  });

  it("sees the environment of an unconfined one", { timeout: 60_000 }, async () => {
    vi.stubEnv("LC_ALL", "C.UTF-8");
    const command = "env | grep -v ^HAFT_MARK | sort; echo $-; umask; ulimit -n; shopt; set -o";
    const free = mountLoosely(root, { tools: ["bash"] });
    const fenced = mountLoosely(root, { tools: ["bash"], confine: "prefer" });
    const [one, other] = [await free.call("bash", { command }), await fenced.call("bash", { command })];
    expect(other.content).toBe(one.content);
    await Promise.all([free.close(), fenced.close()]);
  });

  it("is not confused by names that are hard to spell", async () => {
    const strange = join(root, "a b\\c\n'd|\u00e9");
    mkdirSync(join(strange, ".git", "hooks"), { recursive: true });
    writeFileSync(join(strange, ".git", "config"), "[core]\n");
    const tools = mountLoosely(strange, { tools: ["bash"], confine: "prefer" });
    const answer = await tools.call("bash", { command: "echo x >>.git/config" });
    expect(answer.content).toContain("Read-only file system");
    expect((await tools.call("bash", { command: "echo y >z && cat z" })).content).toContain("y");
    await tools.close();
  });

  it("runs in a folder of the person's as root of the workspace, whose secrets stay closed", async () => {
    mkdirSync(join(root, ".ssh"));
    writeFileSync(join(root, ".ssh", "id_rsa"), "k3y");
    writeFileSync(join(root, ".netrc"), "k3y");
    const tools = mountLoosely(root, {
      tools: ["bash"],
      confine: "prefer",
      shell: { env: { set: { HOME: root } } },
    });
    const answer = await tools.call("bash", { command: "cat .ssh/id_rsa .netrc; echo mine >own && cat own" });
    expect(answer.content).not.toContain("k3y");
    expect(answer.content).toContain("mine");
    await tools.close();
  });

  it("does not read what a rule withholds from read, nor change what a rule denies", {
    timeout: 60_000,
  }, async () => {
    for (const folder of ["secrets/deep", "locked/deep", "open"])
      mkdirSync(join(root, folder), { recursive: true });
    for (const file of ["secrets/key", "secrets/deep/key", "open/.env", "locked/file"])
      writeFileSync(join(root, file), "k3y");
    const session = await openSession({
      root,
      ledger: "memory",
      mode: "full-access",
      confine: "prefer",
      rules: { deny: ["reads(secrets/**)", "read(**/.env)", "writes(locked/**)"] },
    });
    const run = async (command: string) => (await session.call("bash", { command })).content;
    for (const path of ["secrets/key", "secrets/deep/key", "open/.env"]) {
      expect(await run(`cat ${path}`)).toContain("a rule withholds what was to be read");
      expect(await run(`mv ${path} x; cp ${path} y; ln ${path} z; cat x y z`)).not.toContain("k3y");
    }
    expect(await run("cat locked/file")).toContain("k3y");
    for (const command of [
      "echo x >>locked/file",
      "echo x >locked/new",
      "echo x >locked/deep/new",
      "mv locked l",
    ])
      expect(await run(command)).toMatch(/Read-only file system|Device or resource busy/);
    // Made after the fence of the last command was put up.
    writeFileSync(join(root, "secrets", "late"), "k3y");
    expect(await run("cat secrets/late")).not.toContain("k3y");
    await session.close();
  });

  it("removes what one command plants while another begins", { timeout: 60_000 }, async () => {
    mkdirSync(join(root, ".git", "info"), { recursive: true });
    const tools = mountLoosely(root, { tools: ["bash"], confine: "prefer" });
    const long = tools.call("bash", { command: "echo x >.git/config.worktree; touch planted; sleep 3" });
    await vi.waitFor(() => expect(existsSync(join(root, "planted"))).toBe(true), { timeout: 20_000 });
    const short = await tools.call("bash", { command: ":" });
    const words = `${short.content}\n${(await long).content}`;
    expect(words).toContain("removed, because a command may not make it: .git/config.worktree");
    expect(existsSync(join(root, ".git", "config.worktree"))).toBe(false);
    await tools.close();
  });

  it.runIf(probe.canCutNetwork)(
    "finds a port of its own where it has no network",
    { timeout: 60_000 },
    async () => {
      const tools = mountLoosely(root, { tools: ["bash", "jobs"], confine: "require" });
      const server = 'require("http").createServer((q, s) => s.end("own")).listen(48123)';
      await tools.call("bash", { command: `node -e '${server}'`, background: true });
      const met = await tools.call("jobs", { action: "wait", id: "job_1", port: 48123 });
      expect(met.content).toMatch(/48123/);
      expect(met.isError, met.content).toBe(false);
      await tools.close();
    },
  );

  it.runIf(isRoot && canBePlainUser)("is confined as a plain user too", { timeout: 60_000 }, async () => {
    const { spawnSync } = await import("node:child_process");
    const dist = new URL("../../dist/index.js", import.meta.url).href;
    const home = join(root, "home");
    mkdirSync(join(home, ".ssh"), { recursive: true });
    writeFileSync(join(home, ".ssh", "id_rsa"), "k3y");
    spawnSync(
      "bash",
      ["-c", "mkdir work && cd work && git init -q && cd .. && chown -R 65534:65534 . && chmod 755 ."],
      {
        cwd: root,
      },
    );
    const script = `const { mount } = await import(${JSON.stringify(dist)});
      const tools = mount({ root: ${JSON.stringify(join(root, "work"))}, tools: ["bash"], confine: "require" });
      for (const command of ["id -u; cat ~/.ssh/id_rsa; echo x >.git/config; echo made >a; cat a; exit 3", "sleep 600 & exec 3<>/dev/tcp/127.0.0.1/1"])
        console.log((await tools.call("bash", { command })).content);
      await tools.close();`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      uid: 65_534,
      gid: 65_534,
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin", HOME: home },
      cwd: "/",
    });
    expect(stderr).toBe("");
    expect(stdout).toContain("exit code 3");
    expect(stdout).toContain("65534");
    expect(stdout).toContain("made");
    expect(stdout).toContain(".git/config: Read-only file system");
    expect(stdout).not.toContain("k3y");
    expect(stdout).toContain("(sleep 600) still running");
  });
});
