/**
 * Owns the bug reports about the folders for temporary files of commands, on a real bash: that they are there for each
 * command, whatever the one before did. Leaves how they are made to root/scratch.test.ts.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doesAsEver } from "../support/where-tools-run.ts";
import { openWorkspace } from "../support/workspace.ts";

const open = () => openWorkspace("git init -q .; printf a > a.txt", { tools: ["bash", "jobs"] });

describe("temporary files of a command", () => {
  const takenAway = [
    "git clean -fdxq",
    "rm -rf .haft",
    'rm -rf "$TMPDIR"',
    'rm -rf "$TMPDIR"; touch "$TMPDIR"',
    'rm -rf "$TMPDIR"; ln -s / "$TMPDIR"',
    'rm -rf "$TMPDIR"; ln -s nowhere "$TMPDIR"',
  ];

  it.each(takenAway.filter(doesAsEver))(
    "have their folder again after a command has taken it away: %s",
    async (command) => {
      const at = open();
      await at.does("bash", { command });
      const { content } = await at.does("bash", {
        command: 'f=$(mktemp) && echo "in ${f%/*}" && cat .haft/.gitignore',
      });
      expect(content).toBe(
        `exit code 0\n[stdout]\nin ${join(at.root, ".haft", "scratch", "main", "tmp")}\n*`,
      );
      const long = await at.does("bash", { command: `echo ran # ${"x".repeat(200_000)}` });
      expect(long.content).toBe("exit code 0\n[stdout]\nran");
    },
  );

  it("have one folder for commands that find it gone at once", async () => {
    const at = open();
    const command = ["rm -rf .haft", 'rm -rf "$TMPDIR"'].find(doesAsEver);
    await at.does("bash", { command });
    const made = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        at.does("bash", { command: `mktemp "$TMPDIR/${n}.XXXX" >/dev/null && echo made` }),
      ),
    );
    for (const { content } of made) expect(content).toContain("made");
    await at.tools.close();
    expect(readdirSync(join(at.root, ".haft", "scratch", "main")).sort()).toEqual(["cache", "tmp"]);
  });

  it("have their folder again where the root was taken away and came back", async () => {
    const at = open();
    await at.does("bash", { command: "true" });
    renameSync(at.root, `${at.root}-away`);
    expect((await at.call("bash", { command: "true" })).content).toContain("could not be started");
    mkdirSync(at.root);
    expect((await at.does("bash", { command: "mktemp >/dev/null && echo made" })).content).toContain("made");
    expect(existsSync(join(at.root, ".haft"))).toBe(true);
  });
});
