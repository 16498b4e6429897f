/**
 * Owns that a host which is killed leaves no folder of its fences for long: the next mount removes it.
 * Leaves processes to survivors.test.ts. Rule: a real host that is killed; folders of others are not touched.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { mountLoosely } from "../support/loose-toolset.ts";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/run-confined.mjs", import.meta.url));

let root = "";
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Those that a process has made. */
function listFolders(pid: number): string[] {
  const begin = `haft-${pid.toString(36)}-`;
  return [tmpdir(), "/var/tmp"].flatMap((place) =>
    readdirSync(place).filter((name) => name.startsWith(begin)),
  );
}

const ROWS = [
  { confine: "prefer", can: probe.canFence, folders: 1 },
  // The socket of the screen has one of its own.
  { confine: "require", can: probe.canCutNetwork, folders: 2 },
];

describe.each(ROWS)("a host that is killed (confine: $confine)", ({ confine, can, folders }) => {
  it.runIf(can)("leaves folders that the next mount removes", { timeout: 60_000 }, async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "haft-left-")));
    mkdirSync(join(root, "sub"));
    const commands = JSON.stringify(["touch /tmp/of-a-command; touch begun; sleep 60"]);
    const host = spawn(process.execPath, [program, dist, root, commands, confine], { stdio: "ignore" });
    const { pid = 0 } = host;
    await expect.poll(() => readdirSync(root), { timeout: 30_000 }).toContain("begun");
    expect(listFolders(pid)).toHaveLength(folders);
    host.kill("SIGKILL");
    await new Promise((resolve) => host.once("close", resolve));
    expect(listFolders(pid)).toHaveLength(folders);
    const tools = mountLoosely(root);
    await expect.poll(() => listFolders(pid), { timeout: 20_000 }).toEqual([]);
    await tools.close();
  });
});
