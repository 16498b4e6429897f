/**
 * Owns what happens where the system does not allow it: the kind of P04 and E24, for a user whom permissions stop.
 * Leaves failing disks to test/faults. Rule: the state before and after is looked at with all powers.
 */
import { describe, expect, it } from "vitest";
import { expectRefusal, expectSuccess, type Output } from "../support/loose-toolset.ts";
import { canBePlainUser, GIVE_AWAY, runAsPlainUser } from "../support/plain-user.ts";
import { readTreeState } from "../support/tree-state.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const FIXTURE = `
printf 'a\\n' > noread; printf 'a\\n' > ok; printf 'a\\n' > ro; mkdir nodir rodir okdir
printf 'pear\\n' > nodir/f; printf 'a\\n' > rodir/f; printf 'pear\\n' > okdir/n; mkdir rodir/d; printf 'x' > rodir/d/x
${GIVE_AWAY}
chmod 000 noread nodir; chmod 555 rodir; chmod 444 ro
`;

const call = (at: Workspace, name: string, args: unknown): Promise<Output> =>
  runAsPlainUser(() => at.tools.call(name, args));

/** Root sees everything as it is; a plain user's own look would fail where the calls do. */
async function expectDenied(at: Workspace, name: string, args: unknown): Promise<Output> {
  const before = process.getuid?.() === 0 ? readTreeState(at.base) : undefined;
  const output = await call(at, name, args);
  expectRefusal(output, "path-denied");
  if (before !== undefined) expect(readTreeState(at.base), name).toEqual(before);
  return output;
}

const edits = [{ old_text: "a", new_text: "b" }];

describe.skipIf(!canBePlainUser)("without permission", () => {
  it("P04 a file that cannot be read is refused by every tool that needs its text", async () => {
    const at = openWorkspace(FIXTURE);
    await expectDenied(at, "read", { path: "noread" });
    const searched = await call(at, "grep", { path: "noread", pattern: "a" });
    expect(searched.content.split("\n")[0]).toMatch(/EACCES/);
    await expectDenied(at, "edit", { path: "noread", edits });
    await expectDenied(at, "write", { path: "noread", content: "x" });
  });

  it("P04 what lies in a directory that cannot be entered is refused, not called missing", async () => {
    const at = openWorkspace(FIXTURE);
    for (const path of ["nodir/f", "nodir/none"]) {
      await expectDenied(at, "read", { path });
      await expectDenied(at, "write", { path, content: "x" });
      await expectDenied(at, "delete", { path });
    }
  });

  it("P04 a directory that cannot be read is not called empty", async () => {
    const at = openWorkspace(FIXTURE);
    for (const name of ["list", "read"]) {
      const output = await call(at, name, { path: "nodir" });
      expect(output.content).not.toMatch(/empty|0 entries/);
      expect(output.content).toMatch(/EACCES|not readable|not allow/);
    }
  });

  it("P04 a walk names the directory that it could not read and reports the rest", async () => {
    const at = openWorkspace(FIXTURE);
    const grep = expectSuccess(await call(at, "grep", { pattern: "pear" }));
    expect(grep.content).toContain("okdir/n\n1:pear");
    expect(grep.content).toContain("nodir");
    const glob = expectSuccess(await call(at, "glob", { pattern: "**/*" }));
    expect(glob.content.split("\n")).toContain("okdir/n");
    expect(glob.content.split("\n")[0]).toContain("nodir");
  });

  it("E24 a directory that cannot be written is refused by every change, and nothing is left in it", async () => {
    const at = openWorkspace(FIXTURE);
    await expectDenied(at, "write", { path: "rodir/new", content: "x" });
    await expectDenied(at, "write", { path: "rodir/a/b/new", content: "x" });
    await expectDenied(at, "write", { path: "rodir/f", content: "x", overwrite: true });
    await expectDenied(at, "edit", { path: "rodir/f", edits });
    await expectDenied(at, "move", { from: "ok", to: "rodir/ok" });
    await expectDenied(at, "delete", { path: "rodir/f" });
  });

  it("E24 deleting or moving one entry that may not go says that nothing was changed", async () => {
    const at = openWorkspace(FIXTURE);
    for (const [name, args] of [
      ["delete", { path: "rodir/f" }],
      ["move", { from: "rodir/f", to: "taken" }],
      ["move", { from: "ok", to: "rodir/taken" }],
    ] as const) {
      const output = await expectDenied(at, name, args);
      expect(output.content).toMatch(/Nothing was changed/);
    }
  });

  it("E24 a read-only file is either refused or edited with its mode kept", async () => {
    const at = openWorkspace(FIXTURE);
    const output = await call(at, "edit", { path: "ro", edits });
    expect(at.text("ro")).toBe(output.isError ? "a\n" : "b\n");
    expect(at.bash("stat -c %a ro").trim()).toBe("444");
    if (output.isError) expectRefusal(output, "path-denied");
  });

  it.skipIf(process.getuid?.() !== 0)("E24 another user's file is never silently taken over", async () => {
    const at = openWorkspace(`${FIXTURE}\nprintf 'a\\n' > theirs; chmod 666 theirs`);
    for (const [name, args] of [
      ["edit", { path: "theirs", edits }],
      ["write", { path: "theirs", content: "x", overwrite: true }],
    ] as const) {
      const before = readTreeState(at.base);
      const output = await call(at, name, args);
      expectRefusal(output, "file-owner");
      expect(readTreeState(at.base)).toEqual(before);
    }
  });
});
