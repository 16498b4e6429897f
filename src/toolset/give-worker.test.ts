/**
 * Owns the tests of what mounting does about other programs. Rule: only a host that insists on ripgrep has it looked
 * for, and only tools that run commands get a shell.
 */
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { OptionsError } from "../contract/errors.ts";
import { openRoot } from "../root/open-root.ts";
import { findRipgrepNow } from "../worker/look-for-programs.ts";
import { giveWorker, type WorkerRequest } from "./give-worker.ts";

vi.mock("../worker/look-for-programs.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("../worker/look-for-programs.ts")>()),
  findRipgrepNow: vi.fn(),
}));

const box = realpathSync(mkdtempSync(join(tmpdir(), "haft-insist-")));
writeFileSync(join(box, "a.txt"), "a\n");
const root = openRoot({ root: box, extraIgnore: [], allowGenerated: false, agentId: "main" });
afterEach(() => {
  vi.unstubAllEnvs();
  vi.mocked(findRipgrepNow).mockReset();
});
afterAll(() => rmSync(box, { recursive: true }));

const shell: WorkerRequest["options"]["shell"] = {
  env: { pass: [], set: {} },
  timeoutMs: 1_000,
  maxTimeoutMs: 1_000,
  onTimeout: "kill",
  sharedCaches: false,
};
const give = (ripgrep: "auto" | "always" | "never", tools: readonly string[] = ["grep"]) =>
  giveWorker({ root, options: { ripgrep, shell }, tools });

describe("the option ripgrep", () => {
  it("throws at mounting where it is always and there is none", () => {
    vi.mocked(findRipgrepNow).mockReturnValue(undefined);
    expect(() => give("always")).toThrow(OptionsError);
    expect(() => give("always")).toThrow("option ripgrep: expected");
  });

  it("uses what was found then", async () => {
    vi.mocked(findRipgrepNow).mockReturnValue("/somewhere/rg");
    expect(await give("always").programs.findRipgrep()).toBe("/somewhere/rg");
  });

  it.each(["auto", "never"] as const)("looks for nothing at mounting where it is %s", (option) => {
    give(option);
    expect(findRipgrepNow).not.toHaveBeenCalled();
  });
});

describe("a toolset", () => {
  it("has a shell where a tool runs commands", () => {
    expect(give("auto").shell).toBeUndefined();
    expect(give("auto", ["read", "bash"]).shell).toBeDefined();
    expect(give("auto", ["jobs"]).shell).toBeDefined();
  });

  it("starts nothing and makes nothing, however often it is closed", async () => {
    const ports = give("auto", ["bash"]);
    expect(await ports.shell?.jobs.list()).toEqual([]);
    expect(await ports.shell?.jobs.read("job_1")).toBeUndefined();
    expect(ports.shell?.jobs.takeEnded()).toEqual([]);
    await Promise.all([ports.close(), ports.close()]);
    await ports.close();
    expect(readdirSync(box)).toEqual(["a.txt"]);
    expect(existsSync(join(box, ".haft"))).toBe(false);
  });
});
