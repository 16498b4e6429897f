/**
 * Owns paths that do not lead out but stop or break a careless tool: special files, link cycles, names of odd length,
 * empty ones, and patterns that name other places.
 * Leaves paths that lead out to hostile-paths.test.ts. Rule: the careless way is shown to hang, throw or reach out.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RefusalCode } from "../../src/contract/refusal.ts";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { readTreeState } from "../support/tree-state.ts";
import { openWorkspace, runBash } from "../support/workspace.ts";
import { COMMON_FIXTURE } from "./hostile-paths.ts";
import { OPERATIONS, SECRET, WITNESS } from "./operations.ts";

interface SpecialPath {
  readonly name: string;
  readonly fixture: string;
  readonly path: string;
  /** What happens to a careless reader. */
  readonly careless: "hangs" | "throws" | "never ends";
  readonly codes: readonly RefusalCode[];
  readonly needsRoot?: true;
}

const SPECIAL: readonly SpecialPath[] = [
  { name: "a FIFO", fixture: "mkfifo p", path: "p", careless: "hangs", codes: ["path-not-regular"] },
  {
    name: "a link to a FIFO",
    fixture: "mkfifo a/p; ln -s a/p l",
    path: "l",
    careless: "hangs",
    codes: ["path-not-regular"],
  },
  {
    name: "a socket",
    fixture: `python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('s')"`,
    path: "s",
    careless: "throws",
    codes: ["path-not-regular"],
  },
  {
    name: "a device in the root",
    fixture: "mknod zero c 1 5",
    path: "zero",
    careless: "never ends",
    codes: ["path-not-regular"],
    needsRoot: true,
  },
  {
    name: "a link to /dev/zero",
    fixture: "ln -s /dev/zero z",
    path: "z",
    careless: "never ends",
    codes: ["path-outside-root"],
  },
  {
    name: "a link to itself",
    fixture: "ln -s self self",
    path: "self",
    careless: "throws",
    codes: ["path-invalid", "path-missing", "path-outside-root"],
  },
  {
    name: "a cycle of links",
    fixture: "ln -s two one; ln -s three two; ln -s one three",
    path: "one",
    careless: "throws",
    codes: ["path-invalid", "path-missing", "path-outside-root"],
  },
  {
    name: "a path through a cycle of links",
    fixture: "ln -s two one; ln -s one two",
    path: "one/f.txt",
    careless: "throws",
    codes: ["path-invalid", "path-missing", "path-outside-root", "path-not-directory"],
  },
  {
    name: "a chain of links longer than the system follows",
    fixture: "printf x > l0; for i in $(seq 1 60); do ln -s l$((i-1)) l$i; done",
    path: "l60",
    careless: "throws",
    codes: ["path-invalid", "path-missing", "path-outside-root"],
  },
  {
    name: "a very long name",
    fixture: ":",
    path: "n".repeat(300),
    careless: "throws",
    codes: ["path-invalid", "path-missing"],
  },
  {
    name: "a very long name of multi-byte characters",
    fixture: ":",
    path: "字".repeat(100),
    careless: "throws",
    codes: ["path-invalid", "path-missing"],
  },
  {
    name: "a very long path inside",
    fixture: ":",
    path: `${"d/".repeat(5000)}f`,
    careless: "throws",
    codes: ["path-invalid", "path-missing"],
  },
  {
    name: "a NUL byte inside",
    fixture: ":",
    path: "mine.txt\0.png",
    careless: "throws",
    codes: ["path-invalid", "input-invalid"],
  },
  {
    name: "a file used as a directory",
    fixture: ":",
    path: "mine.txt/x",
    careless: "throws",
    codes: ["path-not-directory", "path-missing"],
  },
];

function expectCareless(row: SpecialPath, root: string): void {
  const path = join(root, row.path);
  if (row.careless === "throws") {
    expect(() => readFileSync(path)).toThrow();
    return;
  }
  const read = spawnSync("cat", ["--", path], { timeout: 150, killSignal: "SIGKILL", stdio: "ignore" });
  expect(read.signal, "a careless reader had to be killed").toBe("SIGKILL");
}

describe.each(SPECIAL)("special path: $name", (row) => {
  const skip = row.needsRoot === true && process.getuid?.() !== 0;

  it.skipIf(skip)(
    "is refused by every tool that reads or writes through it",
    { timeout: 15_000 },
    async () => {
      const at = openWorkspace(`${COMMON_FIXTURE}\n${row.fixture}`);
      expectCareless(row, at.root);
      const before = readTreeState(at.base);
      for (const operation of OPERATIONS) {
        const output = await at.call(operation.tool, operation.args(row.path));
        if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
        if (operation.effect !== "itself" && !isFreeName(row, operation.name)) {
          // A listing opens nothing: it may say what stands there instead.
          const isTold = operation.tool === "list" && /^\S+: no directory but a /.test(output.content);
          // glob walks a directory, whatever else stands there.
          const codes = operation.tool === "glob" ? [...row.codes, "path-not-directory" as const] : row.codes;
          if (!isTold) expectRefusal(output, ...codes);
          expect(readTreeState(at.base), operation.name).toEqual(before);
        }
        if (!output.isError && operation.effect !== "reads") break;
      }
    },
  );

  it.skipIf(skip)("delete and move never touch more than the entry itself", { timeout: 15_000 }, async () => {
    const at = openWorkspace(`${COMMON_FIXTURE}\n${row.fixture}`);
    const outside = readTreeState(join(at.base, "outside"));
    for (const args of [
      { from: row.path, to: "taken" },
      { from: "mine.txt", to: row.path },
    ]) {
      const output = await at.call("move", args);
      if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
    }
    for (const path of [row.path, "taken"]) {
      const output = await at.call("delete", { path });
      if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
    }
    expect(readTreeState(join(at.base, "outside"))).toEqual(outside);
    expect(at.text("a/b/inside.txt")).toBe("inside\n");
  });
});

