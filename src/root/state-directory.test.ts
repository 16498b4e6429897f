import {
  chmodSync,
  existsSync,
  linkSync,
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
import { runAsPlainUser } from "../../test/support/plain-user.ts";
import { runBash } from "../../test/support/workspace.ts";
import { openRoot } from "./open-root.ts";
import { openStateDirectory, type StateDirectory } from "./state-directory.ts";

let base: string;
let path: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-state-")));
  chmodSync(base, 0o755);
  path = join(base, "root");
  mkdirSync(path);
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

const modeOf = (file: string) => (lstatSync(file).mode & 0o777).toString(8);

async function open(stateDir?: string): Promise<StateDirectory | { readonly error: string }> {
  return openStateDirectory({ root: openRoot({ root: path }), stateDir });
}

async function opens(stateDir?: string): Promise<StateDirectory> {
  const state = await open(stateDir);
  if ("error" in state) expect.fail(state.error);
  return state;
}

async function refuses(stateDir?: string): Promise<string> {
  const state = await open(stateDir);
  if (!("error" in state)) return expect.fail("it opened");
  expect(state.error).toContain("or name another place with the option stateDir");
  return state.error;
}

describe("the state's directory", () => {
  it("is .haft, closed to others, and ignores itself", async () => {
    const state = await opens();
    expect(state.path).toBe(join(path, ".haft"));
    expect(modeOf(state.path)).toBe("700");
    expect(modeOf(join(state.path, ".gitignore"))).toBe("600");
    expect(readFileSync(join(state.path, ".gitignore"), "utf8")).toBe("*\n");
    expect(state.file("ledger.db")).toBe(join(path, ".haft", "ledger.db"));
  });

  it("opens again what it made, and the file in it keeps its bytes", async () => {
    const file = await (await opens()).prepareFile("ledger.db");
    expect(file).toBe(join(path, ".haft", "ledger.db"));
    expect(modeOf(join(path, ".haft", "ledger.db"))).toBe("600");
    writeFileSync(join(path, ".haft", "ledger.db"), "kept");
    await (await opens()).prepareFile("ledger.db");
    expect(readFileSync(join(path, ".haft", "ledger.db"), "utf8")).toBe("kept");
  });

  it("is closed to others where it was open for reading", async () => {
    mkdirSync(join(path, ".haft"));
    chmodSync(join(path, ".haft"), 0o755);
    await opens();
    expect(modeOf(join(path, ".haft"))).toBe("700");
  });

  it("does not let a .gitignore that came with the repository show it", async () => {
    mkdirSync(join(path, ".haft"), { mode: 0o700 });
    writeFileSync(join(base, "other-name"), "!*\n", { mode: 0o600 });
    linkSync(join(base, "other-name"), join(path, ".haft", ".gitignore"));
    await opens();
    expect(readFileSync(join(path, ".haft", ".gitignore"), "utf8")).toBe("*\n");
    expect(readFileSync(join(base, "other-name"), "utf8")).toBe("!*\n");
  });

  it("is elsewhere where stateDir says so, whatever was missing on the way", async () => {
    const elsewhere = join(base, "a", "b", "state");
    const state = await opens(elsewhere);
    expect(state.path).toBe(elsewhere);
    expect(modeOf(elsewhere)).toBe("700");
    expect(existsSync(join(path, ".haft"))).toBe(false);
    expect((await opens(elsewhere)).path).toBe(elsewhere);
  });

  it("takes over no directory of a person's that holds other things", async () => {
    const theirs = join(base, "project");
    mkdirSync(theirs);
    writeFileSync(join(theirs, ".gitignore"), "node_modules\n");
    chmodSync(theirs, 0o755);
    expect(await refuses(theirs)).toContain("holds other things");
    expect(modeOf(theirs)).toBe("755");
    expect(readFileSync(join(theirs, ".gitignore"), "utf8")).toBe("node_modules\n");
  });

  it("is nowhere that the tools may write, and not above the root", async () => {
    expect(await refuses("state")).toContain("outside of the root");
    expect(await refuses(base)).toContain("outside of the root");
    expect(await refuses(path)).toContain("outside of the root");
    expect(readdirSync(path)).toEqual([]);
    expect((await opens(".haft/own")).path).toBe(join(path, ".haft", "own"));
  });
});

describe("what stands where the state should be is not written through", () => {
  const outside = () => readdirSync(join(base, "outside"));
  beforeEach(() => mkdirSync(join(base, "outside"), { mode: 0o700 }));

  it("a link to a directory", async () => {
    symlinkSync(join(base, "outside"), join(path, ".haft"));
    expect(await refuses()).toContain("is a symbolic link");
    expect(outside()).toEqual([]);
  });

  it("a dangling link", async () => {
    symlinkSync(join(base, "not-there"), join(path, ".haft"));
    expect(await refuses()).toContain("is a symbolic link");
    expect(existsSync(join(base, "not-there"))).toBe(false);
  });

  it("a file, a fifo", async () => {
    writeFileSync(join(path, ".haft"), "text");
    expect(await refuses()).toContain("is no directory");
    expect(readFileSync(join(path, ".haft"), "utf8")).toBe("text");
    rmSync(join(path, ".haft"));
    runBash("mkfifo .haft", path);
    expect(await refuses()).toContain("is no directory");
  });

  it("a directory that others may write", async () => {
    mkdirSync(join(path, ".haft"));
    for (const mode of [0o777, 0o720, 0o1777]) {
      chmodSync(join(path, ".haft"), mode);
      expect(await refuses()).toContain("may be written by others");
      expect(readdirSync(join(path, ".haft"))).toEqual([]);
    }
  });

  it.skipIf(process.getuid?.() !== 0)("a directory of another user's", async () => {
    mkdirSync(join(path, ".haft"), { mode: 0o700 });
    runBash("chown 65534:65534 .haft", path);
    expect(await refuses()).toContain("belongs to another user (uid 65534");
    expect(readdirSync(join(path, ".haft"))).toEqual([]);
  });

  it("a .gitignore that is a link, also a dangling one", async () => {
    mkdirSync(join(path, ".haft"), { mode: 0o700 });
    for (const target of ["not-there", "there"]) {
      writeFileSync(join(base, "outside", "there"), "kept", { mode: 0o600 });
      symlinkSync(join(base, "outside", target), join(path, ".haft", ".gitignore"));
      expect(await refuses()).toContain(".gitignore is a symbolic link");
      expect(outside()).toEqual(["there"]);
      expect(readFileSync(join(base, "outside", "there"), "utf8")).toBe("kept");
      rmSync(join(path, ".haft", ".gitignore"));
    }
  });

  it("a ledger, or a file beside it, that is a link", async () => {
    const state = await opens();
    for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"]) {
      symlinkSync(join(base, "outside", "target"), join(path, ".haft", name));
      expect(await state.prepareFile("ledger.db")).toEqual({
        error: expect.stringContaining(`${name} is a symbolic link`),
      });
      expect(outside()).toEqual([]);
      rmSync(join(path, ".haft", name));
    }
  });

  it("a ledger that has another name elsewhere", async () => {
    const state = await opens();
    writeFileSync(join(base, "outside", "mine"), "");
    linkSync(join(base, "outside", "mine"), join(path, ".haft", "ledger.db"));
    expect(await state.prepareFile("ledger.db")).toEqual({
      error: expect.stringContaining("has another name too"),
    });
    expect(readFileSync(join(base, "outside", "mine"), "utf8")).toBe("");
  });

  it("a link on the very way of a stateDir's last name", async () => {
    symlinkSync(join(base, "outside"), join(base, "state"));
    expect(await refuses(join(base, "state"))).toContain("is a symbolic link");
    expect(outside()).toEqual([]);
  });
});

describe("a root that cannot be written", () => {
  it("is said, with the way out", async () => {
    chmodSync(path, 0o555);
    const said = await runAsPlainUser(() => refuses());
    expect(said).toContain(`${join(path, ".haft")} cannot be written (EACCES)`);
  });
});
