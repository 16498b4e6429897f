/**
 * Owns what is said of a root that is no longer what was mounted. Leaves folders below it to src/root/.
 * Rule: naming the root costs no look at the disk, so whoever uses it must find out; nothing from elsewhere is shown.
 */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount } from "../../src/index.ts";

let around: string;
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-exchanged-")));
  for (const folder of ["root", "elsewhere"]) {
    mkdirSync(join(around, folder));
    writeFileSync(join(around, folder, "f"), `needle of ${folder}\n`);
  }
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const CALLS = [
  ["grep", { pattern: "needle" }],
  ["glob", { pattern: "**" }],
  ["list", {}],
  ["read", { path: "." }],
] as const;

describe("a root that was mounted", () => {
  it.each(["gone", "a file", "a link"])("and is %s by now is refused by all that look at it", async (now) => {
    const root = join(around, "root");
    const tools = mount({ root });
    renameSync(root, join(around, "old"));
    if (now === "a file") writeFileSync(root, "needle");
    if (now === "a link") symlinkSync("elsewhere", root);
    for (const [tool, args] of CALLS) {
      const output = await tools.call(tool, args);
      expect(output.isError && output.refusal.code).toBe("path-changed");
      expect(output.content).not.toContain("elsewhere");
    }
    await tools.close();
  });
});
