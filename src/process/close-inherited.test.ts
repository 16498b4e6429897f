/**
 * Owns the tests of what a worker and its commands inherit of the host's descriptors. Rule: a real process, born with
 * one descriptor more, which runs what is built.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-inherited-")));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Runs a script in a process that has this folder on 3 and on 251: Node itself sees to the low ones alone. */
async function run(script: string): Promise<string> {
  const program = 'exec 3<. 251<. "$0" --input-type=module -e "$1"';
  const child = spawn("bash", ["-c", program, process.execPath, script], {
    cwd: join(import.meta.dirname, "..", ".."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  return text(child.stdout as Readable);
}

it.runIf(process.platform === "linux")(
  "lets go of what lies above the own channel, and of nothing of its own",
  async () => {
    const printed = await run(`
    import { readFileSync, readlinkSync } from "node:fs";
    import { closeInherited } from "./dist/process/close-inherited.js";
    closeInherited({ upTo: 3 });
    const isOpen = (fd) => { try { return readlinkSync("/proc/self/fd/" + fd) !== ""; } catch { return false; } };
    setTimeout(() => console.log(JSON.stringify([isOpen(3), isOpen(251), readFileSync("package.json").length > 0])), 10);`);
    expect(JSON.parse(printed)).toEqual([true, false, true]);
  },
);

it.runIf(process.platform === "linux")("gives a command none of the host's descriptors", async () => {
  const printed = await run(`
    import { mount } from "./dist/index.js";
    const tools = mount({ root: ${JSON.stringify(root)}, tools: ["bash"] });
    const { content } = await tools.call("bash", { command: "cd /proc/self/fd; echo *" });
    await tools.close();
    console.log(JSON.stringify(content));`);
  // The shell's own is the listing's.
  expect(JSON.parse(printed)).toMatch(/^exit code 0\n\[stdout\]\n0 1 2( 3)?( 255)?\n/);
});