/** A deep new path may be made by write, where the system takes it. */
function isFreeName(row: SpecialPath, operation: string): boolean {
  return row.name === "a very long path inside" && operation === "write";
}

describe("empty and blank paths", () => {
  it("an empty path is not the root for a change", async () => {
    const at = openWorkspace(COMMON_FIXTURE);
    await at.refuses("delete", { path: "", recursive: true }, "input-invalid");
    await at.refuses("move", { from: "", to: "x" }, "input-invalid");
    await at.refuses("move", { from: "mine.txt", to: "" }, "input-invalid");
    await at.refuses("write", { path: "", content: "x" }, "input-invalid");
    await at.refuses("edit", { path: "", edits: [{ old_text: "a", new_text: "b" }] }, "input-invalid");
  });

  it("a blank path is a name, not the root", async () => {
    const at = openWorkspace(COMMON_FIXTURE);
    await at.refuses("delete", { path: " ", recursive: true });
    await at.refuses("delete", { path: "\t", recursive: true });
    await at.refuses("read", { path: " " });
  });
});

describe("what stands beside the protected places", () => {
  it.each([
    ".haft/scratch/main/note.txt",
    "sub/haft.config.json",
    "haft.config.json.bak",
    ".haftrc",
    "x.haft/f",
    ".gitmodules",
    "git/.gitkeep",
  ])("%s can be written, edited, moved and deleted", async (path) => {
    const at = openWorkspace("");
    await at.does("write", { path, content: "one\n" });
    await at.edit(path, "one", "two");
    await at.does("move", { from: path, to: "elsewhere" });
    await at.does("move", { from: "elsewhere", to: path });
    await at.does("delete", { path });
  });

  it("a new project configuration and a new .git are refused as well as existing ones", async () => {
    const at = openWorkspace("mkdir d; printf x > d/f; printf '{}' > c.json");
    await at.refuses("write", { path: "haft.config.json", content: "{}" }, "path-protected");
    await at.refuses("move", { from: "c.json", to: "haft.config.json" }, "path-protected");
    await at.refuses("move", { from: "d", to: "sub/.git" }, "path-protected");
    await at.refuses("move", { from: "d", to: ".haft" }, "path-protected");
    await at.refuses("write", { path: ".haft/x", content: "x" }, "path-protected");
  });

  it("a protected file can still be read", async () => {
    const at = openWorkspace("mkdir .git; printf 'cfg\\n' > .git/config; printf '{}\\n' > haft.config.json");
    expect((await at.does("read", { path: ".git/config" })).content).toContain("1\tcfg");
    expect((await at.does("read", { path: "haft.config.json" })).content).toContain("1\t{}");
  });
});

describe("patterns that name other places", () => {
  const FIXTURE = `${COMMON_FIXTURE}\nln -s ../outside esc\nln -s ../../outside a/esc`;
  const patterns = (root: string): string[] => [
    "../**",
    "../**/*",
    "../outside/*",
    "a/../../outside/*",
    "./../outside/*",
    `${root}/../outside/*`,
    `${join(root, "../outside")}/*`,
    "esc/*",
    "esc/**",
    "a/esc/*",
    "*/esc/*",
    "[e]sc/*",
    "{..,a}/outside/*",
    "{../outside,a}/*",
    "../outs?de/*",
  ];

  it("glob finds nothing outside where the shell does", async () => {
    const at = openWorkspace(FIXTURE);
    for (const pattern of patterns(at.root)) {
      const shell = runBash(`shopt -s globstar; printf '%s\\n' ${pattern}`, at.root);
      expect(shell, `the shell reaches out by ${pattern}`).toContain(WITNESS);
      const output = await at.call("glob", { pattern });
      expect(output.content, pattern).not.toContain(WITNESS);
      expect(output.content, pattern).not.toContain("victim.txt");
      if (output.isError) expect(output.refusal.code).not.toBe("fault");
    }
  });

  it("the filters of list and grep do not widen what is walked", async () => {
    const at = openWorkspace(FIXTURE);
    for (const glob of patterns(at.root)) {
      for (const [name, args] of [
        ["list", { glob, depth: 5 }],
        ["grep", { pattern: "SECRET", glob }],
        ["read", { path: ".", grep: "SECRET" }],
      ] as const) {
        const output = await at.call(name, args);
        expect(output.content, `${name} ${glob}`).not.toContain(SECRET);
        expect(output.content, `${name} ${glob}`).not.toContain(WITNESS);
      }
    }
  });

  it("walks follow no link that they meet, to outside or in a circle", { timeout: 15_000 }, async () => {
    const at = openWorkspace(`${FIXTURE}\nln -s . a/loop; ln -s .. a/b/up; ln -s / slash`);
    const list = expectSuccess(await at.call("list", { depth: 50 }));
    expect(list.content).not.toContain(WITNESS);
    const glob = expectSuccess(await at.call("glob", { pattern: "**" }));
    expect(glob.content.match(/inside\.txt/g)).toHaveLength(1);
    const grep = expectSuccess(await at.call("grep", { pattern: "inside" }));
    expect(grep.content.match(/^1:inside/gm)).toHaveLength(1);
  });
});
